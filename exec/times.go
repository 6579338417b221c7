package exec

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// millis gives the values of a timestamp column as milliseconds since 1970, rounded down. The slice may be the array's own.
// The value of a NULL is undefined.
func millis(a arrow.Array) ([]int64, error) {
	t, ok := a.(*array.Timestamp)
	if !ok {
		return nil, fmt.Errorf("bug: %s is not a timestamp", a.DataType())
	}
	values := arrow.Int64Traits.CastFromBytes(arrow.TimestampTraits.CastToBytes(t.TimestampValues()))
	unit := a.DataType().(*arrow.TimestampType).Unit
	switch unit {
	case arrow.Millisecond:
		return values, nil
	case arrow.Second:
		return mapTimes(values, func(v int64) int64 { return v * 1e3 }), nil
	case arrow.Microsecond:
		return mapTimes(values, func(v int64) int64 { return floorDiv(v, 1e3) }), nil
	default:
		return mapTimes(values, func(v int64) int64 { return floorDiv(v, 1e6) }), nil
	}
}

func mapTimes(in []int64, f func(int64) int64) []int64 {
	out := make([]int64, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

// floorDiv is a/b rounded towards minus infinity, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
