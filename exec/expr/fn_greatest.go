package expr

import (
	"cmp"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	registerExtreme("GREATEST", 1, "The largest of its arguments; NULL if any is NULL.", "GREATEST(1, 3, 2)", "3")
	registerExtreme("LEAST", -1, "The smallest of its arguments; NULL if any is NULL.", "LEAST('b', 'a')", "a")
}

func registerExtreme(name string, sign int, doc, example, result string) {
	p := comparableParam
	p.Null = Unknown
	Register(Function{
		Name: name, Category: categoryArithmetic, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{p}, Variadic: true, Convert: commonArgs, Returns: returnsArg(0),
			Compile: func(s *Site) Kernel { return extremeKernel(s.Arg(0), sign) },
		}},
	})
}

// extremeKernel keeps the value whose order to the others is sign.
func extremeKernel(t arrow.DataType, sign int) Kernel {
	switch t.ID() {
	case arrow.INT8:
		return extremeFixed[int8](sign)
	case arrow.INT16:
		return extremeFixed[int16](sign)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return extremeFixed[int32](sign)
	case arrow.INT64, arrow.TIMESTAMP, arrow.DURATION:
		return extremeFixed[int64](sign)
	case arrow.FLOAT32:
		return extremeFixed[float32](sign)
	case arrow.FLOAT64:
		return extremeFixed[float64](sign)
	case arrow.DECIMAL128:
		return extremeDecimal(sign)
	case arrow.BOOL:
		return extremeBool(sign)
	}
	return extremeText(sign)
}

func extremeFixed[T cmp.Ordered](sign int) Kernel {
	loop := maxima[T]
	if sign < 0 {
		loop = minima[T]
	}
	return func(f *Frame, args []*Vector, out *Vector) error {
		copyRows[T](out, args[0])
		for _, a := range args[1:] {
			each([]*Vector{out, a}, out, loop)
		}
		return nil
	}
}

// copyRows copies the values of v, or the one of a constant for all rows.
func copyRows[T any](out, v *Vector) {
	for o := values[T](out); len(o) > 0; {
		o = o[copy(o, values[T](v)):]
	}
}

func maxima[T cmp.Ordered](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = max(x[i], y[i])
	}
}

func minima[T cmp.Ordered](out, x, y []T) {
	x, y = x[:len(out)], y[:len(out)]
	for i := range out {
		out[i] = min(x[i], y[i])
	}
}

// best is the argument with the extreme value of a row.
func best(args []*Vector, sign int, row uint32, order func(a, b *Vector, row uint32) int) *Vector {
	found := args[0]
	for _, a := range args[1:] {
		if order(a, found, row)*sign > 0 {
			found = a
		}
	}
	return found
}

func extremeText(sign int) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		for _, row := range f.Rows() {
			out.data = append(out.data, best(args, sign, row, textOrder).bytes(row)...)
			out.end(row)
		}
		return nil
	}
}

func extremeDecimal(sign int) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o := values[[2]uint64](out)
		for _, row := range f.Rows() {
			v := best(args, sign, row, decimalOrder)
			o[row] = values[[2]uint64](v)[v.at(int(row))]
		}
		return nil
	}
}

func extremeBool(sign int) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		for k := range out.bits {
			w := args[0].word(args[0].bits, k)
			for _, a := range args[1:] {
				if sign > 0 {
					w |= a.word(a.bits, k)
				} else {
					w &= a.word(a.bits, k)
				}
			}
			out.bits[k] = w
		}
		return nil
	}
}
