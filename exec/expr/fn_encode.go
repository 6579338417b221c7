package expr

import (
	"encoding/base64"
	"encoding/hex"
)

func init() {
	Register(Function{
		Name: "ENCODE", Category: categoryString,
		Doc:     "The BYTES of a string in a character set such as 'UTF-8', 'ISO-8859-1' or 'UTF-16BE'; characters it does not have become ?.",
		Example: "ENCODE('ä', 'UTF-8')", ExampleResult: "x'c3a4'",
		Overloads: []Overload{{
			Params: []Param{stringParam, charsetParam}, Returns: returns(Bytes), Fails: Sometimes, Slow: true,
			Compile: only(charsetKernel(func(c charset, dst, s []byte) []byte { return c.encode(dst, s) })),
		}},
	})
	registerEncoding("TO_BASE64", base64.StdEncoding.AppendEncode, "The BASE64 text of the bytes of a string or a BYTES.", "TO_BASE64('hello world')", "aGVsbG8gd29ybGQ=")
	registerEncoding("TO_HEX", hex.AppendEncode, "The hexadecimal digits, in lower case, of the bytes of a string or a BYTES.", "TO_HEX('hello')", "68656c6c6f")
	Register(Function{
		Name: "FROM_BASE64", Category: categoryString,
		Doc:     "The STRING whose bytes a BASE64 text stands for.",
		Example: "FROM_BASE64('aGVsbG8gd29ybGQ=')", ExampleResult: "hello world",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(String), Fails: Sometimes, Slow: true, Compile: fromBase64}},
	})
	Register(Function{
		Name: "FROM_HEX", Category: categoryString,
		Doc:     "The BYTES that an even number of hexadecimal digits stands for.",
		Example: "FROM_HEX('00ff')", ExampleResult: "x'00ff'",
		Overloads: []Overload{{Params: []Param{stringParam}, Returns: returns(Bytes), Fails: Sometimes, Slow: true, Compile: only(fromHexKernel)}},
	})
	registerURL("URL_ENCODE", func(dst, s []byte) ([]byte, bool) { return appendURLEncoded(dst, s), true },
		"The string as a part of a URL's query: other characters than letters, digits and .-*_ become %XX, blanks become +.", "URL_ENCODE('a b&c')", "a+b%26c")
	registerURL("URL_DECODE", appendURLDecoded,
		"The string that a part of a URL's query stands for; NULL if it is malformed.", "URL_DECODE('a+b%26c')", "a b&c")
}

var charsetParam = named(stringParam, "charset")

// decodeBytes is DECODE(bytes, charset).
var decodeBytes = Overload{
	Params: []Param{bytesParam, charsetParam}, Returns: returns(String), Fails: Sometimes, Slow: true,
	Compile: only(charsetKernel(func(c charset, dst, s []byte) []byte { return c.decode(dst, s) })),
}

func charsetKernel(convert func(c charset, dst, s []byte) []byte) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			c, ok := findCharset(args[1].bytes(row))
			if !ok {
				if err := f.FailWith(row, func() string { return quote(cut(args[1].str(row))) + " is not a character set; use " + charsetNames }); err != nil {
					return err
				}
				continue
			}
			out.data = convert(c, out.data, args[0].bytes(row))
			out.end(row)
		}
		return nil
	}
}

func registerEncoding(name string, encode func(dst, s []byte) []byte, doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryString, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{
			stringFunction(textOf(encode)),
			{Params: []Param{bytesParam}, Returns: returns(String), Slow: true, Compile: only(textOf(encode))},
		},
	})
}

// fromBase64 takes text with padding or without; what is not UTF-8 then is replaced.
func fromBase64(*Site) Kernel {
	var decoded []byte
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			s := args[0].bytes(row)
			for len(s) > 0 && s[len(s)-1] == '=' {
				s = s[:len(s)-1]
			}
			var err error
			if decoded, err = base64.RawStdEncoding.AppendDecode(decoded[:0], s); err != nil {
				if err := f.FailWith(row, func() string { return quote(cut(args[0].str(row))) + " is not BASE64" }); err != nil {
					return err
				}
				continue
			}
			out.data = appendValidUTF8(out.data, decoded)
			out.end(row)
		}
		return nil
	}
}

func fromHexKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		before := len(out.data)
		s := args[0].bytes(row)
		var ok bool
		if out.data, ok = appendUnhex(out.data, s, len(s)%2 == 0); !ok {
			out.data = out.data[:before]
			if err := f.FailWith(row, func() string { return quote(cut(string(s))) + " is not an even number of hexadecimal digits" }); err != nil {
				return err
			}
			continue
		}
		out.end(row)
	}
	return nil
}

// registerURL adds a function of a string that has no value for some.
func registerURL(name string, appendTo func(dst, s []byte) ([]byte, bool), doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryString, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{stringParam}, Returns: returns(String), Nulls: PropagateOrNull, Slow: true, Compile: only(textOrNull(appendTo)),
		}},
	})
}

// textOrNull makes a kernel of a function that appends the result for a string, or reports that there is none.
func textOrNull(appendTo func(dst, s []byte) ([]byte, bool)) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			before := len(out.data)
			var ok bool
			if out.data, ok = appendTo(out.data, args[0].bytes(row)); !ok {
				out.data = out.data[:before]
				f.SetNull(row)
				continue
			}
			out.end(row)
		}
		return nil
	}
}

func appendURLEncoded(dst, s []byte) []byte {
	const digits = "0123456789ABCDEF"
	for _, c := range s {
		switch {
		case c-'0' < 10, c|0x20 >= 'a' && c|0x20 <= 'z', c == '.', c == '-', c == '*', c == '_':
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, '+')
		default:
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}

func appendURLDecoded(dst, s []byte) ([]byte, bool) {
	for ; len(s) > 0; s = s[1:] {
		switch {
		case s[0] == '+':
			dst = append(dst, ' ')
		case s[0] != '%':
			dst = append(dst, s[0])
		case len(s) < 3:
			return dst, false
		default:
			var ok bool
			if dst, ok = appendUnhex(dst, s[1:3], true); !ok {
				return dst, false
			}
			s = s[2:]
		}
	}
	return dst, true
}
