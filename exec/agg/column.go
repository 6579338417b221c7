package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// column is the Ts at rows' offset as an array of type dt.
func column[T any](mem memory.Allocator, dt arrow.DataType, rows state.Rows, groups []uint32) arrow.Array {
	buf, values := vec.NewFixed[T](mem, len(groups))
	for i, g := range groups {
		values[i] = *state.At[T](rows, g)
	}
	return vec.MakeArray(dt, len(groups), 0, nil, buf)
}

// nullable is column with a NULL for each group whose int64 at counts is not positive.
func nullable[T any](mem memory.Allocator, dt arrow.DataType, rows, counts state.Rows, groups []uint32) arrow.Array {
	buf, values := vec.NewFixed[T](mem, len(groups))
	for i, g := range groups {
		values[i] = *state.At[T](rows, g)
	}
	valid, nulls := positive(mem, counts, groups)
	return vec.MakeArray(dt, len(groups), nulls, valid, buf)
}

// positive is a validity bitmap of the groups whose int64 at counts is positive; nil if all are.
func positive(mem memory.Allocator, counts state.Rows, groups []uint32) (valid *memory.Buffer, nulls int) {
	return validity(mem, len(groups), func(i int) bool { return *state.At[int64](counts, groups[i]) > 0 })
}

// validity is a bitmap of the rows below n that are valid; nil if all are.
func validity(mem memory.Allocator, n int, isValid func(row int) bool) (valid *memory.Buffer, nulls int) {
	for i := range n {
		if isValid(i) {
			continue
		}
		if valid == nil {
			valid = vec.NewBuffer(mem, int(bitutil.BytesForBits(int64(n))))
			memory.Set(valid.Bytes(), 0xff)
		}
		bitutil.ClearBit(valid.Bytes(), i)
		nulls++
	}
	return valid, nulls
}
