package convert

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/float16"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

type integral interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// integer converts whole numbers.
func integer(from, to arrow.DataType) step {
	if arrow.TypeEqual(from, to) {
		return as(to)
	}
	switch from.ID() {
	case arrow.INT8:
		return integerFrom[int8](to)
	case arrow.INT16:
		return integerFrom[int16](to)
	case arrow.INT32:
		return integerFrom[int32](to)
	case arrow.INT64:
		return integerFrom[int64](to)
	case arrow.UINT8:
		return integerFrom[uint8](to)
	case arrow.UINT16:
		return integerFrom[uint16](to)
	case arrow.UINT32:
		return integerFrom[uint32](to)
	case arrow.UINT64:
		return integerFrom[uint64](to)
	}
	return nil
}

func integerFrom[F integral](to arrow.DataType) step {
	switch to.ID() {
	case arrow.INT8:
		return integers[F, int8](to)
	case arrow.INT16:
		return integers[F, int16](to)
	case arrow.INT32:
		return integers[F, int32](to)
	}
	return integers[F, int64](to)
}

func integers[F integral, T int8 | int16 | int32 | int64](to arrow.DataType) step {
	return func(r *run, in arrow.Array) arrow.Array {
		vals := vec.Values[F](in)
		buf, out := vec.NewFixed[T](r.mem, in.Len())
		fits := true
		for i, v := range vals {
			out[i] = T(v)
			fits = fits && F(T(v)) == v && (T(v) < 0) == (v < 0)
		}
		if !fits {
			r.check(in, func(i int) string {
				if v := vals[i]; F(T(v)) != v || (T(v) < 0) != (v < 0) {
					return outOfRange(v, to)
				}
				return ""
			})
		}
		return fixed(r, in, to, buf)
	}
}

func outOfRange(v any, to arrow.DataType) string {
	return fmt.Sprintf("the value %v is out of range of %s", v, text.TypeName(to))
}

// floating converts any number; whole ones and decimals are rounded to the nearest.
func floating(from, to arrow.DataType) step {
	if arrow.TypeEqual(from, to) {
		return as(to)
	}
	switch t := from.(type) {
	case *arrow.Int8Type:
		return floatFrom(to, asFloat[int8])
	case *arrow.Int16Type:
		return floatFrom(to, asFloat[int16])
	case *arrow.Int32Type:
		return floatFrom(to, asFloat[int32])
	case *arrow.Int64Type:
		return floatFrom(to, asFloat[int64])
	case *arrow.Uint8Type:
		return floatFrom(to, asFloat[uint8])
	case *arrow.Uint16Type:
		return floatFrom(to, asFloat[uint16])
	case *arrow.Uint32Type:
		return floatFrom(to, asFloat[uint32])
	case *arrow.Uint64Type:
		return floatFrom(to, asFloat[uint64])
	case *arrow.Float16Type:
		return floatFrom(to, func(v float16.Num) float64 { return float64(v.Float32()) })
	case *arrow.Float32Type:
		return floatFrom(to, asFloat[float32])
	case *arrow.Float64Type:
		return floatFrom(to, asFloat[float64])
	case *arrow.Decimal128Type:
		return decimalToFloat(t, to)
	}
	return nil
}

func asFloat[F integral | float32 | float64](v F) float64 { return float64(v) }

func floatFrom[F any](to arrow.DataType, value func(F) float64) step {
	if to.ID() == arrow.FLOAT32 {
		return floats[F, float32](to, value)
	}
	return floats[F, float64](to, value)
}

func floats[F any, T float32 | float64](to arrow.DataType, value func(F) float64) step {
	return func(r *run, in arrow.Array) arrow.Array {
		vals := vec.Values[F](in)
		buf, out := vec.NewFixed[T](r.mem, in.Len())
		fits := true
		for i, v := range vals {
			f := value(v)
			out[i] = T(f)
			fits = fits && !overflows(f, T(f))
		}
		if !fits {
			r.check(in, func(i int) string {
				if f := value(vals[i]); overflows(f, T(f)) {
					return outOfRange(f, to)
				}
				return ""
			})
		}
		return fixed(r, in, to, buf)
	}
}

// overflows reports whether a finite number has become an infinite one.
func overflows[T float32 | float64](v float64, narrow T) bool {
	return math.IsInf(float64(narrow), 0) && !math.IsInf(v, 0)
}
