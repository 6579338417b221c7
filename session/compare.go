package session

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
	"streamsql/plan"
)

// equalRows tells whether row i of a and row j of b are the same, NULL equal to NULL and NaN to NaN.
func equalRows(a []arrow.Array, i int, b []arrow.Array, j int) bool {
	for c := range a {
		if null := a[c].IsNull(i); null || b[c].IsNull(j) {
			if null != b[c].IsNull(j) {
				return false
			}
			continue
		}
		if !equalValues(a[c], i, b[c], j) {
			return false
		}
	}
	return true
}

func equalValues(a arrow.Array, i int, b arrow.Array, j int) bool {
	switch a := a.(type) {
	case *array.Int64:
		return a.Value(i) == b.(*array.Int64).Value(j)
	case *array.Int32:
		return a.Value(i) == b.(*array.Int32).Value(j)
	case *array.String:
		return a.Value(i) == b.(*array.String).Value(j)
	case *array.Timestamp:
		return a.Value(i) == b.(*array.Timestamp).Value(j)
	case *array.Float64:
		return math.Float64bits(a.Value(i)) == math.Float64bits(b.(*array.Float64).Value(j))
	case *array.Float32:
		return math.Float32bits(a.Value(i)) == math.Float32bits(b.(*array.Float32).Value(j))
	}
	x, y := array.NewSlice(a, int64(i), int64(i+1)), array.NewSlice(b, int64(j), int64(j+1))
	defer x.Release()
	defer y.Release()
	return array.ApproxEqual(x, y, array.WithNaNsEqual(true), array.WithAbsTolerance(0))
}

// comparer returns the order of rows that the keys ask for.
func (g *Bag) comparer(keys []plan.SortKey) func(a, b rowRef) int {
	byKey := make([]func(a, b rowRef) int, len(keys))
	for i, k := range keys {
		byKey[i] = g.keyComparer(k)
	}
	return func(a, b rowRef) int {
		for _, compare := range byKey {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return 0
	}
}

// keyComparer returns the order of rows by one column.
func (g *Bag) keyComparer(k plan.SortKey) func(a, b rowRef) int {
	cols := make([]arrow.Array, len(g.batches))
	for i, b := range g.batches {
		cols[i] = b.Cols[k.Column]
	}
	values := valueComparer(cols)
	nullsSide, direction := 1, 1
	if k.NullsFirst {
		nullsSide = -1
	}
	if k.Descending {
		direction = -1
	}
	return func(a, b rowRef) int {
		null, otherNull := cols[a.batch].IsNull(int(a.row)), cols[b.batch].IsNull(int(b.row))
		switch {
		case null && otherNull:
			return 0
		case null:
			return nullsSide
		case otherNull:
			return -nullsSide
		}
		return direction * values(a, b)
	}
}

// valueComparer returns the order of the values of a column, which are not NULL. cols is the column in each batch.
func valueComparer(cols []arrow.Array) func(a, b rowRef) int {
	if len(cols) == 0 {
		return func(_, _ rowRef) int { return 0 }
	}
	switch cols[0].DataType().ID() {
	case arrow.INT8:
		return ordered[int8](cols)
	case arrow.INT16:
		return ordered[int16](cols)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return ordered[int32](cols)
	case arrow.INT64, arrow.TIMESTAMP, arrow.DURATION, arrow.TIME64:
		return ordered[int64](cols)
	case arrow.FLOAT32:
		return ordered[float32](cols)
	case arrow.FLOAT64:
		return ordered[float64](cols)
	case arrow.STRING:
		return func(a, b rowRef) int {
			x, y := cols[a.batch].(*array.String).Value(int(a.row)), cols[b.batch].(*array.String).Value(int(b.row))
			return strings.Compare(x, y)
		}
	case arrow.BINARY:
		return func(a, b rowRef) int {
			x, y := cols[a.batch].(*array.Binary).Value(int(a.row)), cols[b.batch].(*array.Binary).Value(int(b.row))
			return bytes.Compare(x, y)
		}
	case arrow.BOOL:
		return func(a, b rowRef) int {
			x, y := cols[a.batch].(*array.Boolean).Value(int(a.row)), cols[b.batch].(*array.Boolean).Value(int(b.row))
			return truth(x) - truth(y)
		}
	case arrow.DECIMAL128:
		return func(a, b rowRef) int {
			x, y := cols[a.batch].(*array.Decimal128).Value(int(a.row)), cols[b.batch].(*array.Decimal128).Value(int(b.row))
			return x.Cmp(y)
		}
	}
	return func(a, b rowRef) int {
		return cmp.Compare(cols[a.batch].ValueStr(int(a.row)), cols[b.batch].ValueStr(int(b.row)))
	}
}

// ordered compares fixed-width values; a NaN is above all other numbers.
func ordered[T cmp.Ordered](cols []arrow.Array) func(a, b rowRef) int {
	values := make([][]T, len(cols))
	for i, c := range cols {
		values[i] = vec.Values[T](c)
	}
	return func(a, b rowRef) int {
		x, y := values[a.batch][a.row], values[b.batch][b.row]
		if x != x || y != y {
			return truth(x != x) - truth(y != y)
		}
		return cmp.Compare(x, y)
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}
