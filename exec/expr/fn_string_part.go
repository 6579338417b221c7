package expr

import (
	"bytes"
	"math"
)

// mostText is the largest string that REPEAT, LPAD and RPAD make.
const mostText = 16 << 20

func init() {
	Register(Function{
		Name: "SUBSTRING", Aliases: []string{"SUBSTR"}, Category: categoryString,
		Doc:     "The part of the string from a character on, counted from 1 or, if negative, from the end; at most so many characters, NULL if that is negative.",
		Example: "SUBSTRING('streams', 2, 3)", ExampleResult: "tre",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(intParam, "start"), named(intParam, "length")}, Optional: 1,
			Returns: returns(String), Nulls: PropagateOrNull, Slow: true, Compile: only(substringKernel),
		}},
	})
	Register(Function{
		Name: "LEFT", Category: categoryString,
		Doc: "The first so many characters of the string.", Example: "LEFT('streams', 3)", ExampleResult: "str",
		Overloads: []Overload{stringAndCount(textOfCount(appendLeft))},
	})
	Register(Function{
		Name: "RIGHT", Category: categoryString,
		Doc: "The last so many characters of the string.", Example: "RIGHT('streams', 3)", ExampleResult: "ams",
		Overloads: []Overload{stringAndCount(textOfCount(appendRight))},
	})
	repeat := stringAndCount(repeatKernel)
	repeat.Fails = Sometimes
	Register(Function{
		Name: "REPEAT", Category: categoryString,
		Doc: "The string so many times.", Example: "REPEAT('ab', 3)", ExampleResult: "ababab",
		Overloads: []Overload{repeat},
	})
	registerPad("LPAD", "The string with copies of another put in front of it, or its end cut off, so that it has so many characters.", "LPAD('7', 3, '0')", "007", true)
	registerPad("RPAD", "The string with copies of another put behind it, or its end cut off, so that it has so many characters.", "RPAD('a', 4, 'xy')", "axyx", false)
	Register(Function{
		Name: "SPLIT_INDEX", Category: categoryString,
		Doc:     "The part with the given number, from 0, of the string split at a separator; NULL if there are not as many.",
		Example: "SPLIT_INDEX('a,b,c', ',', 1)", ExampleResult: "b",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "separator"), named(intParam, "index")}, Returns: returns(String),
			Nulls: PropagateOrNull, Slow: true, Compile: only(splitIndexKernel),
		}},
	})
}

// named is a parameter under a name of its own.
func named(p Param, name string) Param {
	p.Name = name
	return p
}

// stringAndCount is a function of a string and a number of characters or times.
func stringAndCount(kernel Kernel) Overload {
	return Overload{Params: []Param{stringParam, named(intParam, "count")}, Returns: returns(String), Slow: true, Compile: only(kernel)}
}

func substringKernel(f *Frame, args []*Vector, out *Vector) error {
	start, length := numberArg[int64](args[1]), number[int64]{v: []int64{math.MaxInt64}}
	if len(args) == 3 {
		length = numberArg[int64](args[2])
	}
	for _, row := range f.Rows() {
		n := length.row(row)
		if n < 0 {
			f.SetNull(row)
			continue
		}
		out.data = append(out.data, substring(args[0].bytes(row), start.row(row), n)...)
		out.end(row)
	}
	return nil
}

// substring is n characters of s from the start-th on, from 1; a negative start counts from the end, 0 is 1.
func substring(s []byte, start, n int64) []byte {
	if n == 0 {
		return nil
	}
	if start < 0 {
		start += int64(characters(s)) + 1
		if start <= 0 {
			return nil
		}
	}
	s = s[runeStart(s, start-1):]
	return s[:runeStart(s, n)]
}

func appendLeft(dst, s []byte, n int64) []byte { return append(dst, s[:runeStart(s, n)]...) }

func appendRight(dst, s []byte, n int64) []byte {
	return append(dst, tailChars(s, int(max(0, min(n, int64(len(s))))))...)
}

func repeatKernel(f *Frame, args []*Vector, out *Vector) error {
	count := numberArg[int64](args[1])
	for _, row := range f.Rows() {
		s, n := args[0].bytes(row), max(0, count.row(row))
		if len(s) > 0 && n > int64(mostText/len(s)) {
			if err := f.Fail(row, "string of more than 16 MiB"); err != nil {
				return err
			}
			continue
		}
		if len(s) == 0 {
			n = 0
		}
		for range n {
			out.data = append(out.data, s...)
		}
		out.end(row)
	}
	return nil
}

func registerPad(name, doc, example, result string, left bool) {
	Register(Function{
		Name: name, Category: categoryString, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{stringParam, named(intParam, "length"), named(stringParam, "padding")}, Returns: returns(String),
			Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Compile: only(padKernel(left)),
		}},
	})
}

// padKernel gives NULL for a negative length and for an empty padding.
func padKernel(left bool) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		length := numberArg[int64](args[1])
		for _, row := range f.Rows() {
			s, n, padding := args[0].bytes(row), length.row(row), args[2].bytes(row)
			missing := n - int64(characters(s))
			switch {
			case n < 0 || len(padding) == 0:
				f.SetNull(row)
				continue
			case n > mostText:
				if err := f.Fail(row, "string of more than 16 MiB"); err != nil {
					return err
				}
				continue
			case missing <= 0:
				out.data = appendLeft(out.data, s, n)
			case left:
				out.data = append(appendPadding(out.data, padding, missing), s...)
			default:
				out.data = appendPadding(append(out.data, s...), padding, missing)
			}
			out.end(row)
		}
		return nil
	}
}

// appendPadding appends n characters of padding, which is repeated.
func appendPadding(dst, padding []byte, n int64) []byte {
	whole := int64(characters(padding))
	for ; n >= whole; n -= whole {
		dst = append(dst, padding...)
	}
	return appendLeft(dst, padding, n)
}

func splitIndexKernel(f *Frame, args []*Vector, out *Vector) error {
	index := numberArg[int64](args[2])
	for _, row := range f.Rows() {
		part, ok := splitIndex(args[0].bytes(row), args[1].bytes(row), index.row(row))
		if !ok {
			f.SetNull(row)
			continue
		}
		out.data = append(out.data, part...)
		out.end(row)
	}
	return nil
}

// splitIndex is the i-th part of s, from 0. An empty separator splits nothing.
func splitIndex(s, separator []byte, i int64) (part []byte, ok bool) {
	if i < 0 {
		return nil, false
	}
	for {
		end := -1
		if len(separator) > 0 {
			end = bytes.Index(s, separator)
		}
		switch {
		case i == 0 && end < 0:
			return s, true
		case i == 0:
			return s[:end], true
		case end < 0:
			return nil, false
		}
		s = s[end+len(separator):]
		i--
	}
}
