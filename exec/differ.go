package exec

import (
	"bytes"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

// differ sets different[i] where the i-th values of two arrays of the same type and length differ; NULL equals NULL.
func differ(a, b arrow.Array, different []bool) {
	switch a := a.(type) {
	case *array.Int64:
		differValues(a, b, a.Int64Values(), b.(*array.Int64).Int64Values(), different)
	case *array.Float64:
		differValues(a, b, a.Float64Values(), b.(*array.Float64).Float64Values(), different)
	case *array.Int32:
		differValues(a, b, a.Int32Values(), b.(*array.Int32).Int32Values(), different)
	case *array.Timestamp:
		differValues(a, b, a.TimestampValues(), b.(*array.Timestamp).TimestampValues(), different)
	case *array.String:
		b := b.(*array.String)
		differEach(a, b, different, func(i int) bool { return a.Value(i) != b.Value(i) })
	case *array.Binary:
		b := b.(*array.Binary)
		differEach(a, b, different, func(i int) bool { return !bytes.Equal(a.Value(i), b.Value(i)) })
	default:
		differEach(a, b, different, func(i int) bool {
			return !array.SliceEqual(a, int64(i), int64(i+1), b, int64(i), int64(i+1))
		})
	}
}

func differValues[T comparable](a, b arrow.Array, x, y []T, different []bool) {
	if a.NullN() == 0 && b.NullN() == 0 {
		for i := range different {
			different[i] = different[i] || x[i] != y[i]
		}
		return
	}
	differEach(a, b, different, func(i int) bool { return x[i] != y[i] })
}

func differEach(a, b arrow.Array, different []bool, unequal func(int) bool) {
	for i := range different {
		if na, nb := a.IsNull(i), b.IsNull(i); na != nb || !na && unequal(i) {
			different[i] = true
		}
	}
}
