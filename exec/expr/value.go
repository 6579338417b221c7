package expr

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// setLiteral makes v the constant l.
func (v *Vector) setLiteral(p *pool, l *Literal) {
	*v = Vector{t: l.T}
	if l.V == nil {
		v.setNull()
		return
	}
	if arr, ok := l.V.(arrow.Array); ok {
		v.nested = arr
		return
	}
	v.alloc(p, 1)
	switch value := l.V.(type) {
	case bool:
		v.bits[0] = bitOf(value)
	case string:
		v.data = append(v.data, value...)
		v.end(0)
	case int8:
		values[int8](v)[0] = value
	case int16:
		values[int16](v)[0] = value
	case int32:
		values[int32](v)[0] = value
	case int64:
		values[int64](v)[0] = value
	case float32:
		values[float32](v)[0] = value
	case float64:
		values[float64](v)[0] = value
	case decimal128.Num:
		values[decimal128.Num](v)[0] = value
	case arrow.Date32:
		values[arrow.Date32](v)[0] = value
	case arrow.Time32:
		values[arrow.Time32](v)[0] = value
	case arrow.Timestamp:
		values[arrow.Timestamp](v)[0] = value
	case arrow.Duration:
		values[arrow.Duration](v)[0] = value
	case arrow.MonthInterval:
		values[arrow.MonthInterval](v)[0] = value
	}
	v.spreadOut(p)
}

// literalAt is row i of an array as a literal that outlives it; ok is false for types literals do not have.
func literalAt(arr arrow.Array, i int) (l *Literal, ok bool) {
	l = &Literal{T: arr.DataType()}
	if arr.IsNull(i) || l.T.ID() == arrow.NULL {
		return l, true
	}
	switch a := arr.(type) {
	case *array.Boolean:
		l.V = a.Value(i)
	case *array.String:
		l.V = string([]byte(a.Value(i)))
	case *array.Binary:
		l.V = string(a.Value(i))
	case *array.Int8:
		l.V = a.Value(i)
	case *array.Int16:
		l.V = a.Value(i)
	case *array.Int32:
		l.V = a.Value(i)
	case *array.Int64:
		l.V = a.Value(i)
	case *array.Float32:
		l.V = a.Value(i)
	case *array.Float64:
		l.V = a.Value(i)
	case *array.Decimal128:
		l.V = a.Value(i)
	case array.ListLike, *array.Struct:
		l.V = vec.Take(memory.DefaultAllocator, arr, []uint32{uint32(i)})
	default:
		l.V = temporalAt(arr, i)
	}
	return l, l.V != nil
}

func temporalAt(arr arrow.Array, i int) any {
	switch a := arr.(type) {
	case *array.Date32:
		return a.Value(i)
	case *array.Time32:
		return a.Value(i)
	case *array.Timestamp:
		return a.Value(i)
	case *array.Duration:
		return a.Value(i)
	case *array.MonthInterval:
		return a.Value(i)
	}
	return nil
}

// array is the literal as an array of one row.
func (e *Literal) array() arrow.Array {
	var p pool
	var v Vector
	v.setLiteral(&p, e)
	return v.store(memory.DefaultAllocator, e.T, 1)
}

// text is the value as CAST AS STRING writes it.
func (e *Literal) text(zone *time.Location) string {
	return string(text.SQL(zone).Append(nil, e.array(), 0))
}

// integerAt is a value of an integer type, and how many bits it has.
func integerAt(arr arrow.Array, i int) (v int64, bits int) {
	switch a := arr.(type) {
	case *array.Int8:
		return int64(a.Value(i)), 8
	case *array.Int16:
		return int64(a.Value(i)), 16
	case *array.Int32:
		return int64(a.Value(i)), 32
	}
	return arr.(*array.Int64).Value(i), 64
}

// floatAt is a value of a floating-point type.
func floatAt(arr arrow.Array, i int) float64 {
	if a, ok := arr.(*array.Float32); ok {
		return float64(a.Value(i))
	}
	return arr.(*array.Float64).Value(i)
}
