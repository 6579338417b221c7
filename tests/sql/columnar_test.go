package sql

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
)

// columnTypes are the words for types in the first line of a columnar file.
var columnTypes = map[string]arrow.DataType{
	"int8": arrow.PrimitiveTypes.Int8, "int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64,
	"uint64": arrow.PrimitiveTypes.Uint64, "double": arrow.PrimitiveTypes.Float64, "bool": arrow.FixedWidthTypes.Boolean,
	"text": arrow.BinaryTypes.String, "largetext": arrow.BinaryTypes.LargeString, "bytes": arrow.BinaryTypes.Binary,
	"decimal": &arrow.Decimal128Type{Precision: 10, Scale: 2}, "date": arrow.FixedWidthTypes.Date32,
	"us": &arrow.TimestampType{Unit: arrow.Microsecond}, "utc": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
	"dictionary": &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String},
	"list":       arrow.ListOf(arrow.PrimitiveTypes.Int64),
	"row": arrow.StructOf(arrow.Field{Name: "city", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "zip", Type: arrow.PrimitiveTypes.Int32, Nullable: true}),
}

// columnar writes a Parquet or Arrow file. The first line of its text has the columns, as "name type, …", each further one a row
// as JSON; empty lines begin a new group.
func columnar(ending string, text []byte) ([]byte, error) {
	head, rows, _ := strings.Cut(string(text), "\n")
	var fields []arrow.Field
	for _, column := range strings.Split(head, ",") {
		name, word, _ := strings.Cut(strings.TrimSpace(column), " ")
		t := columnTypes[word]
		if t == nil {
			return nil, fmt.Errorf("no type '%s'", word)
		}
		fields = append(fields, arrow.Field{Name: name, Type: t, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	var out bytes.Buffer
	w, err := recordWriter(ending, schema, &out)
	if err != nil {
		return nil, err
	}
	for _, group := range strings.Split(strings.TrimSpace(rows), "\n\n") {
		if group == "" {
			continue
		}
		rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader("["+strings.ReplaceAll(group, "\n", ",")+"]"))
		if err != nil {
			return nil, err
		}
		if err := w.Write(rec); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

func recordWriter(ending string, schema *arrow.Schema, out io.Writer) (interface {
	Write(arrow.Record) error
	Close() error
}, error,
) {
	switch ending {
	case ".parquet":
		return pqarrow.NewFileWriter(schema, out, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	case ".arrow":
		return ipc.NewFileWriter(&seeker{Writer: out}, ipc.WithSchema(schema), ipc.WithLZ4())
	}
	return ipc.NewWriter(out, ipc.WithSchema(schema)), nil
}

// seeker tells a writer where it is.
type seeker struct {
	io.Writer
	at int64
}

func (s *seeker) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	s.at += int64(n)
	return n, err
}

// Seek implements io.Seeker as far as Arrow's writers use it.
func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, fmt.Errorf("seek %d from %d", offset, whence)
	}
	return s.at, nil
}
