package ipc

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector/format"
	"streamsql/exec/vec"
)

// output implements format.Output: a stream without the mark of its end, which readers do without.
type output struct {
	schema *arrow.Schema
	header []byte
	buf    bytes.Buffer
	writer *ipc.Writer // writes to buf, and has written the header
}

func newOutput(spec format.OutputSpec) (format.Output, error) {
	o := &output{schema: spec.Schema}
	end := len(endMark)
	whole := ipc.NewWriter(&o.buf, ipc.WithSchema(spec.Schema))
	if err := whole.Close(); err != nil {
		return nil, fmt.Errorf("the columns cannot be written in format 'arrow': %w", err)
	}
	if !bytes.HasSuffix(o.buf.Bytes(), endMark) {
		return nil, fmt.Errorf("bug: an Arrow stream ends with %x", o.buf.Bytes()[o.buf.Len()-end:])
	}
	o.header = bytes.Clone(o.buf.Bytes()[:o.buf.Len()-end])
	o.writer = ipc.NewWriter(&o.buf, ipc.WithSchema(spec.Schema))
	return o, nil
}

// endMark ends a stream: a message of no length.
var endMark = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// Header implements format.Output.
func (o *output) Header(dst []byte) []byte { return append(dst, o.header...) }

// Append implements format.Output.
func (o *output) Append(dst []byte, b vec.Batch) []byte {
	b = vec.Compact(memory.DefaultAllocator, b.Retain())
	defer b.Release()
	cols := make([]arrow.Array, len(b.Cols))
	for i, c := range b.Cols {
		cols[i] = typed(c, o.schema.Field(i).Type)
		defer cols[i].Release()
	}
	rec := array.NewRecord(o.schema, cols, int64(b.Rows))
	defer rec.Release()
	o.buf.Reset()
	if err := o.writer.Write(rec); err != nil {
		panic(fmt.Errorf("write a record batch into memory: %w", err))
	}
	return append(dst, bytes.TrimPrefix(o.buf.Bytes(), o.header)...)
}

// typed is a column with exactly the type of the schema, which may name the fields of nested types otherwise.
func typed(a arrow.Array, t arrow.DataType) arrow.Array {
	if arrow.TypeEqual(a.DataType(), t) {
		a.Retain()
		return a
	}
	d := a.Data()
	data := array.NewData(t, d.Len(), d.Buffers(), d.Children(), a.NullN(), d.Offset())
	defer data.Release()
	return array.MakeFromData(data)
}
