package expr

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
)

type integer interface{ int8 | int16 | int32 | int64 }

type float interface{ float32 | float64 }

// binaryOp makes a kernel of a loop over rows. The loop gets slices of equal length, a constant as a slice of equal values.
func binaryOp[T, R any](loop func(out []R, x, y []T)) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		each(args, out, loop)
		return nil
	}
}

// each calls loop for all rows at once, or for blocks of spread rows if one side is a constant.
func each[T, R any](args []*Vector, out *Vector, loop func(out []R, x, y []T)) {
	a, b := args[0], args[1]
	o, x, y := values[R](out), values[T](a), values[T](b)
	if !a.isConst() && !b.isConst() {
		loop(o, x[:len(o)], y[:len(o)])
		return
	}
	for lo := 0; lo < len(o); lo += spread {
		part := o[lo:min(lo+spread, len(o))]
		loop(part, x[lo&a.rowMask:][:len(part)], y[lo&b.rowMask:][:len(part)])
	}
}

// unaryOp makes a kernel of a loop over rows.
func unaryOp[T, R any](loop func(out []R, x []T)) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[R](out)
		loop(o, values[T](args[0])[:len(o)])
		return nil
	}
}

// checked makes a kernel of a loop that computes all rows, NULL or not, and reports whether any of them overflowed; only then
// the rows are looked at more closely, and why says what is wrong with one.
func checked[T integer](loop func(out, x, y []T) bool, why func(x, y T) string) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		overflow := false
		each(args, out, func(o, x, y []T) { overflow = loop(o, x, y) || overflow })
		if !overflow {
			return nil
		}
		a, b := args[0], args[1]
		o, x, y := values[T](out), values[T](a), values[T](b)
		return f.findFailures(func(lo, hi int) bool {
			n := hi - lo
			return loop(o[lo:hi], x[lo&a.rowMask:][:n], y[lo&b.rowMask:][:n])
		}, func(row int) string { return why(x[a.at(row)], y[b.at(row)]) })
	}
}

// findFailures looks for the rows that fails is true of, and fails for those that matter. fails may be asked about up to 64
// rows, [lo, hi), that lie in one word of a bitmap.
func (f *Frame) findFailures(fails func(lo, hi int) bool, why func(row int) string) error {
	for lo := 0; lo < f.n; lo += 64 {
		hi := min(lo+64, f.n)
		if !fails(lo, hi) {
			continue
		}
		for row := lo; row < hi; row++ {
			if !f.matters(row) || !fails(row, row+1) {
				continue
			}
			if err := f.Fail(uint32(row), why(row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// overflowOf is what is wrong with a value too large for T.
func overflowOf[T integer]() string { return integerName[T]() + " overflow" }

// overflows is why sums, differences and products fail.
func overflows[T integer](_, _ T) string { return overflowOf[T]() }

// integerSize is the number of bytes of an integer type.
func integerSize[T integer]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// integerName is the SQL name of an integer type.
func integerName[T integer]() string {
	return [...]string{1: "TINYINT", 2: "SMALLINT", 4: "INT", 8: "BIGINT"}[integerSize[T]()]
}

// cannotDivide is why quotients and remainders fail.
func cannotDivide[T integer](_, y T) string {
	if y == 0 {
		return "division by zero"
	}
	return overflowOf[T]()
}

func addIntegers[T integer](out, x, y []T) bool {
	x, y = x[:len(out)], y[:len(out)]
	var carry T
	for i := range out {
		s := x[i] + y[i]
		carry |= (x[i] ^ s) & (y[i] ^ s)
		out[i] = s
	}
	return carry < 0
}

func subtractIntegers[T integer](out, x, y []T) bool {
	x, y = x[:len(out)], y[:len(out)]
	var borrow T
	for i := range out {
		d := x[i] - y[i]
		borrow |= (x[i] ^ y[i]) & (x[i] ^ d)
		out[i] = d
	}
	return borrow < 0
}

func multiplyIntegers[T integer](out, x, y []T) bool {
	x, y = x[:len(out)], y[:len(out)]
	var lost int64
	for i := range out {
		p := int64(x[i]) * int64(y[i])
		out[i] = T(p)
		lost |= p ^ int64(T(p))
	}
	return lost != 0
}

// multiplyBigInts needs the exact check only if the bits of the largest factors add up to more than an int64 has.
func multiplyBigInts(out, x, y []int64) bool {
	x, y = x[:len(out)], y[:len(out)]
	var m, n int64
	for i := range out {
		a, b := x[i], y[i]
		out[i] = a * b
		m |= a ^ a>>63
		n |= b ^ b>>63
	}
	return bits.Len64(uint64(m))+bits.Len64(uint64(n)) > 62 && productsOverflow(x, y)
}

// productsOverflow reports whether any product needs more than 64 bits.
func productsOverflow(x, y []int64) bool {
	var lost uint64
	for i, a := range x {
		b := y[i]
		hi, lo := bits.Mul64(uint64(a), uint64(b))
		hi -= uint64(a>>63&b) + uint64(b>>63&a)
		lost |= hi ^ uint64(int64(lo)>>63)
	}
	return lost != 0
}

func divideIntegers[T integer](out, x, y []T) bool {
	x, y = x[:len(out)], y[:len(out)]
	failed := false
	for i := range out {
		d := y[i]
		if d == 0 || d == -1 && x[i] == -x[i] && x[i] != 0 {
			failed, d = true, 1
		}
		out[i] = x[i] / d
	}
	return failed
}

func remainderIntegers[T integer](out, x, y []T) bool {
	x, y = x[:len(out)], y[:len(out)]
	failed := false
	for i := range out {
		d := y[i]
		if d == 0 {
			failed, d = true, 1
		}
		out[i] = x[i] % d
	}
	return failed
}

func negateIntegers[T integer](out, x []T) bool {
	x = x[:len(out)]
	var low T
	for i := range out {
		out[i] = -x[i]
		low |= x[i] & out[i]
	}
	return low < 0
}

func addFloats[T float](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] + y[i]
	}
}

func subtractFloats[T float](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] - y[i]
	}
}

func multiplyFloats[T float](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] * y[i]
	}
}

func divideFloats[T float](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = x[i] / y[i]
	}
}

func remainderFloats[T float](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = T(math.Mod(float64(x[i]), float64(y[i])))
	}
}

func negateFloats[T float](out, x []T) {
	x = x[:len(out)]
	for i := range out {
		out[i] = -x[i]
	}
}

// integerKernels are the forms of an operator on each width of integers.
type integerKernels struct {
	int8, int16, int32, int64 Kernel
}

// floatKernels are the forms of an operator on FLOAT and DOUBLE.
type floatKernels struct {
	float32, float64 Kernel
}

// numeric chooses the form for a type; decimal makes the one for DECIMAL.
func numeric(ints integerKernels, floats floatKernels, decimal func(*Site) Kernel) func(*Site) Kernel {
	return func(s *Site) Kernel {
		switch s.Arg(0).ID() {
		case arrow.INT8:
			return ints.int8
		case arrow.INT16:
			return ints.int16
		case arrow.INT32:
			return ints.int32
		case arrow.INT64:
			return ints.int64
		case arrow.FLOAT32:
			return floats.float32
		case arrow.FLOAT64:
			return floats.float64
		}
		return decimal(s)
	}
}
