// Package convert turns columns of the types that files have into columns of the types that tables have.
//
// A conversion keeps what a value means: numbers become other numbers, texts texts, times times. A value that the table's type cannot
// hold is a fault of its row, never another value. As where times are read as text, digits beyond the type's precision are cut off.
package convert

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Column converts one column. It may be used by any number of goroutines.
type Column struct {
	to   arrow.DataType
	step step
}

// Fault is a row whose value the type cannot hold.
type Fault struct {
	Row    int
	Reason string
}

// step converts an array, which stays the caller's, into a new one.
type step func(r *run, in arrow.Array) arrow.Array

// run is one conversion of a column.
type run struct {
	mem    memory.Allocator
	faults []Fault
}

// New returns the conversion from a file's type to a table's, false if there is none. Between TIMESTAMP and TIMESTAMP_LTZ the wall clock
// is that of zone where the file has wall clocks, nil for UTC, and that of UTC where it has instants.
func New(from, to arrow.DataType, zone *time.Location) (*Column, bool) {
	s := find(from, to, zone)
	return &Column{to, s}, s != nil
}

// Convert returns the column in the table's type, and the faults in the order of rows. The array stays the caller's. What a row with a
// fault holds is undefined.
func (c *Column) Convert(mem memory.Allocator, in arrow.Array) (arrow.Array, []Fault) {
	r := &run{mem: mem}
	return c.step(r, in), r.faults
}

// find returns the conversion between two types, nil if there is none.
func find(from, to arrow.DataType, zone *time.Location) step {
	switch t := from.(type) {
	case arrow.ExtensionType:
		return storage(find(t.StorageType(), to, zone))
	case *arrow.DictionaryType:
		return dictionary(t, find(t.ValueType, to, zone))
	case *arrow.NullType:
		return nothing(to)
	}
	switch to := to.(type) {
	case *arrow.BooleanType:
		if from.ID() == arrow.BOOL {
			return as(to)
		}
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type:
		return integer(from, to)
	case *arrow.Float32Type, *arrow.Float64Type:
		return floating(from, to)
	case *arrow.Decimal128Type:
		return decimal(from, to)
	case *arrow.StringType, *arrow.BinaryType:
		return bytesOf(from, to)
	case *arrow.Date32Type:
		return date(from, to)
	case *arrow.Time32Type:
		return clock(from, to)
	case *arrow.TimestampType:
		return timestamp(from, to, zone)
	case *arrow.ListType:
		return list(from, to, zone)
	case *arrow.MapType:
		return entries(from, to, zone)
	case *arrow.StructType:
		return row(from, to, zone)
	}
	return nil
}

// as gives an array that is laid out as the type demands that type.
func as(to arrow.DataType) step {
	return func(_ *run, in arrow.Array) arrow.Array { return retyped(in, to, in.Data().Children()) }
}

// retyped is an array of another type over the same buffers.
func retyped(in arrow.Array, to arrow.DataType, children []arrow.ArrayData) arrow.Array {
	d := in.Data()
	data := array.NewData(to, d.Len(), d.Buffers(), children, in.NullN(), d.Offset())
	defer data.Release()
	return array.MakeFromData(data)
}

// storage converts what an extension type is kept as.
func storage(s step) step {
	if s == nil {
		return nil
	}
	return func(r *run, in arrow.Array) arrow.Array { return s(r, in.(array.ExtensionArray).Storage()) }
}

// nothing makes NULLs of a column of no type.
func nothing(to arrow.DataType) step {
	return func(r *run, in arrow.Array) arrow.Array { return Nulls(r.mem, to, in.Len()) }
}

// Nulls returns n NULLs of a table's type.
func Nulls(mem memory.Allocator, to arrow.DataType, n int) arrow.Array {
	b := array.NewBuilder(mem, to)
	defer b.Release()
	b.AppendNulls(n)
	a := b.NewArray()
	a.NullN()
	return a
}

// fixed makes an array of the type with the values and the NULLs of in.
func fixed(r *run, in arrow.Array, to arrow.DataType, values *memory.Buffer) arrow.Array {
	return vec.MakeArray(to, in.Len(), in.NullN(), validity(r.mem, in), values)
}

// validity copies which values of an array are not NULL, nil if all are.
func validity(mem memory.Allocator, in arrow.Array) *memory.Buffer {
	bits, offset := vec.Validity(in)
	if bits == nil {
		return nil
	}
	buf, out := vec.NewBitmap(mem, in.Len())
	bitutil.CopyBitmap(bits, offset, in.Len(), out, 0)
	return buf
}

// check notes a fault for each value of in that is wrong and not NULL. It is called once some are wrong.
func (r *run) check(in arrow.Array, wrong func(row int) string) {
	for i := range in.Len() {
		if in.IsNull(i) {
			continue
		}
		if reason := wrong(i); reason != "" {
			r.faults = append(r.faults, Fault{i, reason})
		}
	}
}
