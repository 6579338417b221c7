package format

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/vec"
)

// RowWriter writes the rows of a query as text.
type RowWriter struct {
	w      io.Writer
	output Output
	buf    []byte
}

// NewRowWriter returns a writer of the named format; changelog stands for changelog-json. TIMESTAMP_LTZ is written as the wall
// clock of zone, or in UTC with a Z if it is nil. options are those of the format, such as csv.header.
func NewRowWriter(w io.Writer, name string, schema *arrow.Schema, zone *time.Location, options map[string]string) (*RowWriter, error) {
	if name == "changelog" {
		name = "changelog-json"
	}
	f, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if f.NewOutput == nil {
		return nil, fmt.Errorf("rows cannot be written in format '%s'; those that can be written are %s", f.Name, strings.Join(Writable(), ", "))
	}
	o, err := connector.NewOptions("format '"+f.Name+"'", f.Options, connector.Table{Options: options})
	if err != nil {
		return nil, err
	}
	output, err := f.NewOutput(OutputSpec{Schema: schema, Zone: zone, Options: o})
	if err != nil {
		return nil, err
	}
	return &RowWriter{w: w, output: output, buf: output.Header(nil)}, nil
}

// Write writes the selected rows of the batch, which it consumes.
func (w *RowWriter) Write(b vec.Batch) error {
	w.buf = w.output.Append(w.buf, b)
	b.Release()
	return w.flush()
}

// Close writes the header if there were no rows. It does not close the underlying writer.
func (w *RowWriter) Close() error { return w.flush() }

func (w *RowWriter) flush() error {
	if len(w.buf) == 0 {
		return nil
	}
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	if err != nil {
		return fmt.Errorf("write rows: %w", err)
	}
	return nil
}
