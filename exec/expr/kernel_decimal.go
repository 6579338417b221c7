package expr

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// decimalShape are the scales of an operation on DECIMALs and the type of its result.
type decimalShape struct {
	x, y   int32 // scales of the sides
	common int32 // the larger of them
	to     arrow.Decimal128Type
}

func decimalShapeOf(s *Site) decimalShape {
	shape := decimalShape{x: asDecimal(s.Arg(0)).Scale, y: asDecimal(s.Arg(1)).Scale, to: *asDecimal(s.Result)}
	shape.common = max(shape.x, shape.y)
	return shape
}

// decimalBinary makes a kernel of an operation on two DECIMALs; ok is false if the result has too many digits.
func decimalBinary(op func(d *decimalShape, x, y decimal128.Num) (n decimal128.Num, ok bool)) func(*Site) Kernel {
	return func(s *Site) Kernel {
		d := decimalShapeOf(s)
		return func(f *Frame, args []*Vector, out *Vector) error {
			a, b := args[0], args[1]
			o, x, y := values[decimal128.Num](out), values[decimal128.Num](a), values[decimal128.Num](b)
			for _, row := range f.Rows() {
				n, ok := op(&d, x[a.at(int(row))], y[b.at(int(row))])
				if o[row] = n; ok {
					continue
				}
				if err := f.FailWith(row, func() string { return decimalOverflow(&d.to) }); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

func decimalOverflow(t arrow.DataType) string { return TypeName(t) + " overflow" }

// dividing wraps an operation with a divisor: a divisor of zero is an error of its own.
func decimalDividing(op func(d *decimalShape, x, y decimal128.Num) (decimal128.Num, bool)) func(*Site) Kernel {
	return func(s *Site) Kernel {
		kernel := decimalBinary(op)(s)
		return func(f *Frame, args []*Vector, out *Vector) error {
			b := args[1]
			y := values[decimal128.Num](b)
			for _, row := range f.Rows() {
				if y[b.at(int(row))] != (decimal128.Num{}) {
					continue
				}
				if err := f.Fail(row, "division by zero"); err != nil {
					return err
				}
			}
			return kernel(f, args, out) // looks at the rows that are left
		}
	}
}

func addDecimals(d *decimalShape, x, y decimal128.Num) (decimal128.Num, bool) {
	if d.x == d.y && d.to.Scale == d.common && d.to.Precision < maxPrecision {
		return x.Add(y), true
	}
	return d.sum(x, y, x.Sign() < 0, y.Sign() < 0)
}

func subtractDecimals(d *decimalShape, x, y decimal128.Num) (decimal128.Num, bool) {
	if d.x == d.y && d.to.Scale == d.common && d.to.Precision < maxPrecision {
		return x.Sub(y), true
	}
	return d.sum(x, y, x.Sign() < 0, y.Sign() >= 0)
}

// sum adds the magnitudes of x and y, with the signs given.
func (d *decimalShape) sum(x, y decimal128.Num, xNegative, yNegative bool) (decimal128.Num, bool) {
	a, _ := magnitude(x).scaledUp(d.common - d.x)
	b, _ := magnitude(y).scaledUp(d.common - d.y)
	negative := xNegative
	switch {
	case xNegative == yNegative:
		a = a.plus(b)
	case a.compare(b) >= 0:
		a = a.minus(b)
	default:
		a, negative = b.minus(a), yNegative
	}
	return a.scaledDown(d.common-d.to.Scale).num(negative, d.to.Precision)
}

func multiplyDecimals(d *decimalShape, x, y decimal128.Num) (decimal128.Num, bool) {
	if a, ok := small(x); ok && d.exactProduct() {
		if b, ok := small(y); ok {
			hi, lo := bits.Mul64(uint64(a), uint64(b))
			hi -= uint64(a>>63&b) + uint64(b>>63&a)
			return decimal128.New(int64(hi), lo), true
		}
	}
	p, _ := magnitude(x).times(magnitude(y))
	return p.scaledDown(d.x+d.y-d.to.Scale).num(x.Sign()*y.Sign() < 0, d.to.Precision)
}

// small is n as an int64, if it is one.
func small(n decimal128.Num) (v int64, ok bool) {
	v = int64(n.LowBits())
	return v, n.HighBits() == v>>63
}

// exactProduct reports whether no product loses digits or has too many.
func (d *decimalShape) exactProduct() bool {
	return d.x+d.y == d.to.Scale && d.to.Precision < maxPrecision
}

func divideDecimals(d *decimalShape, x, y decimal128.Num) (decimal128.Num, bool) {
	n, ok := magnitude(x).scaledUp(d.to.Scale + d.y - d.x)
	if !ok {
		return decimal128.Num{}, false
	}
	return n.divideRounded(magnitude(y)).num(x.Sign()*y.Sign() < 0, d.to.Precision)
}

func remainderDecimals(d *decimalShape, x, y decimal128.Num) (decimal128.Num, bool) {
	a, _ := magnitude(x).scaledUp(d.common - d.x)
	b, _ := magnitude(y).scaledUp(d.common - d.y)
	_, r := a.divide(b)
	return r.scaledDown(d.common-d.to.Scale).num(x.Sign() < 0, d.to.Precision)
}

// decimalUnary makes a kernel of an operation that keeps the number of digits.
func decimalUnary(op func(x decimal128.Num) decimal128.Num) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[decimal128.Num](out), values[decimal128.Num](args[0])
		for i := range o {
			o[i] = op(x[i])
		}
		return nil
	}
}

// rescale takes n from one scale to another, rounded half up; ok is false if it has more than precision digits.
func rescale(n decimal128.Num, from, to, precision int32) (decimal128.Num, bool) {
	w, negative := magnitude(n), n.Sign() < 0
	if to < from {
		return w.scaledDown(from-to).num(negative, precision)
	}
	w, ok := w.scaledUp(to - from)
	if !ok {
		return decimal128.Num{}, false
	}
	return w.num(negative, precision)
}
