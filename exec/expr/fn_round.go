package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

func init() {
	registerRound("ROUND", nil, roundHalfUp, "The number rounded to so many digits of fraction, 0 if not given; halves go away from zero.", "ROUND(2.345, 2)", "2.35")
	registerRound("TRUNCATE", []string{"TRUNC"}, roundDown, "The number cut off behind so many digits of fraction, 0 if not given.", "TRUNCATE(2.349, 2)", "2.34")
	Register(Function{
		Name: "CEIL", Aliases: []string{"CEILING"}, Category: categoryArithmetic, form: toForm("CEIL"),
		Doc:     "The smallest whole number not below the number, or the next start of a unit of time not before the time.",
		Example: "CEIL(1.2)", ExampleResult: "2",
		Overloads: append([]Overload{itself(integerParam), wholeNumber(math.Ceil, roundCeiling)}, timeCeiling...),
	})
	Register(Function{
		Name: "FLOOR", Category: categoryArithmetic, form: toForm("FLOOR"),
		Doc:     "The largest whole number not above the number, or the start of the unit of time the time lies in.",
		Example: "FLOOR(-1.2)", ExampleResult: "-2",
		Overloads: append([]Overload{itself(integerParam), wholeNumber(math.Floor, roundFloor)}, timeFloor...),
	})
}

// rounding says which of the two neighbours a number goes to.
type rounding int

const (
	roundHalfUp rounding = iota // away from zero from the middle on
	roundDown                   // towards zero
	roundFloor
	roundCeiling
)

// up reports whether a magnitude goes to the larger neighbour; twice compares the double of the remainder with the unit.
func (r rounding) up(negative, exact bool, twice int) bool {
	switch r {
	case roundHalfUp:
		return twice >= 0
	case roundFloor:
		return negative && !exact
	case roundCeiling:
		return !negative && !exact
	}
	return false
}

// round takes n from one scale to a smaller one.
func (r rounding) round(n decimal128.Num, digits, precision int32) (decimal128.Num, bool) {
	negative := n.Sign() < 0
	unit := powerOfTen(digits)
	q, rest := magnitude(n).divide(unit)
	if r.up(negative, rest.isZero(), rest.compare(unit.minus(rest))) {
		q = q.plus(wide{1})
	}
	return q.num(negative, precision)
}

// wholeNumber is CEIL or FLOOR of a number with a fraction.
func wholeNumber(float func(float64) float64, r rounding) Overload {
	loop32 := func(out, x []float32) {
		for i := range out {
			out[i] = float32(float(float64(x[i])))
		}
	}
	loop64 := func(out, x []float64) {
		for i := range out {
			out[i] = float(x[i])
		}
	}
	return Overload{
		Params: []Param{numberParam}, Fails: Exact, Compile: numeric(integerKernels{}, floatKernels{unaryOp(loop32), unaryOp(loop64)}, func(s *Site) Kernel {
			from, to := asDecimal(s.Arg(0)), asDecimal(s.Result)
			return convertRows(func(n decimal128.Num) (decimal128.Num, bool) { return r.round(n, from.Scale, to.Precision) }, to)
		}),
		Returns: func(args []Expr) arrow.DataType {
			if d, ok := args[0].Type().(*arrow.Decimal128Type); ok {
				return Decimal(min(maxPrecision, max(1, d.Precision-d.Scale+1)), 0)
			}
			return args[0].Type()
		},
	}
}

func registerRound(name string, aliases []string, r rounding, doc, example, result string) {
	Register(Function{
		Name: name, Aliases: aliases, Category: categoryArithmetic, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{numberParam, named(intParam, "digits")}, Optional: 1, Returns: roundedType, Fails: Exact,
			Compile: numeric(
				integerKernels{roundIntegers[int8](r), roundIntegers[int16](r), roundIntegers[int32](r), roundIntegers[int64](r)},
				floatKernels{roundFloats[float32](r), roundFloats[float64](r)},
				roundDecimals(r)),
		}},
	})
}

// roundedType is the type of a rounded number: a DECIMAL loses the digits of fraction that are known to go.
func roundedType(args []Expr) arrow.DataType {
	d, ok := args[0].Type().(*arrow.Decimal128Type)
	if !ok {
		return args[0].Type()
	}
	digits := int64(0)
	if len(args) > 1 {
		l, known := args[1].(*Literal)
		if !known || l.V == nil {
			return d
		}
		digits = l.V.(int64)
	}
	if digits >= int64(d.Scale) {
		return d
	}
	scale := int32(max(digits, 0))
	return Decimal(min(maxPrecision, d.Precision-d.Scale+scale+1), scale)
}

// digitsArg is the number of digits for each row.
func digitsArg(args []*Vector) func(row uint32) int64 {
	if len(args) == 1 {
		return func(uint32) int64 { return 0 }
	}
	return numberArg[int64](args[1]).row
}

func roundIntegers[T integer](r rounding) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		digits := digitsArg(args)
		o, x, mask := values[T](out), values[T](args[0]), args[0].rowMask
		for _, row := range f.Rows() {
			v, d := x[int(row)&mask], digits(row)
			if o[row] = v; d >= 0 {
				continue
			}
			n, ok := r.round(decimal128.FromI64(int64(v)), int32(min(-d, maxPrecision)), maxPrecision)
			unit := powerOfTen(int32(min(-d, maxPrecision)))
			back, fits := magnitude(n).times(unit)
			whole, small := back.num(n.Sign() < 0, 19)
			o[row] = T(whole.LowBits())
			if ok && fits && small && decimal128.FromI64(int64(o[row])) == whole {
				continue
			}
			if err := f.Fail(row, overflowOf[T]()); err != nil {
				return err
			}
		}
		return nil
	}
}

func roundFloats[T float](r rounding) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		digits := digitsArg(args)
		o, x, mask := values[T](out), values[T](args[0]), args[0].rowMask
		for _, row := range f.Rows() {
			o[row] = T(roundFloat(float64(x[int(row)&mask]), digits(row), r))
		}
		return nil
	}
}

// roundFloat rounds at a decimal digit; numbers that have none there stay as they are.
func roundFloat(v float64, digits int64, r rounding) float64 {
	scale := math.Pow(10, float64(min(max(digits, -400), 400)))
	scaled := v * scale
	switch {
	case scale == 0:
		return 0 * v
	case math.IsInf(scaled, 0) || math.IsNaN(scaled) || math.Abs(scaled) >= 1<<53:
		return v
	case r == roundDown:
		return math.Trunc(nearWhole(scaled)) / scale
	}
	return math.Round(nearWhole(scaled)) / scale
}

// nearWhole takes back what multiplying by a power of ten added or lost at the end: 1.005 · 100 is meant to be 100.5.
func nearWhole(v float64) float64 {
	doubled := math.Round(2*v) / 2
	if math.Abs(v-doubled) <= 1e-14*math.Abs(v) {
		return doubled
	}
	return v
}

func roundDecimals(r rounding) func(*Site) Kernel {
	return func(s *Site) Kernel {
		from, to := asDecimal(s.Arg(0)), asDecimal(s.Result)
		return func(f *Frame, args []*Vector, out *Vector) error {
			digits := digitsArg(args)
			o, x := values[decimal128.Num](out), numberArg[decimal128.Num](args[0])
			for _, row := range f.Rows() {
				n, ok := roundDecimal(x.row(row), from.Scale, digits(row), to, r)
				if o[row] = n; ok {
					continue
				}
				if err := f.FailWith(row, func() string { return decimalOverflow(to) }); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

// roundDecimal rounds n, of the given scale, to so many digits of fraction, as a value of type to.
func roundDecimal(n decimal128.Num, scale int32, digits int64, to *arrow.Decimal128Type, r rounding) (decimal128.Num, bool) {
	if digits >= int64(scale) {
		return rescale(n, scale, to.Scale, to.Precision)
	}
	kept := int32(max(digits, -maxPrecision))
	n, ok := r.round(n, scale-kept, maxPrecision)
	if !ok {
		return n, false
	}
	w, ok := magnitude(n).scaledUp(to.Scale - kept)
	if !ok {
		return n, false
	}
	return w.num(n.Sign() < 0, to.Precision)
}
