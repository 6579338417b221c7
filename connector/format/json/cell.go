package json

import (
	"streamsql/connector/format"
	"streamsql/connector/internal/column"
)

// Cell reads single values of a column from JSON text that stands in a field of another format.
type Cell struct {
	s scanner
	f *field
}

// NewCell returns a reader into the column.
func NewCell(c *column.Column) *Cell { return &Cell{f: newField(c)} }

// Set writes a row from a JSON value other than null. It returns why that cannot be, or "".
func (c *Cell) Set(row int, v []byte) (reason string) {
	c.s.buf = append(append(c.s.buf[:0], v...), '\n')
	c.s.buf = append(c.s.buf, make([]byte, format.Padding)...)
	c.s.depth, c.s.fault = 0, fault{}
	p := c.s.value(c.f, row, skip(c.s.buf, 0))
	if p >= 0 && skip(c.s.buf, p) != len(v) {
		p = c.s.unexpected(p, "the end of the value")
	}
	if p < 0 {
		return c.s.fault.reason
	}
	return ""
}
