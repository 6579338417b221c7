package expr

import (
	"bytes"
	"cmp"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/exec/vec"
)

// sameness tells whether the value of one array at i is that of another at j.
type sameness func(i, j int) bool

// sameOf compares values of two arrays of a type. NULL is the same as NULL, and NaN as NaN; entries of MAPs may come in any order.
func sameOf(a, b arrow.Array) sameness {
	same := sameValuesOf(a, b)
	if a.NullN() == 0 && b.NullN() == 0 {
		return same
	}
	return func(i, j int) bool {
		if a.IsNull(i) || b.IsNull(j) {
			return a.IsNull(i) && b.IsNull(j)
		}
		return same(i, j)
	}
}

// sameValuesOf is sameOf for values that are not NULL.
func sameValuesOf(a, b arrow.Array) sameness {
	switch t := a.DataType().(type) {
	case *arrow.NullType:
		return func(int, int) bool { return true }
	case *arrow.Float32Type, *arrow.Float64Type:
		order := orderOf(a, b)
		return func(i, j int) bool { return order(i, j) == 0 }
	case *arrow.StructType:
		return sameRows(a.(*array.Struct), b.(*array.Struct))
	case *arrow.MapType:
		return sameMaps(a.(*array.Map), b.(*array.Map))
	case *arrow.ListType:
		return sameLists(a.(array.ListLike), b.(array.ListLike))
	case *arrow.StringType, *arrow.BinaryType:
		return sameTexts(a, b)
	case *arrow.BooleanType:
		x, y := a.(*array.Boolean), b.(*array.Boolean)
		return func(i, j int) bool { return x.Value(i) == y.Value(j) }
	case arrow.FixedWidthDataType:
		return sameWidth(a, b, t.Bytes())
	}
	return func(int, int) bool { return false }
}

func sameWidth(a, b arrow.Array, width int) sameness {
	switch width {
	case 1:
		return sameFixed[uint8](a, b)
	case 2:
		return sameFixed[uint16](a, b)
	case 4:
		return sameFixed[uint32](a, b)
	case 8:
		return sameFixed[uint64](a, b)
	}
	return sameFixed[[2]uint64](a, b)
}

func sameFixed[T comparable](a, b arrow.Array) sameness {
	x, y := vec.Values[T](a), vec.Values[T](b)
	return func(i, j int) bool { return x[i] == y[j] }
}

func sameTexts(a, b arrow.Array) sameness {
	xo, x := vec.Texts(a)
	yo, y := vec.Texts(b)
	return func(i, j int) bool { return bytes.Equal(x[xo[i]:xo[i+1]], y[yo[j]:yo[j+1]]) }
}

func sameRows(a, b *array.Struct) sameness {
	fields := make([]sameness, a.NumField())
	for k := range fields {
		fields[k] = sameOf(a.Field(k), b.Field(k))
	}
	return func(i, j int) bool {
		for _, same := range fields {
			if !same(i, j) {
				return false
			}
		}
		return true
	}
}

func sameLists(a, b array.ListLike) sameness {
	same := sameOf(a.ListValues(), b.ListValues())
	return func(i, j int) bool {
		x, xEnd := a.ValueOffsets(i)
		y, yEnd := b.ValueOffsets(j)
		if xEnd-x != yEnd-y {
			return false
		}
		for ; x < xEnd; x, y = x+1, y+1 {
			if !same(int(x), int(y)) {
				return false
			}
		}
		return true
	}
}

func sameMaps(a, b *array.Map) sameness {
	same := sameOf(a.ListValues(), b.ListValues())
	return func(i, j int) bool {
		x, xEnd := a.ValueOffsets(i)
		y, yEnd := b.ValueOffsets(j)
		if xEnd-x != yEnd-y {
			return false
		}
		for ; x < xEnd; x++ {
			k := y
			for ; k < yEnd && !same(int(x), int(k)); k++ {
			}
			if k == yEnd {
				return false
			}
		}
		return true
	}
}

// ordering is negative if the value of one array at i comes before that of another at j, 0 if they are the same.
type ordering func(i, j int) int

// orderOf compares values, not NULL, of two arrays of a type that isComparable. NaN comes after all numbers.
func orderOf(a, b arrow.Array) ordering {
	switch a.DataType().ID() {
	case arrow.NULL:
		return func(int, int) int { return 0 }
	case arrow.BOOL:
		x, y := a.(*array.Boolean), b.(*array.Boolean)
		return func(i, j int) int { return cmp.Compare(bitOf(x.Value(i)), bitOf(y.Value(j))) }
	case arrow.INT8:
		return orderFixed[int8](a, b)
	case arrow.INT16:
		return orderFixed[int16](a, b)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return orderFixed[int32](a, b)
	case arrow.INT64, arrow.TIMESTAMP, arrow.DURATION:
		return orderFixed[int64](a, b)
	case arrow.FLOAT32:
		return orderFloats[float32](a, b)
	case arrow.FLOAT64:
		return orderFloats[float64](a, b)
	case arrow.DECIMAL128:
		x, y := vec.Values[decimal128.Num](a), vec.Values[decimal128.Num](b)
		return func(i, j int) int { return x[i].Cmp(y[j]) }
	}
	xo, x := vec.Texts(a)
	yo, y := vec.Texts(b)
	return func(i, j int) int { return bytes.Compare(x[xo[i]:xo[i+1]], y[yo[j]:yo[j+1]]) }
}

func orderFixed[T cmp.Ordered](a, b arrow.Array) ordering {
	x, y := vec.Values[T](a), vec.Values[T](b)
	return func(i, j int) int { return cmp.Compare(x[i], y[j]) }
}

func orderFloats[T float](a, b arrow.Array) ordering {
	x, y := vec.Values[T](a), vec.Values[T](b)
	return func(i, j int) int {
		v, w := float64(x[i]), float64(y[j])
		if math.IsNaN(v) || math.IsNaN(w) {
			return cmp.Compare(bitOf(math.IsNaN(v)), bitOf(math.IsNaN(w)))
		}
		return cmp.Compare(v, w)
	}
}
