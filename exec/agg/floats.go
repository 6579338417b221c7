package agg

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// floats reads columns of numbers as doubles. It keeps scratch space between calls.
type floats struct{ scratch []float64 }

// of is the values of a column of integers or floats. The slice is valid until the next call.
func (f *floats) of(arr arrow.Array) []float64 {
	switch arr.DataType().ID() {
	case arrow.FLOAT64:
		return vec.Values[float64](arr)
	case arrow.FLOAT32:
		f.scratch = convert[float32](f.scratch, arr)
	case arrow.INT8:
		f.scratch = convert[int8](f.scratch, arr)
	case arrow.INT16:
		f.scratch = convert[int16](f.scratch, arr)
	case arrow.INT32:
		f.scratch = convert[int32](f.scratch, arr)
	case arrow.UINT8:
		f.scratch = convert[uint8](f.scratch, arr)
	case arrow.UINT16:
		f.scratch = convert[uint16](f.scratch, arr)
	case arrow.UINT32:
		f.scratch = convert[uint32](f.scratch, arr)
	default:
		f.scratch = convert[int64](f.scratch, arr)
	}
	return f.scratch
}

func convert[T integer | float32](scratch []float64, arr arrow.Array) []float64 {
	scratch = scratch[:0]
	for _, v := range vec.Values[T](arr) {
		scratch = append(scratch, float64(v))
	}
	return scratch
}

// asFloats is the type a number is to be cast to before floats can read it: itself for integers and floats.
func asFloats(dt arrow.DataType) (arrow.DataType, bool) {
	switch {
	case isInteger(dt), isFloat(dt):
		return dt, true
	case dt.ID() == arrow.DECIMAL128:
		return double, true
	}
	return nil, false
}

// numbers checks that all arguments of a call are numbers, of which there must be n, and gives the types that floats can read.
func numbers(name string, n int, args []arrow.DataType) ([]arrow.DataType, error) {
	if err := argCount(name, n, args); err != nil {
		return nil, err
	}
	read := make([]arrow.DataType, n)
	for i, dt := range args {
		var ok bool
		if read[i], ok = asFloats(dt); !ok {
			if n == 1 {
				return nil, wrongType(name, "a number", args)
			}
			return nil, wrongArg(name, i, "a number", args)
		}
	}
	return read, nil
}
