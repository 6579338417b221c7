package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/internal/text"
)

// castNumber converts between numbers: fractions are cut off for integers and rounded for DECIMALs.
func castNumber(from, to arrow.DataType) conversion {
	switch {
	case isDecimal(from):
		return castFromDecimal(from.(*arrow.Decimal128Type), to)
	case isDecimal(to):
		return castToDecimal(from, to.(*arrow.Decimal128Type))
	}
	switch from.ID() {
	case arrow.INT8:
		return castInteger[int8](to)
	case arrow.INT16:
		return castInteger[int16](to)
	case arrow.INT32:
		return castInteger[int32](to)
	case arrow.INT64:
		return castInteger[int64](to)
	case arrow.FLOAT32:
		return castFloat[float32](to)
	}
	return castFloat[float64](to)
}

func castInteger[T integer](to arrow.DataType) conversion {
	switch to.ID() {
	case arrow.INT8:
		return narrowing[T, int8]()
	case arrow.INT16:
		return narrowing[T, int16]()
	case arrow.INT32:
		return narrowing[T, int32]()
	case arrow.INT64:
		return sure(unaryOp(convertNumbers[T, int64]))
	case arrow.FLOAT32:
		return sure(unaryOp(convertNumbers[T, float32]))
	}
	return sure(unaryOp(convertNumbers[T, float64]))
}

func castFloat[T float](to arrow.DataType) conversion {
	switch to.ID() {
	case arrow.INT8:
		return failing(convertRows(truncate[T, int8](math.MinInt8, math.MaxInt8), to))
	case arrow.INT16:
		return failing(convertRows(truncate[T, int16](math.MinInt16, math.MaxInt16), to))
	case arrow.INT32:
		return failing(convertRows(truncate[T, int32](math.MinInt32, math.MaxInt32), to))
	case arrow.INT64:
		return failing(convertRows(truncate[T, int64](math.MinInt64, math.MaxInt64), to))
	case arrow.FLOAT32:
		return sure(unaryOp(convertNumbers[T, float32]))
	}
	return sure(unaryOp(convertNumbers[T, float64]))
}

func convertNumbers[T, R integer | float](out []R, x []T) {
	x = x[:len(out)]
	for i := range out {
		out[i] = R(x[i])
	}
}

// narrowing converts to an integer type that may be too small.
func narrowing[T, R integer]() conversion {
	if integerSize[T]() <= integerSize[R]() {
		return sure(unaryOp(convertNumbers[T, R]))
	}
	return failing(func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[R](out), values[T](args[0])
		if !narrow(o, x) {
			return nil
		}
		return f.findFailures(func(lo, hi int) bool { return narrow(o[lo:hi], x[lo:hi]) }, func(int) string { return overflowOf[R]() })
	})
}

// narrow converts and reports whether a value did not fit.
func narrow[T, R integer](out []R, x []T) bool {
	x = x[:len(out)]
	var lost T
	for i := range out {
		out[i] = R(x[i])
		lost |= x[i] ^ T(out[i])
	}
	return lost != 0
}

// truncate cuts the fraction off; lo and hi are the bounds of R, of which only lo needs to be exact as a float.
func truncate[T float, R integer](lo, hi float64) func(T) (R, bool) {
	return func(v T) (R, bool) {
		t := math.Trunc(float64(v))
		if !(t >= lo && t < hi+1) {
			return 0, false
		}
		return R(t), true
	}
}

func castToDecimal(from arrow.DataType, to *arrow.Decimal128Type) conversion {
	if isFloat(from) {
		if from.ID() == arrow.FLOAT32 {
			return failing(convertRows(func(v float32) (decimal128.Num, bool) { return floatToDecimal(float64(v), 32, to) }, to))
		}
		return failing(convertRows(func(v float64) (decimal128.Num, bool) { return floatToDecimal(v, 64, to) }, to))
	}
	kernel := map[arrow.Type]Kernel{
		arrow.INT8: integerToDecimal[int8](to), arrow.INT16: integerToDecimal[int16](to),
		arrow.INT32: integerToDecimal[int32](to), arrow.INT64: integerToDecimal[int64](to),
	}[from.ID()]
	if integerDigits[from.ID()] <= to.Precision-to.Scale {
		return sure(kernel)
	}
	return failing(kernel)
}

func integerToDecimal[T integer](to *arrow.Decimal128Type) Kernel {
	return convertRows(func(v T) (decimal128.Num, bool) {
		return rescale(decimal128.FromI64(int64(v)), 0, to.Scale, to.Precision)
	}, to)
}

// floatToDecimal takes the shortest decimal that stands for v.
func floatToDecimal(v float64, bits int, to *arrow.Decimal128Type) (decimal128.Num, bool) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return decimal128.Num{}, false
	}
	var buf [400]byte
	digits := text.AppendFloat64(buf[:0], v)
	if bits == 32 {
		digits = text.AppendFloat32(buf[:0], float32(v))
	}
	n, err := text.ParseDecimal(digits, to.Precision, to.Scale)
	return n, err == nil
}

func castFromDecimal(from *arrow.Decimal128Type, to arrow.DataType) conversion {
	switch to := to.(type) {
	case *arrow.Decimal128Type:
		return castDecimal(from, to)
	case *arrow.Int8Type:
		return failing(decimalToInteger[int8](from, to))
	case *arrow.Int16Type:
		return failing(decimalToInteger[int16](from, to))
	case *arrow.Int32Type:
		return failing(decimalToInteger[int32](from, to))
	case *arrow.Int64Type:
		return failing(decimalToInteger[int64](from, to))
	case *arrow.Float32Type:
		return sure(convertRows(func(n decimal128.Num) (float32, bool) { return float32(decimalToFloat(n, from.Scale)), true }, to))
	}
	return sure(convertRows(func(n decimal128.Num) (float64, bool) { return decimalToFloat(n, from.Scale), true }, to))
}

func castDecimal(from, to *arrow.Decimal128Type) conversion {
	whole, room := from.Precision-from.Scale, to.Precision-to.Scale
	if from.Scale == to.Scale && whole <= room {
		return conversion{}
	}
	kernel := convertRows(func(n decimal128.Num) (decimal128.Num, bool) {
		return rescale(n, from.Scale, to.Scale, to.Precision)
	}, to)
	if whole < room || whole == room && from.Scale < to.Scale {
		return sure(kernel)
	}
	return failing(kernel)
}

func decimalToInteger[R integer](from *arrow.Decimal128Type, to arrow.DataType) Kernel {
	return convertRows(func(n decimal128.Num) (R, bool) {
		q, _ := magnitude(n).divide(powerOfTen(from.Scale))
		whole, ok := q.num(n.Sign() < 0, 19)
		v := int64(whole.LowBits())
		return R(v), ok && int64(R(v)) == v && (v < 0) == (whole.Sign() < 0)
	}, to)
}

// exactPowers are the powers of ten a float64 holds exactly.
var exactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// decimalToFloat is the nearest float64 to n / 10^scale.
func decimalToFloat(n decimal128.Num, scale int32) float64 {
	if v := int64(n.LowBits()); n.HighBits() == v>>63 && v > -1<<53 && v < 1<<53 && int(scale) < len(exactPowers) {
		return float64(v) / exactPowers[scale]
	}
	var buf [48]byte
	v, _ := text.ParseFloat64(text.AppendDecimal(buf[:0], n, scale))
	return v
}

// boolToNumber makes 1 of TRUE and 0 of FALSE.
func boolToNumber(to arrow.DataType) Kernel {
	switch t := to.(type) {
	case *arrow.Int8Type:
		return bitsToNumbers[int8](1)
	case *arrow.Int16Type:
		return bitsToNumbers[int16](1)
	case *arrow.Int32Type:
		return bitsToNumbers[int32](1)
	case *arrow.Int64Type:
		return bitsToNumbers[int64](1)
	case *arrow.Float32Type:
		return bitsToNumbers[float32](1)
	case *arrow.Decimal128Type:
		one, _ := rescale(decimal128.FromI64(1), 0, t.Scale, maxPrecision)
		return bitsToNumbers(one)
	}
	return bitsToNumbers[float64](1)
}

func bitsToNumbers[R any](one R) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		var zero R
		o := values[R](out)
		for i := range o {
			o[i] = zero
			if bit(args[0].bits, i) {
				o[i] = one
			}
		}
		return nil
	}
}

// numberToBool makes FALSE of 0 and TRUE of all else.
func numberToBool(from arrow.DataType) Kernel {
	switch from.ID() {
	case arrow.INT8:
		return isNotZero[int8]()
	case arrow.INT16:
		return isNotZero[int16]()
	case arrow.INT32:
		return isNotZero[int32]()
	case arrow.INT64:
		return isNotZero[int64]()
	case arrow.FLOAT32:
		return isNotZero[float32]()
	case arrow.DECIMAL128:
		return isNotZero[decimal128.Num]()
	}
	return isNotZero[float64]()
}

func isNotZero[T comparable]() Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		var zero T
		x := values[T](args[0])
		clear(out.bits)
		for i := range f.n {
			out.bits[i>>6] |= bitOf(x[i] != zero) << (i & 63)
		}
		return nil
	}
}
