package text

import (
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Column holds the texts of a column's rows, one after the other. It is meant to be reused.
type Column struct {
	Data []byte
	Ends []int32 // Ends[i] is where the text of the i-th row ends; it begins where the one before ends
}

// Row is the text of the i-th row.
func (c *Column) Row(i int) []byte {
	start := int32(0)
	if i > 0 {
		start = c.Ends[i-1]
	}
	return c.Data[start:c.Ends[i]]
}

// Render replaces the column's texts by those of arr's rows sel, or of all its rows if sel is nil.
func (c *Column) Render(arr arrow.Array, sel []uint32, s *Style) {
	c.Data, c.Ends = c.Data[:0], c.Ends[:0]
	switch a := arr.(type) {
	case *array.Int32:
		render(c, a, a.Int32Values(), sel, s, func(dst []byte, v int32) []byte { return strconv.AppendInt(dst, int64(v), 10) })
	case *array.Int64:
		render(c, a, a.Int64Values(), sel, s, func(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) })
	case *array.Float64:
		render(c, a, a.Float64Values(), sel, s, func(dst []byte, v float64) []byte { return s.appendFloat(dst, v, 64) })
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		render(c, a, a.TimestampValues(), sel, s, func(dst []byte, v arrow.Timestamp) []byte { return s.appendTimestamp(dst, int64(v), t) })
	case *array.Decimal128:
		render(c, a, a.Values(), sel, s, func(dst []byte, v decimal128.Num) []byte {
			return s.appendDecimal(dst, v, a.DataType().(*arrow.Decimal128Type).Scale)
		})
	case *array.String:
		c.renderStrings(a, sel, s)
	default:
		c.renderAny(arr, sel, s)
	}
}

func render[T any](c *Column, arr arrow.Array, vals []T, sel []uint32, s *Style, appendTo func([]byte, T) []byte) {
	if sel == nil && arr.NullN() == 0 {
		for _, v := range vals {
			c.Data = appendTo(c.Data, v)
			c.Ends = append(c.Ends, int32(len(c.Data)))
		}
		return
	}
	for i := range rows(arr, sel) {
		row := physical(sel, i)
		if arr.IsNull(row) {
			c.Data = append(c.Data, s.Null...)
		} else {
			c.Data = appendTo(c.Data, vals[row])
		}
		c.Ends = append(c.Ends, int32(len(c.Data)))
	}
}

func (c *Column) renderStrings(a *array.String, sel []uint32, s *Style) {
	if a.Len() == 0 { // it may have no offsets at all
		return
	}
	offsets, data := a.ValueOffsets(), a.ValueBytes()
	base := offsets[0] // where data begins
	for i := range rows(a, sel) {
		row := physical(sel, i)
		if a.IsNull(row) {
			c.Data = append(c.Data, s.Null...)
		} else {
			c.Data = s.String(c.Data, data[offsets[row]-base:offsets[row+1]-base])
		}
		c.Ends = append(c.Ends, int32(len(c.Data)))
	}
}

func (c *Column) renderAny(arr arrow.Array, sel []uint32, s *Style) {
	for i := range rows(arr, sel) {
		c.Data = s.Append(c.Data, arr, physical(sel, i))
		c.Ends = append(c.Ends, int32(len(c.Data)))
	}
}

func rows(arr arrow.Array, sel []uint32) int {
	if sel != nil {
		return len(sel)
	}
	return arr.Len()
}

func physical(sel []uint32, i int) int {
	if sel != nil {
		return int(sel[i])
	}
	return i
}
