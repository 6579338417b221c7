package json

import (
	"bytes"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector/format"
	"streamsql/connector/internal/column"
	"streamsql/exec/vec"
)

// decoder implements format.Decoder for JSON lines.
type decoder struct {
	scanner
	mem       memory.Allocator
	cols      []*column.Column
	changelog bool
}

func newDecoder(cols []*column.Column, changelog bool, mem memory.Allocator) *decoder {
	return &decoder{scanner: scanner{root: newRecord(cols, changelog)}, mem: mem, cols: cols, changelog: changelog}
}

// Decode implements format.Decoder. Empty lines are no records.
func (d *decoder) Decode(data []byte, rows int) format.Chunk {
	d.begin(data, rows)
	var c format.Chunk
	row, p := 0, 0
	for {
		p = skip(d.buf, p)
		if p >= len(data) {
			break
		}
		if d.buf[p] == '\n' {
			c.Gap(row)
		} else if row == rows {
			break
		} else if end := d.record(row, p); end >= 0 {
			c.Row()
			row++
			p = end
		} else {
			end = p + bytes.IndexByte(d.buf[p:], '\n')
			c.Gap(row)
			c.Bad = append(c.Bad, d.bad(row, p, end, c.Lines))
			p = end
		}
		if p < len(data) {
			c.Lines++
		}
		p++
	}
	c.Bytes = min(p, len(data))
	c.Batch = column.Batch(d.mem, d.cols, row)
	if d.changelog {
		c.Batch.Kinds = d.kinds[:row]
	}
	return c
}

// begin makes ready for the rows of data.
func (d *decoder) begin(data []byte, rows int) {
	n := len(data)
	d.buf = data[:n+format.Padding]
	clear(d.buf[n:])
	d.buf[n] = '\n'
	for _, c := range d.cols {
		c.Reset()
		c.Grow(rows)
	}
	if d.changelog {
		d.kinds = make([]vec.Kind, rows) // the batch keeps it
	}
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
