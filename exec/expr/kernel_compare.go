package expr

import (
	"bytes"
	"cmp"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// comparison is what a comparing operator asks of a and b; > and >= ask < and <= of b and a.
type comparison struct {
	op   string // "=", "<" or "<="
	swap bool
	not  bool
}

var comparisons = map[string]comparison{
	"=": {op: "="}, "<>": {op: "=", not: true}, "<": {op: "<"}, "<=": {op: "<="},
	">": {op: "<", swap: true}, ">=": {op: "<=", swap: true},
}

// compareKernel compares two values of one type.
func compareKernel(name string) func(*Site) Kernel {
	c := comparisons[name]
	return func(s *Site) Kernel {
		kernel := comparer(s.Arg(0), c.op)
		return func(f *Frame, args []*Vector, out *Vector) error {
			if c.swap {
				args[0], args[1] = args[1], args[0]
			}
			err := kernel(f, args, out)
			if c.not {
				for k := range out.bits {
					out.bits[k] = ^out.bits[k]
				}
			}
			return err
		}
	}
}

// comparer is the kernel of "=", "<" or "<=" for a type.
func comparer(t arrow.DataType, op string) Kernel {
	switch t.ID() {
	case arrow.BOOL:
		return compareBits(op)
	case arrow.INT8:
		return compareFixed[int8](op)
	case arrow.INT16:
		return compareFixed[int16](op)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return compareFixed[int32](op)
	case arrow.INT64, arrow.TIMESTAMP, arrow.DURATION:
		return compareFixed[int64](op)
	case arrow.FLOAT32:
		return compareFixed[float32](op)
	case arrow.FLOAT64:
		return compareFixed[float64](op)
	case arrow.DECIMAL128:
		return compareDecimals(op)
	case arrow.STRING, arrow.BINARY:
		if op == "=" {
			return equalTexts
		}
		return compareTexts(op)
	case arrow.LIST, arrow.MAP, arrow.STRUCT:
		if op == "=" {
			return equalNested
		}
	}
	return nil
}

// isEquatable reports whether values of the type can be told apart.
func isEquatable(t arrow.DataType) bool { return comparer(t, "=") != nil }

// isComparable reports whether values of the type have an order.
func isComparable(t arrow.DataType) bool { return comparer(t, "<") != nil }

func compareFixed[T cmp.Ordered](op string) Kernel {
	switch op {
	case "=":
		return binaryBits(equalTo[T])
	case "<":
		return binaryBits(lessThan[T])
	}
	return binaryBits(lessOrEqual[T])
}

// bitOf is 1 for true.
func bitOf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// equalTo, lessThan and lessOrEqual return the word of up to 64 comparisons.

func equalTo[T cmp.Ordered](x, y []T) (w uint64) {
	y = y[:len(x)]
	for i := range x {
		w |= bitOf(x[i] == y[i]) << (i & 63)
	}
	return w
}

func lessThan[T cmp.Ordered](x, y []T) (w uint64) {
	y = y[:len(x)]
	for i := range x {
		w |= bitOf(x[i] < y[i]) << (i & 63)
	}
	return w
}

func lessOrEqual[T cmp.Ordered](x, y []T) (w uint64) {
	y = y[:len(x)]
	for i := range x {
		w |= bitOf(x[i] <= y[i]) << (i & 63)
	}
	return w
}

// binaryBits makes a kernel of a loop over up to 64 rows.
func binaryBits[T any](loop func(x, y []T) uint64) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		a, b := args[0], args[1]
		x, y := values[T](a), values[T](b)
		for k := range out.bits {
			n := min(64, f.n-k*64)
			out.bits[k] = loop(x[k*64&a.rowMask:][:n], y[k*64&b.rowMask:][:n])
		}
		return nil
	}
}

func compareBits(op string) Kernel {
	word := map[string]func(a, b uint64) uint64{
		"=":  func(a, b uint64) uint64 { return ^(a ^ b) },
		"<":  func(a, b uint64) uint64 { return ^a & b },
		"<=": func(a, b uint64) uint64 { return ^a | b },
	}[op]
	return func(f *Frame, args []*Vector, out *Vector) error {
		a, b := args[0], args[1]
		for k := range out.bits {
			out.bits[k] = word(a.word(a.bits, k), b.word(b.bits, k))
		}
		return nil
	}
}

// holds tells for which orders of two values an operator is true: least to most.
func holds(op string) (least, most int) {
	switch op {
	case "=":
		return 0, 0
	case "<":
		return -1, -1
	}
	return -1, 0
}

func compareTexts(op string) Kernel {
	least, most := holds(op)
	return func(f *Frame, args []*Vector, out *Vector) error {
		a, b := args[0], args[1]
		clear(out.bits)
		for _, row := range f.Rows() {
			c := textOrder(a, b, row)
			out.bits[row>>6] |= bitOf(least <= c && c <= most) << (row & 63)
		}
		return nil
	}
}

func compareDecimals(op string) Kernel {
	least, most := holds(op)
	return func(f *Frame, args []*Vector, out *Vector) error {
		x, y := numberArg[decimal128.Num](args[0]), numberArg[decimal128.Num](args[1])
		clear(out.bits)
		for _, row := range f.Rows() {
			c := x.row(row).Cmp(y.row(row))
			out.bits[row>>6] |= bitOf(least <= c && c <= most) << (row & 63)
		}
		return nil
	}
}

func equalTexts(f *Frame, args []*Vector, out *Vector) error {
	a, b := args[0], args[1]
	clear(out.bits)
	for _, row := range f.Rows() {
		out.bits[row>>6] |= bitOf(a.str(row) == b.str(row)) << (row & 63)
	}
	return nil
}

// equalNested takes a NULL inside for equal to another.
func equalNested(f *Frame, args []*Vector, out *Vector) error {
	a, b := f.arrayOf(args[0]), f.arrayOf(args[1])
	defer a.Release()
	defer b.Release()
	same := sameValuesOf(a, b)
	clear(out.bits)
	for _, row := range f.Rows() {
		out.bits[row>>6] |= bitOf(same(args[0].at(int(row)), args[1].at(int(row)))) << (row & 63)
	}
	return nil
}

func textOrder(a, b *Vector, row uint32) int { return bytes.Compare(a.bytes(row), b.bytes(row)) }

func decimalOrder(a, b *Vector, row uint32) int {
	x, y := values[decimal128.Num](a), values[decimal128.Num](b)
	return x[a.at(int(row))].Cmp(y[b.at(int(row))])
}

// distinctKernel is IS DISTINCT FROM, in which NULL is a value like others; same makes it IS NOT DISTINCT FROM.
func distinctKernel(same bool) func(*Site) Kernel {
	return func(s *Site) Kernel {
		equal := comparer(s.Arg(0), "=")
		return func(f *Frame, args []*Vector, out *Vector) error {
			if err := equal(f, args, out); err != nil {
				return err
			}
			a, b := args[0], args[1]
			for k := range out.bits {
				va, vb := a.validWord(k), b.validWord(k)
				w := ^va&^vb | va&vb&out.bits[k]
				if !same {
					w = ^w
				}
				out.bits[k] = w
			}
			return nil
		}
	}
}
