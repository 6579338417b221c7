package expr

import (
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// textOf makes a kernel of a function that appends the result for a string to dst.
func textOf(appendTo func(dst, s []byte) []byte) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			out.data = appendTo(out.data, args[0].bytes(row))
			out.end(row)
		}
		return nil
	}
}

// textOfCount makes a kernel of a function of a string and a BIGINT.
func textOfCount(appendTo func(dst, s []byte, n int64) []byte) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		n := values[int64](args[1])
		for _, row := range f.Rows() {
			out.data = appendTo(out.data, args[0].bytes(row), n[args[1].at(int(row))])
			out.end(row)
		}
		return nil
	}
}

// countOf makes a kernel of a function from a string to an INT.
func countOf(count func(s []byte) int) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int32](out)
		for _, row := range f.Rows() {
			o[row] = int32(count(args[0].bytes(row)))
		}
		return nil
	}
}

// countOf2 makes a kernel of a function from two strings to an INT.
func countOf2(count func(s, t []byte) int) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[int32](out)
		for _, row := range f.Rows() {
			o[row] = int32(count(args[0].bytes(row), args[1].bytes(row)))
		}
		return nil
	}
}

// testOf2 makes a kernel of a test of two strings.
func testOf2(test func(s, t []byte) bool) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			out.bits[row>>6] |= bitOf(test(args[0].bytes(row), args[1].bytes(row))) << (row & 63)
		}
		return nil
	}
}

// runeStart is the byte at which the n-th character of s, from 0, begins; len(s) if there are not as many.
func runeStart(s []byte, n int64) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i += charLen(s[i:])
	}
	return i
}

// characters is the number of characters of s.
func characters(s []byte) int { return utf8.RuneCount(s) }

// number views the values of an argument and finds them by row, whether it is a constant or not.
type number[T any] struct {
	v    []T
	mask int
}

func numberArg[T int32 | int64 | float64 | decimal128.Num](v *Vector) number[T] {
	return number[T]{values[T](v), v.rowMask}
}

func (n number[T]) row(row uint32) T { return n.v[int(row)&n.mask] }
