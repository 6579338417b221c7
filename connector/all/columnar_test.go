package all

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"
)

// columnarInputs writes the rows of the other inputs in groups of different sizes, with ids that no BIGINT holds among them.
func columnarInputs(t *testing.T, dir string) {
	t.Helper()
	fields := arrow.NewSchema([]arrow.Field{
		{Name: "ts", Type: &arrow.TimestampType{Unit: arrow.Microsecond}, Nullable: true},
		{Name: "id", Type: arrow.PrimitiveTypes.Uint64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.LargeString, Nullable: true},
	}, nil)
	names := []string{"ann", "", "Zoë"}
	b := array.NewRecordBuilder(memory.DefaultAllocator, fields)
	defer b.Release()
	var groups []arrow.Record
	for i := range 1000 {
		b.Field(0).(*array.TimestampBuilder).Append(arrow.Timestamp(1704067200_000_000 + int64(i)*1_000_000 + int64(i)))
		id := uint64(i)
		if i%31 == 5 {
			id = 1<<63 + id
		}
		b.Field(1).(*array.Uint64Builder).Append(id)
		if i%7 == 3 {
			b.Field(2).AppendNull()
		} else {
			b.Field(2).(*array.LargeStringBuilder).Append(names[i%len(names)])
		}
		if i == 9 || i == 10 || i == 500 || i == 999 {
			rec := b.NewRecord()
			defer rec.Release()
			groups = append(groups, rec)
		}
	}
	create := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	p, err := pqarrow.NewFileWriter(fields, create("in.parquet"), parquet.NewWriterProperties(), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	file := create("in.arrow")
	defer file.Close()
	a, err := ipc.NewFileWriter(file, ipc.WithSchema(fields))
	if err != nil {
		t.Fatal(err)
	}
	stream := create("in.arrows")
	defer stream.Close()
	s := ipc.NewWriter(stream, ipc.WithSchema(fields))
	for _, rec := range groups {
		for _, w := range []interface{ Write(arrow.Record) error }{p, a, s} {
			if err := w.Write(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, w := range []interface{ Close() error }{p, a, s} {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
