package column

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Batch makes a batch of the first rows of the columns, all inserts.
func Batch(mem memory.Allocator, cols []*Column, rows int) vec.Batch {
	arrays := make([]arrow.Array, len(cols))
	for i, c := range cols {
		arrays[i] = c.Array(mem, rows)
	}
	return vec.NewBatch(rows, arrays)
}

// Array returns the first n rows as an array that shares nothing with the column.
func (c *Column) Array(mem memory.Allocator, n int) arrow.Array {
	data := c.data(mem, n)
	defer data.Release()
	return array.MakeFromData(data)
}

// data copies the first n rows into buffers.
func (c *Column) data(mem memory.Allocator, n int) *array.Data {
	c.Begin(n)
	buffers := []*memory.Buffer{c.validity(mem, n)}
	var children []arrow.ArrayData
	switch c.Shape {
	case String, Bytes:
		buffers = append(buffers, copied(mem, c.Ends[:n+1]), copied(mem, c.Data[:c.Ends[n]]))
	case List:
		buffers = append(buffers, copied(mem, c.Ends[:n+1]))
		children = append(children, c.Fields[0].data(mem, int(c.Ends[n])))
	case Map:
		buffers = append(buffers, copied(mem, c.Ends[:n+1]))
		children = append(children, c.entries(mem, int(c.Ends[n])))
	case Struct:
		for _, f := range c.Fields {
			children = append(children, f.data(mem, n))
		}
	case Decimal:
		buffers = append(buffers, copied(mem, c.Wide[:n]))
	case Bool:
		buffers = append(buffers, packed(mem, c.Words[:n]))
	default:
		buffers = append(buffers, c.words(mem, n))
	}
	data := array.NewData(c.Type, n, buffers, children, len(c.nulls), 0)
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	for _, child := range children {
		child.Release()
	}
	return data
}

// entries is the struct of keys and values inside a map.
func (c *Column) entries(mem memory.Allocator, n int) *array.Data {
	children := []arrow.ArrayData{c.Fields[0].data(mem, n), c.Fields[1].data(mem, n)}
	defer children[0].Release()
	defer children[1].Release()
	return array.NewData(c.Type.(*arrow.MapType).Elem(), n, []*memory.Buffer{nil}, children, 0, 0)
}

// validity is the bitmap of rows that are not NULL, or nil if none is.
func (c *Column) validity(mem memory.Allocator, n int) *memory.Buffer {
	if len(c.nulls) == 0 {
		return nil
	}
	buf, bits := vec.NewBitmap(mem, n)
	for i := range bits {
		bits[i] = 0xff
	}
	if n%8 != 0 {
		bits[len(bits)-1] = 1<<(n%8) - 1
	}
	for _, row := range c.nulls {
		bits[row/8] &^= 1 << (row % 8)
	}
	return buf
}

// words copies the first n values at the width of the type.
func (c *Column) words(mem memory.Allocator, n int) *memory.Buffer {
	w := c.Words[:n]
	switch c.Type.ID() {
	case arrow.INT8:
		return narrowed[int8](mem, w)
	case arrow.INT16:
		return narrowed[int16](mem, w)
	case arrow.INT32, arrow.DATE32, arrow.TIME32:
		return narrowed[int32](mem, w)
	case arrow.FLOAT32:
		buf, out := vec.NewFixed[float32](mem, n)
		for i, v := range w {
			out[i] = float32(math.Float64frombits(uint64(v)))
		}
		return buf
	}
	return copied(mem, w)
}

func copied[T any](mem memory.Allocator, vals []T) *memory.Buffer {
	buf, out := vec.NewFixed[T](mem, len(vals))
	copy(out, vals)
	return buf
}

func narrowed[T int8 | int16 | int32](mem memory.Allocator, vals []int64) *memory.Buffer {
	buf, out := vec.NewFixed[T](mem, len(vals))
	for i, v := range vals {
		out[i] = T(v)
	}
	return buf
}

// packed makes a bitmap of words that are 0 or 1.
func packed(mem memory.Allocator, vals []int64) *memory.Buffer {
	buf, bits := vec.NewBitmap(mem, len(vals))
	for i, v := range vals {
		bits[i/8] |= byte(v) << (i % 8)
	}
	return buf
}

// narrow reports whether the column is a FLOAT.
func (c *Column) narrow() bool { return c.Type.ID() == arrow.FLOAT32 }

func (c *Column) decimal() (precision, scale int32) {
	t := c.Type.(*arrow.Decimal128Type)
	return t.Precision, t.Scale
}
