// Package vectest draws random Arrow columns for property tests.
package vectest

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"
)

// Scalars is the scalar types of the dialect.
var Scalars = []arrow.DataType{
	arrow.FixedWidthTypes.Boolean,
	arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
	arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
	arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	arrow.BinaryTypes.String, arrow.BinaryTypes.Binary,
	arrow.FixedWidthTypes.Timestamp_ms, arrow.FixedWidthTypes.Timestamp_us,
	arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Time32ms, arrow.FixedWidthTypes.Duration_ms,
	arrow.FixedWidthTypes.MonthInterval,
	&arrow.Decimal128Type{Precision: 20, Scale: 4},
}

// Nested is some nested types of the dialect.
var Nested = []arrow.DataType{
	arrow.ListOf(arrow.PrimitiveTypes.Int64),
	arrow.ListOf(arrow.BinaryTypes.String),
	arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true}),
	arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64),
	arrow.ListOf(arrow.StructOf(arrow.Field{Name: "x", Type: arrow.ListOf(arrow.FixedWidthTypes.Boolean), Nullable: true})),
	arrow.Null,
}

// All is Scalars and Nested.
var All = append(append([]arrow.DataType{}, Scalars...), Nested...)

// Array draws an array of n rows from few distinct values, with NULLs or without, sliced out of a larger one or not.
func Array(t *rapid.T, mem memory.Allocator, dt arrow.DataType, n int) arrow.Array {
	before, after := 0, 0
	if rapid.Bool().Draw(t, "sliced") {
		before, after = rapid.IntRange(0, 11).Draw(t, "before"), rapid.IntRange(0, 11).Draw(t, "after")
	}
	nulls := rapid.Bool().Draw(t, "nulls")
	b := array.NewBuilder(mem, dt)
	defer b.Release()
	for range before + n + after {
		appendValue(t, b, nulls, 0)
	}
	whole := b.NewArray()
	defer whole.Release()
	return array.NewSlice(whole, int64(before), int64(before+n))
}

// Columns draws one array of n rows for each type.
func Columns(t *rapid.T, mem memory.Allocator, types []arrow.DataType, n int) []arrow.Array {
	cols := make([]arrow.Array, len(types))
	for i, dt := range types {
		cols[i] = Array(t, mem, dt, n)
	}
	return cols
}

// Selection draws nil or ascending rows below n.
func Selection(t *rapid.T, n int) []uint32 {
	if rapid.Bool().Draw(t, "all") {
		return nil
	}
	sel := []uint32{}
	for i := range n {
		if rapid.Bool().Draw(t, "selected") {
			sel = append(sel, uint32(i))
		}
	}
	return sel
}

func appendValue(t *rapid.T, b array.Builder, nulls bool, depth int) {
	v := rapid.IntRange(-3, 12).Draw(t, "value")
	if nulls && v == 12 {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.NullBuilder:
		b.AppendNull()
	case *array.BooleanBuilder:
		b.Append(v&1 == 0)
	case *array.Float32Builder:
		b.Append(float32(float(v)))
	case *array.Float64Builder:
		b.Append(float(v))
	case *array.StringBuilder:
		b.Append(text(v))
	case *array.BinaryBuilder:
		b.Append([]byte(text(v)))
	case *array.Decimal128Builder:
		b.Append(decimal128.FromI64(int64(v) * 100))
	case *array.MapBuilder:
		b.Append(true)
		for i := range v & 3 {
			b.KeyBuilder().(*array.StringBuilder).Append(fmt.Sprint(i))
			appendValue(t, b.ItemBuilder(), nulls, depth+1)
		}
	case *array.ListBuilder:
		b.Append(true)
		for range v & 3 >> depth {
			appendValue(t, b.ValueBuilder(), nulls, depth+1)
		}
	case *array.StructBuilder:
		b.Append(true)
		for i := range b.NumField() {
			appendValue(t, b.FieldBuilder(i), nulls, depth+1)
		}
	default:
		appendInteger(b, v)
	}
}

func appendInteger(b array.Builder, v int) {
	switch b := b.(type) {
	case *array.Int8Builder:
		b.Append(int8(v))
	case *array.Int16Builder:
		b.Append(int16(v))
	case *array.Int32Builder:
		b.Append(int32(v))
	case *array.Int64Builder:
		b.Append(int64(v))
	case *array.Uint8Builder:
		b.Append(uint8(v & 15))
	case *array.Uint16Builder:
		b.Append(uint16(v & 15))
	case *array.Uint32Builder:
		b.Append(uint32(v & 15))
	case *array.Uint64Builder:
		b.Append(uint64(v & 15))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v))
	case *array.Date32Builder:
		b.Append(arrow.Date32(v))
	case *array.Time32Builder:
		b.Append(arrow.Time32(v & 15))
	case *array.DurationBuilder:
		b.Append(arrow.Duration(v))
	case *array.MonthIntervalBuilder:
		b.Append(arrow.MonthInterval(v))
	default:
		panic(fmt.Sprintf("vectest: no values for %T", b))
	}
}

func float(v int) float64 {
	switch v {
	case 9:
		return math.NaN()
	case 10:
		return math.Copysign(0, -1)
	case 11:
		return math.Inf(1)
	}
	return float64(v) / 2
}

// text has strings around the lengths at which layouts change.
func text(v int) string {
	const long = "the quick brown fox jumps over the lazy dog"
	return long[:[]int{0, 1, 2, 3, 4, 7, 8, 9, 11, 12, 13, 16, 17, 30, 43, 5}[(v+16)&15]]
}
