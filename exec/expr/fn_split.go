package expr

import (
	"bytes"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	Register(Function{
		Name: "SPLIT", Category: categoryString,
		Doc:     "An ARRAY of the parts of the string between the separators; of its characters if the separator is empty.",
		Example: "SPLIT('a,b,,c', ',')", ExampleResult: "[a, b, , c]",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "separator")}, Returns: returns(arrow.ListOf(String)), Slow: true, Compile: splitKernel,
		}},
	})
	Register(Function{
		Name: "SPLIT_PART", Category: categoryString,
		Doc:     "The part with the given number, from 1 or, if negative, from the end, of the string split at a separator; empty if there are not as many. An empty separator splits nothing.",
		Example: "SPLIT_PART('a,b,c', ',', -1)", ExampleResult: "c",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "separator"), named(intParam, "part")}, Returns: returns(String), Fails: Sometimes, Slow: true,
			Compile: only(splitPartKernel),
		}},
	})
	Register(Function{
		Name: "CONCAT_WS", Category: categoryString,
		Doc:     "The strings behind the first, those that are NULL left out, with the first between them.",
		Example: "CONCAT_WS('~', 'AA', NULL, 'BB', '')", ExampleResult: "AA~BB~",
		Overloads: []Overload{{
			Params: []Param{named(stringParam, "separator"), writtenParam}, Optional: 1, Variadic: true, Returns: returns(String), Nulls: PropagateFirst,
			Slow: true, Compile: only(concatWithKernel),
		}},
	})
	Register(Function{
		Name: "ELT", Category: categoryString,
		Doc:     "The value with the given number, from 1, of those behind the number; NULL if there are not as many.",
		Example: "ELT(2, 'a', 'b')", ExampleResult: "b",
		Overloads: []Overload{{
			Params: []Param{named(intParam, "number"), anyParam}, Variadic: true, Convert: commonResults, Returns: returnsArg(1), Nulls: HandledOrNull,
			Expand: elt,
		}},
	})
}

// cutAt divides s at the first separator; an empty one stands behind each character. more is false if there is none.
func cutAt(s, separator []byte) (part, rest []byte, more bool) {
	if len(separator) > 0 {
		return bytes.Cut(s, separator)
	}
	n := min(1, len(s))
	if n > 0 {
		n = charLen(s)
	}
	return s[:n], s[n:], n < len(s)
}

func splitKernel(*Site) Kernel {
	var w textsWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		w.start()
		for _, row := range f.Rows() {
			s, separator := args[0].bytes(row), args[1].bytes(row)
			for more := true; more; {
				var part []byte
				part, s, more = cutAt(s, separator)
				w.add(part)
			}
			w.end(row)
		}
		return w.store(f, out)
	}
}

func splitPartKernel(f *Frame, args []*Vector, out *Vector) error {
	part := numberArg[int64](args[2])
	for _, row := range f.Rows() {
		n := part.row(row)
		if n == 0 {
			if err := f.Fail(row, "the parts of SPLIT_PART are counted from 1, or from -1 at the end"); err != nil {
				return err
			}
			continue
		}
		out.data = append(out.data, splitPart(args[0].bytes(row), args[1].bytes(row), n)...)
		out.end(row)
	}
	return nil
}

// splitPart is the n-th part of s, from 1; a negative n counts from the end.
func splitPart(s, separator []byte, n int64) []byte {
	if len(separator) == 0 {
		if n == 1 || n == -1 {
			return s
		}
		return nil
	}
	if n < 0 {
		n += int64(bytes.Count(s, separator)) + 2
	}
	if n < 1 {
		return nil
	}
	for ; ; n-- {
		part, rest, more := cutAt(s, separator)
		switch {
		case n == 1:
			return part
		case !more:
			return nil
		}
		s = rest
	}
}

func concatWithKernel(f *Frame, args []*Vector, out *Vector) error {
	for _, row := range f.Rows() {
		separator := args[0].bytes(row)
		first := true
		for _, a := range args[1:] {
			if !a.isValid(row) {
				continue
			}
			if !first {
				out.data = append(out.data, separator...)
			}
			out.data, first = append(out.data, a.bytes(row)...), false
		}
		out.end(row)
	}
	return nil
}

func elt(args []Expr, s Settings) (Expr, error) {
	whens := make([]When, len(args)-1)
	for i, value := range args[1:] {
		whens[i] = When{Cond: NewBigInt(int64(i + 1)), Then: value}
	}
	return NewCase(args[0], whens, nil, s)
}
