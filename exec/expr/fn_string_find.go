package expr

import (
	"bytes"
	"unicode/utf8"
)

func init() {
	Register(Function{
		Name: "LOCATE", Category: categoryString,
		Doc:     "The place of the first string in the second, from a place on if one is given, counted from 1; 0 if it is not there.",
		Example: "LOCATE('b', 'abcb', 3)", ExampleResult: "4",
		Overloads: []Overload{{
			Params: []Param{named(stringParam, "part"), stringParam, named(intParam, "start")}, Optional: 1, Returns: returns(Int),
			Slow: true, Compile: only(locateKernel),
		}},
	})
	Register(Function{
		Name: "INSTR", Category: categoryString,
		Doc:     "The place in the first string of the second, from a place on (from the end backwards if it is negative) and of the given occurrence; counted from 1, 0 if it is not there.",
		Example: "INSTR('abcb', 'b', 1, 2)", ExampleResult: "4",
		Overloads: []Overload{
			{
				Params:  []Param{stringParam, named(stringParam, "part"), named(intParam, "start"), named(intParam, "occurrence")},
				Returns: returns(Int), Optional: 2, Fails: Sometimes, Slow: true, Compile: only(instrKernel),
			},
		},
	})
	Register(Function{
		Name: "STRPOS", Category: categoryString,
		Doc: "The place in the first string of the second, counted from 1; 0 if it is not there.", Example: "STRPOS('abc', 'b')", ExampleResult: "2",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "part")}, Returns: returns(Int), Slow: true,
			Compile: only(countOf2(func(s, part []byte) int { return position(part, s) })),
		}},
	})
	Register(Function{
		Name: "CONTAINS", Category: categoryString,
		Doc: "Whether the string has another inside.", Example: "CONTAINS('abc', 'bc')", ExampleResult: "TRUE",
		Overloads: []Overload{stringTest(bytes.Contains)},
	})
	Register(Function{
		Name: "OVERLAY", Category: categoryString, form: overlayForm,
		Doc:     "The first string with so many characters from a place on, as many as the second string has if not given, replaced by the second.",
		Example: "OVERLAY('xxxxxtest' PLACING 'xxxx' FROM 6 FOR 2)", ExampleResult: "xxxxxxxxxst",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "new"), named(intParam, "start"), named(intParam, "length")}, Optional: 1,
			Returns: returns(String), Slow: true, Compile: only(overlayKernel),
		}},
	})
	Register(Function{
		Name: "LEVENSHTEIN", Category: categoryString,
		Doc:     "How many characters must be added, dropped or replaced to make one string of the other.",
		Example: "LEVENSHTEIN('kitten', 'sitting')", ExampleResult: "3",
		Overloads: []Overload{{Params: []Param{stringParam, stringParam}, Returns: returns(Int), Slow: true, Compile: levenshtein}},
	})
}

func locateKernel(f *Frame, args []*Vector, out *Vector) error {
	o, start := values[int32](out), number[int64]{v: []int64{1}}
	if len(args) == 3 {
		start = numberArg[int64](args[2])
	}
	for _, row := range f.Rows() {
		o[row] = int32(locate(args[0].bytes(row), args[1].bytes(row), start.row(row)))
	}
	return nil
}

// locate is where part begins in s at the character start or behind it, from 1, or 0.
func locate(part, s []byte, start int64) int {
	if start < 1 {
		return 0
	}
	from := runeStart(s, start-1)
	if i := position(part, s[from:]); i > 0 && int64(characters(s[:from])) == start-1 {
		return int(start) - 1 + i
	}
	return 0
}

func instrKernel(f *Frame, args []*Vector, out *Vector) error {
	o := values[int32](out)
	start, occurrence := number[int64]{v: []int64{1}}, number[int64]{v: []int64{1}}
	if len(args) > 2 {
		start = numberArg[int64](args[2])
	}
	if len(args) > 3 {
		occurrence = numberArg[int64](args[3])
	}
	for _, row := range f.Rows() {
		n := occurrence.row(row)
		if n < 1 {
			if err := f.Fail(row, "the occurrence that INSTR looks for must be at least 1"); err != nil {
				return err
			}
			continue
		}
		from := start.row(row)
		if from == 0 {
			if err := f.Fail(row, "the characters that INSTR searches from are counted from 1, or from -1 at the end"); err != nil {
				return err
			}
			continue
		}
		o[row] = int32(instr(args[0].bytes(row), args[1].bytes(row), from, n))
	}
	return nil
}

// instr is the character at which the n-th occurrence of part begins, searched from a start, or backwards from one counted from
// the end; 0 if there is none. Occurrences may overlap.
func instr(s, part []byte, start, n int64) int {
	if start < 0 {
		return instrBackwards(s, part, start, n)
	}
	for ; ; start++ {
		i := locate(part, s, start)
		if n--; i == 0 || n == 0 {
			return i
		}
		start = int64(i)
	}
}

// instrBackwards looks at occurrences that end at the character -start from the end or before it.
func instrBackwards(s, part []byte, start, n int64) int {
	end := runeStart(s, int64(characters(s))+start+1)
	for {
		i := bytes.LastIndex(s[:end], part)
		if i < 0 {
			return 0
		}
		if n--; n == 0 {
			return characters(s[:i]) + 1
		}
		_, last := utf8.DecodeLastRune(s[:i+len(part)])
		if end = i + len(part) - last; end < 0 || last == 0 {
			return 0
		}
	}
}

func overlayForm(args []Expr) (string, level) {
	x := operands(args, levelOr)
	text := "OVERLAY(" + x[0] + " PLACING " + x[1] + " FROM " + x[2]
	if len(x) == 4 {
		text += " FOR " + x[3]
	}
	return text + ")", levelPrimary
}

func overlayKernel(f *Frame, args []*Vector, out *Vector) error {
	start := numberArg[int64](args[2])
	for _, row := range f.Rows() {
		s, with, from := args[0].bytes(row), args[1].bytes(row), start.row(row)
		length := int64(characters(with))
		if len(args) == 4 {
			length = numberArg[int64](args[3]).row(row)
		}
		out.data = appendOverlaid(out.data, s, with, from, length)
		out.end(row)
	}
	return nil
}

// appendOverlaid leaves s as it is if the start lies outside of it.
func appendOverlaid(dst, s, with []byte, start, length int64) []byte {
	if start < 1 || start > int64(characters(s)) {
		return append(dst, s...)
	}
	at := runeStart(s, start-1)
	dst = append(append(dst, s[:at]...), with...)
	return append(dst, s[at+runeStart(s[at:], length):]...)
}

// levenshtein keeps one row of the table of distances between beginnings of the strings.
func levenshtein(*Site) Kernel {
	var x, y []rune
	var distances []int
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int32](out)
		for _, row := range f.Rows() {
			x, y = appendRunes(x[:0], args[0].bytes(row)), appendRunes(y[:0], args[1].bytes(row))
			distances = distances[:0]
			for i := range len(y) + 1 {
				distances = append(distances, i)
			}
			o[row] = int32(editDistance(x, y, distances))
		}
		return nil
	}
}

func appendRunes(dst []rune, s []byte) []rune {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		dst = append(dst, r)
		s = s[n:]
	}
	return dst
}

// editDistance needs distances to be 0, 1, 2, … up to the length of y.
func editDistance(x, y []rune, distances []int) int {
	for i, r := range x {
		diagonal := distances[0]
		distances[0] = i + 1
		for j, s := range y {
			replaced := diagonal
			if r != s {
				replaced++
			}
			diagonal = distances[j+1]
			distances[j+1] = min(replaced, diagonal+1, distances[j]+1)
		}
	}
	return distances[len(y)]
}
