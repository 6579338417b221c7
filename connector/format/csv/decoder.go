package csv

import (
	"bytes"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector/format"
	"streamsql/connector/format/json"
	"streamsql/connector/internal/column"
	"streamsql/connector/internal/scan"
)

// decoder implements format.Decoder.
type decoder struct {
	dialect
	mem    memory.Allocator
	cols   []*column.Column
	fields []field // of a record

	// numbers tells that a number cannot be the text for NULL, so that it may be read without looking for the field's end.
	numbers          bool
	delimiters, ends uint64 // the delimiter and the quote in every byte
	buf              []byte // the records, a line break and padding
	size             int    // of the records
	breaks           int    // line breaks within the fields of the record
	scratch          []byte
	fault            fault
}

// field is where a field of a record goes.
type field struct {
	col  *column.Column // nil: nowhere
	cell *json.Cell     // reads a nested value
}

func newDecoder(d dialect, cols []*column.Column, fields []field, mem memory.Allocator) *decoder {
	isNumber := len(d.null) > 0 && (d.null[0] == '-' || d.null[0]-'0' <= 9)
	return &decoder{
		dialect: d, mem: mem, cols: cols, fields: fields, numbers: !isNumber,
		delimiters: uint64(d.delimiter) * scan.Ones, ends: uint64(d.quote) * scan.Ones,
	}
}

// Decode implements format.Decoder. Empty lines are no records, unless records have a single field.
func (d *decoder) Decode(data []byte, rows int) format.Chunk {
	d.begin(data, rows)
	var c format.Chunk
	row, p := 0, 0
	for p < len(data) {
		d.breaks = 0
		end := d.empty(p)
		if end >= 0 {
			c.Gap(row)
		} else if row == rows {
			break
		} else if end = d.record(row, p); end >= 0 {
			c.Row()
			row++
		} else {
			end = d.recordEnd(data, p)
			c.Gap(row)
			c.Bad = append(c.Bad, d.bad(row, p, end, c.Lines))
			d.breaks = bytes.Count(data[p:end], []byte{'\n'})
		}
		if d.breaks > 0 {
			c.Gap(row)
			c.Lines += d.breaks
		}
		if end < len(data) {
			c.Lines++
		}
		p = end + 1
	}
	c.Bytes = min(p, len(data))
	c.Batch = column.Batch(d.mem, d.cols, row)
	return c
}

// begin makes ready for the rows of data.
func (d *decoder) begin(data []byte, rows int) {
	d.size = len(data)
	d.buf = data[:d.size+format.Padding]
	clear(d.buf[d.size:])
	d.buf[d.size] = '\n'
	for _, c := range d.cols {
		c.Reset()
		c.Grow(rows)
	}
}

// empty is the place of the line break of an empty line at p, or -1.
func (d *decoder) empty(p int) int {
	if len(d.fields) == 1 {
		return -1
	}
	if d.buf[p] == '\r' {
		p++
	}
	if d.buf[p] == '\n' {
		return p
	}
	return -1
}

// bad describes the record between p and end, which was to become the row.
func (d *decoder) bad(row, p, end, line int) format.Bad {
	for _, c := range d.cols {
		c.Begin(row)
	}
	return format.Bad{
		Line:   line,
		Field:  d.fault.field,
		Reason: d.fault.reason,
		Raw:    bytes.Clone(bytes.TrimSuffix(d.buf[p:end], []byte{'\r'})),
	}
}
