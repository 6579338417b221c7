// Package ipc implements the format arrow: files of Arrow's IPC format and streams of it that have been written to a file. A file is
// the same messages as a stream, with a mark before and an index behind them; the index is not needed.
package ipc

import (
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector/format"
	"streamsql/exec/vec"
)

func init() {
	format.Register(&format.Format{
		Name:      "arrow",
		Doc:       "files and streams of Arrow's IPC format, which know their columns; streams are written, into directories",
		Extension: ".arrows", Closed: true,
		Open:      open,
		NewOutput: newOutput,
	})
}

// columnar implements format.Columnar: a group is a record batch.
type columnar struct {
	index
	mem    memory.Allocator
	schema *arrow.Schema
	groups []format.Group

	stream *ipc.Reader // nil: none is open
	next   int         // the group that stream reads next
}

func open(f format.File, mem memory.Allocator) (_ format.Columnar, err error) {
	defer format.Damaged(&err)
	c := &columnar{mem: mem, index: index{file: f}}
	if err := c.scan(); err != nil {
		return nil, err
	}
	for _, b := range c.batches {
		c.groups = append(c.groups, format.Group{Rows: b.rows, Bytes: b.end - b.start})
	}
	r, err := ipc.NewReader(c.section(c.head), ipc.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	defer r.Release()
	c.schema = r.Schema()
	return c, nil
}

// Schema implements format.Columnar.
func (c *columnar) Schema() *arrow.Schema { return c.schema }

// Groups implements format.Columnar.
func (c *columnar) Groups() []format.Group { return c.groups }

// Read implements format.Columnar.
func (c *columnar) Read(group int, columns []int, rows int) (_ format.ColumnReader, err error) {
	defer format.Damaged(&err)
	if c.stream == nil || c.next != group {
		c.closeStream()
		if c.stream, err = ipc.NewReader(c.from(group), ipc.WithAllocator(c.mem)); err != nil {
			return nil, err
		}
	}
	c.next = group + 1
	if !c.stream.Next() {
		err := c.stream.Err()
		c.closeStream()
		return nil, errors.Join(errors.New("the file is damaged: a record batch is missing"), err)
	}
	rec := c.stream.Record()
	rec.Retain()
	return &reader{record: rec, columns: columns, rows: int64(rows)}, nil
}

func (c *columnar) closeStream() {
	if c.stream != nil {
		c.stream.Release()
		c.stream = nil
	}
}

// Close implements format.Columnar.
func (c *columnar) Close() error {
	c.closeStream()
	return nil
}

// reader implements format.ColumnReader.
type reader struct {
	record   arrow.Record
	columns  []int
	at, rows int64
}

// Next implements format.ColumnReader.
func (r *reader) Next() ([]arrow.Array, error) {
	n := min(r.rows, r.record.NumRows()-r.at)
	if n == 0 {
		return nil, io.EOF
	}
	arrays := make([]arrow.Array, len(r.columns))
	for i, c := range r.columns {
		arrays[i] = vec.Slice(r.record.Column(c), int(r.at), int(r.at+n))
	}
	r.at += n
	return arrays, nil
}

// Close implements format.ColumnReader.
func (r *reader) Close() { r.record.Release() }
