package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func init() {
	Register(Function{
		Name: "OCTET_LENGTH", Category: categoryString,
		Doc: "The number of bytes of a string or a BYTES.", Example: "OCTET_LENGTH('日本')", ExampleResult: "6",
		Overloads: []Overload{
			{Params: []Param{stringParam}, Returns: returns(Int), Compile: only(octetLength)},
			{Params: []Param{bytesParam}, Returns: returns(Int), Compile: only(octetLength)},
		},
	})
	Register(Function{
		Name: "ASCII", Category: categoryString,
		Doc: "The code point of the first character of the string; 0 if it is empty.", Example: "ASCII('abc')", ExampleResult: "97",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(Int), Compile: only(countOf(firstCodePoint))}},
	})
	Register(Function{
		Name: "CHR", Category: categoryString,
		Doc:     "The character whose code point is the lowest byte of the integer; the empty string if it is negative.",
		Example: "CHR(97)", ExampleResult: "a",
		Overloads: []Overload{{Params: []Param{intParam}, Returns: returns(String), Slow: true, Compile: only(digitsKernel(appendCodePoint))}},
	})
	Register(Function{
		Name: "INITCAP", Category: categoryString,
		Doc: "The string with the first character of each word, a run of letters and digits, in upper case and the others in lower case.", Example: "INITCAP('heLLo wOrld')", ExampleResult: "Hello World",
		Overloads: []Overload{stringFunction(textOf(appendInitcap))},
	})
	Register(Function{
		Name: "TRANSLATE", Category: categoryString,
		Doc:     "The string in which each character of the second string is replaced by that of the third at the same place, or dropped if there is none.",
		Example: "TRANSLATE('a-b.c', '-.', '_')", ExampleResult: "a_bc",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "from"), named(stringParam, "to")}, Returns: returns(String), Slow: true,
			Compile: only(translateKernel),
		}},
	})
	Register(Function{
		Name: "SOUNDEX", Category: categoryString,
		Doc: "A letter and three digits that English words of a like sound share; empty if there is no letter.", Example: "SOUNDEX('Robert')", ExampleResult: "R163",
		Overloads: []Overload{stringFunction(textOf(appendSoundex))},
	})
	Register(Function{
		Name: "NORMALIZE", Category: categoryString,
		Doc:     "The string in a normal form of Unicode: 'NFC', if none is given, 'NFD', 'NFKC' or 'NFKD'.",
		Example: "CHAR_LENGTH(NORMALIZE('é', 'NFD'))", ExampleResult: "2",
		Overloads: []Overload{{
			Params: []Param{stringParam, normalFormParam}, Optional: 1, Returns: returns(String), Slow: true,
			Compile: func(s *Site) Kernel {
				form := normalForms[strings.ToUpper(s.Word(1))]
				return textOf(func(dst, s []byte) []byte {
					if form.QuickSpan(s) == len(s) {
						return append(dst, s...)
					}
					return form.Append(dst, s...)
				})
			},
		}},
	})
}

var normalForms = map[string]norm.Form{"": norm.NFC, "NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}

var normalFormParam = Param{
	Name: "form", What: "'NFC', 'NFD', 'NFKC' or 'NFKD'", Null: String, Accepts: is(String), Only: func(e Expr) bool {
		word, _ := literalText(e)
		_, ok := normalForms[strings.ToUpper(word)]
		return ok && word != ""
	},
}

func octetLength(f *Frame, args []*Vector, out *Vector) error {
	o := values[int32](out)
	for _, row := range f.Rows() {
		o[row] = int32(len(args[0].bytes(row)))
	}
	return nil
}

func firstCodePoint(s []byte) int {
	if len(s) == 0 {
		return 0
	}
	r, _ := utf8.DecodeRune(s)
	return int(r)
}

func appendCodePoint(dst []byte, v int64) []byte {
	if v < 0 {
		return dst
	}
	return utf8.AppendRune(dst, rune(v&0xff))
}

func appendInitcap(dst, s []byte) []byte {
	inWord := false
	return appendMapped(dst, s, func(r rune) rune {
		first := !inWord
		inWord = unicode.IsLetter(r) || unicode.IsDigit(r)
		if first {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	})
}

func translateKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		out.data = appendTranslated(out.data, args[0].bytes(row), args[1].bytes(row), args[2].bytes(row))
		out.end(row)
	}
	return nil
}

// appendTranslated goes by the first place of a character that from has twice.
func appendTranslated(dst, s, from, to []byte) []byte {
	for len(s) > 0 {
		n := charLen(s)
		place := position(s[:n], from)
		if place == 0 {
			dst = append(dst, s[:n]...)
		} else if at := runeStart(to, int64(place-1)); at < len(to) {
			dst = append(dst, to[at:at+charLen(to[at:])]...)
		}
		s = s[n:]
	}
	return dst
}

// soundexDigits are the digits of the letters A to Z, 0 for those that have none.
const soundexDigits = "01230120022455012623010202"

// appendSoundex appends the code of American Soundex; what is not a letter of ASCII is passed over.
func appendSoundex(dst, s []byte) []byte {
	start, last := len(dst), byte(0)
	for _, c := range s {
		c &^= 0x20
		if c < 'A' || c > 'Z' {
			continue
		}
		digit := soundexDigits[c-'A']
		switch {
		case len(dst) == start:
			dst = append(dst, c)
		case c == 'H' || c == 'W':
			continue
		case digit != '0' && digit != last && len(dst) < start+4:
			dst = append(dst, digit)
		}
		last = digit
	}
	for len(dst) > start && len(dst) < start+4 {
		dst = append(dst, '0')
	}
	return dst
}
