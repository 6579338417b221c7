package session

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/expr"
	"streamsql/exec/vec"
)

// grid builds the table a command answers with, row by row.
type grid struct {
	fields   []arrow.Field
	builders []array.Builder
	rows     int
	zone     *time.Location
}

// newGrid returns an empty grid. Times are shown in the zone.
func newGrid(zone *time.Location, fields ...arrow.Field) *grid {
	g := &grid{fields: fields, zone: zone}
	for _, f := range fields {
		g.builders = append(g.builders, array.NewBuilder(memory.DefaultAllocator, f.Type))
	}
	return g
}

func textField(name string) arrow.Field {
	return arrow.Field{Name: name, Type: expr.String, Nullable: true}
}

func numberField(name string) arrow.Field {
	return arrow.Field{Name: name, Type: expr.BigInt, Nullable: true}
}

func timeField(name string) arrow.Field {
	return arrow.Field{Name: name, Type: expr.Timestamp(3), Nullable: true}
}

func boolField(name string) arrow.Field {
	return arrow.Field{Name: name, Type: expr.Boolean, Nullable: true}
}

// add appends a row. A nil, an empty string and a zero time are NULL.
func (g *grid) add(values ...any) {
	for i, v := range values {
		g.append(g.builders[i], v)
	}
	g.rows++
}

func (g *grid) append(b array.Builder, value any) {
	switch v := value.(type) {
	case string:
		if v != "" {
			b.(*array.StringBuilder).Append(v)
			return
		}
	case int64:
		b.(*array.Int64Builder).Append(v)
		return
	case int:
		b.(*array.Int64Builder).Append(int64(v))
		return
	case bool:
		b.(*array.BooleanBuilder).Append(v)
		return
	case clock:
		b.(*array.TimestampBuilder).Append(arrow.Timestamp(v))
		return
	case time.Time:
		if !v.IsZero() {
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(wallClock(v.In(g.zone))))
			return
		}
	}
	b.AppendNull()
}

// clock is a TIMESTAMP(3), in milliseconds.
type clock int64

// wallClock is the reading of t's clock in its zone.
func wallClock(t time.Time) clock {
	_, offset := t.Zone()
	return clock(t.UnixMilli() + int64(offset)*1000)
}

// result returns the grid as an answer and frees it.
func (g *grid) result() *Result {
	cols := make([]arrow.Array, len(g.builders))
	for i, b := range g.builders {
		cols[i] = b.NewArray()
		b.Release()
	}
	return &Result{Rows: batchesOf(arrow.NewSchema(g.fields, nil), vec.NewBatch(g.rows, cols))}
}
