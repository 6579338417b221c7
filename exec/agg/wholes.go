package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// wholes reads columns of integers as int64. It keeps scratch space between calls.
type wholes struct{ scratch []int64 }

// of is the values of a column of integers. The slice is valid until the next call.
func (w *wholes) of(arr arrow.Array) []int64 {
	switch arr.DataType().ID() {
	case arrow.INT8:
		w.scratch = widen[int8](w.scratch, arr)
	case arrow.INT16:
		w.scratch = widen[int16](w.scratch, arr)
	case arrow.INT32:
		w.scratch = widen[int32](w.scratch, arr)
	case arrow.UINT8:
		w.scratch = widen[uint8](w.scratch, arr)
	case arrow.UINT16:
		w.scratch = widen[uint16](w.scratch, arr)
	case arrow.UINT32:
		w.scratch = widen[uint32](w.scratch, arr)
	default:
		return vec.Values[int64](arr)
	}
	return w.scratch
}

func widen[T integer](scratch []int64, arr arrow.Array) []int64 {
	scratch = scratch[:0]
	for _, v := range vec.Values[T](arr) {
		scratch = append(scratch, int64(v))
	}
	return scratch
}

// narrowed is a column of an integer type of the lower bits of values, of which those count that are present.
func narrowed(mem memory.Allocator, dt arrow.DataType, values []int64, present []bool) arrow.Array {
	switch dt.(arrow.FixedWidthDataType).BitWidth() {
	case 8:
		return buildNarrow[int8](mem, dt, values, present)
	case 16:
		return buildNarrow[int16](mem, dt, values, present)
	case 32:
		return buildNarrow[int32](mem, dt, values, present)
	}
	return buildFixed(mem, dt, values, present)
}

func buildNarrow[T integer](mem memory.Allocator, dt arrow.DataType, values []int64, present []bool) arrow.Array {
	buf, out := vec.NewFixed[T](mem, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	valid, nulls := presence(mem, present)
	return vec.MakeArray(dt, len(values), nulls, valid, buf)
}
