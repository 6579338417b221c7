// Package column collects the values that a format decodes or a generator makes, row by row, and turns them into Arrow arrays.
//
// A column keeps its values in plain slices that are used again for the next batch; the array is copied out of them at its exact
// size. Values are written by row number, and writing a row again replaces what was there. So a record that turns out to be bad
// half-way needs no undoing: its row number is given to the next one.
package column

import (
	"math"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Shape says where the values of a column are kept.
type Shape uint8

// The shapes of columns.
const (
	Bool      Shape = iota // Words, 0 or 1
	Int                    // Words, between Min and Max
	Float                  // Words, the bits of a float64; a FLOAT's value is a float32's
	Date                   // Words, days
	Time                   // Words, units of the day
	Timestamp              // Words, units
	Decimal                // Wide
	String                 // Data, Ends
	Bytes                  // Data, Ends
	List                   // Ends, Fields: element
	Map                    // Ends, Fields: key, value
	Struct                 // Fields
)

// Column is the values of one column.
type Column struct {
	Name  string
	Type  arrow.DataType
	Shape Shape
	Zone  *time.Location // of a Timestamp that is an instant, for text without an offset; nil: the type has no zone

	Words    []int64
	Wide     []decimal128.Num
	Data     []byte
	Ends     []int32 // Ends[i+1] is where row i ends in Data or among the rows of Fields; Ends[0] is 0
	Fields   []*Column
	Min, Max int64 // of an Int
	Unit     arrow.TimeUnit

	nulls []int32 // rows that are NULL, ascending
}

// New returns an empty column. zone is that of TIMESTAMP_LTZ text without an offset, nil for UTC. It reports false for a type
// that no format can hold.
func New(f arrow.Field, zone *time.Location) (*Column, bool) {
	c := &Column{Name: f.Name, Type: f.Type}
	switch t := f.Type.(type) {
	case *arrow.BooleanType:
		c.Shape = Bool
	case *arrow.Int8Type:
		c.Shape, c.Min, c.Max = Int, math.MinInt8, math.MaxInt8
	case *arrow.Int16Type:
		c.Shape, c.Min, c.Max = Int, math.MinInt16, math.MaxInt16
	case *arrow.Int32Type:
		c.Shape, c.Min, c.Max = Int, math.MinInt32, math.MaxInt32
	case *arrow.Int64Type:
		c.Shape, c.Min, c.Max = Int, math.MinInt64, math.MaxInt64
	case *arrow.Float32Type, *arrow.Float64Type:
		c.Shape = Float
	case *arrow.Date32Type:
		c.Shape = Date
	case *arrow.Time32Type:
		c.Shape, c.Unit = Time, t.Unit
	case *arrow.Time64Type:
		c.Shape, c.Unit = Time, t.Unit
	case *arrow.TimestampType:
		c.Shape, c.Unit = Timestamp, t.Unit
		if t.TimeZone != "" {
			c.Zone = time.UTC
			if zone != nil {
				c.Zone = zone
			}
		}
	case *arrow.Decimal128Type:
		c.Shape = Decimal
	case *arrow.StringType:
		c.Shape = String
	case *arrow.BinaryType:
		c.Shape = Bytes
	default:
		if !c.addFields(zone) {
			return nil, false
		}
	}
	c.Grow(0)
	return c, true
}

// addFields makes the columns inside a nested one.
func (c *Column) addFields(zone *time.Location) bool {
	var fields []arrow.Field
	switch t := c.Type.(type) {
	case *arrow.ListType:
		c.Shape, fields = List, []arrow.Field{t.ElemField()}
	case *arrow.MapType:
		c.Shape, fields = Map, []arrow.Field{t.KeyField(), t.ItemField()}
	case *arrow.StructType:
		c.Shape, fields = Struct, t.Fields()
	default:
		return false
	}
	for _, f := range fields {
		field, ok := New(f, zone)
		if !ok {
			return false
		}
		c.Fields = append(c.Fields, field)
	}
	return true
}

// Grow makes room for at least n rows.
func (c *Column) Grow(n int) {
	switch c.Shape {
	case Decimal:
		c.Wide = grown(c.Wide, n)
	case String, Bytes, List, Map:
		c.Ends = grown(c.Ends, n+1)
	case Struct:
		for _, f := range c.Fields {
			f.Grow(n)
		}
	default:
		c.Words = grown(c.Words, n)
	}
}

// grown returns s with at least n elements.
func grown[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	return append(s, make([]T, max(n, 2*len(s))-len(s))...)
}

// Reset forgets all rows.
func (c *Column) Reset() {
	c.nulls = c.nulls[:0]
	c.Data = c.Data[:0]
	for _, f := range c.Fields {
		f.Reset()
	}
}

// Begin forgets that the row or later ones were made NULL, perhaps by a record that turned out to be bad. It must come before the
// values of a nested column's row, and before those of the rows inside it.
func (c *Column) Begin(row int) {
	for n := len(c.nulls); n > 0 && int(c.nulls[n-1]) >= row; n-- {
		c.nulls = c.nulls[:n-1]
	}
	if c.Shape == Struct {
		for _, f := range c.Fields {
			f.Begin(row)
		}
	}
}

// Hide makes a row NULL that has been written. Rows must be made NULL in ascending order, each once.
func (c *Column) Hide(row int) { c.nulls = append(c.nulls, int32(row)) }

// SetNull writes a row as NULL. As Hide, it must be called in the order of rows, and for a row that is not written otherwise.
func (c *Column) SetNull(row int) {
	c.Hide(row)
	switch c.Shape {
	case Decimal:
		c.Wide[row] = decimal128.Num{}
	case String, Bytes, List, Map:
		c.Ends[row+1] = c.Ends[row]
	case Struct:
		for _, f := range c.Fields {
			f.Begin(row)
			f.SetNull(row)
		}
	default:
		c.Words[row] = 0
	}
}

// SetInt writes a row of a column of Shape Int and reports whether the value fits.
func (c *Column) SetInt(row int, v int64) bool {
	c.Words[row] = v
	return c.Min <= v && v <= c.Max
}

// SetFloat writes a row of a column of Shape Float; v is rounded if the column is a FLOAT, and must be in its range.
func (c *Column) SetFloat(row int, v float64) bool {
	if c.narrow() {
		f := float32(v)
		if math.IsInf(float64(f), 0) && !math.IsInf(v, 0) {
			return false
		}
		v = float64(f)
	}
	c.Words[row] = int64(math.Float64bits(v))
	return true
}

// SetString writes a row of a column of Shape String or Bytes.
func (c *Column) SetString(row int, v []byte) {
	c.Data = append(c.Data[:c.Ends[row]], v...)
	c.Ends[row+1] = int32(len(c.Data))
}
