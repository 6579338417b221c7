// Package parquet implements the format parquet: Apache Parquet files, read row group by row group.
package parquet

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"streamsql/connector/format"
	"streamsql/exec/vec"
)

func init() {
	format.Register(&format.Format{
		Name: "parquet",
		Doc:  "Parquet files, which know their columns; only those a query needs are read",
		Open: open,
	})
}

// columnar implements format.Columnar.
type columnar struct {
	reader *pqarrow.FileReader
	schema *arrow.Schema
	groups []format.Group
}

// mem is where columns go. The library counts on memory that is clean, and gives some of it back only when it is collected.
var mem = memory.NewGoAllocator()

func open(f format.File, _ memory.Allocator) (_ format.Columnar, err error) {
	defer format.Damaged(&err)
	r, err := file.NewParquetReader(f, file.WithReadProps(parquet.NewReaderProperties(mem)))
	if err != nil {
		return nil, fmt.Errorf("not a Parquet file, or cut off: %w", err)
	}
	c := &columnar{}
	if c.reader, err = pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{}, mem); err != nil {
		return nil, err
	}
	if c.schema, err = c.reader.Schema(); err != nil {
		return nil, err
	}
	for i := range r.NumRowGroups() {
		m := r.MetaData().RowGroup(i)
		c.groups = append(c.groups, format.Group{Rows: m.NumRows(), Bytes: m.TotalByteSize()})
	}
	return c, nil
}

// Schema implements format.Columnar.
func (c *columnar) Schema() *arrow.Schema { return c.schema }

// Groups implements format.Columnar.
func (c *columnar) Groups() []format.Group { return c.groups }

// Read implements format.Columnar.
func (c *columnar) Read(group int, columns []int, rows int) (_ format.ColumnReader, err error) {
	defer format.Damaged(&err)
	c.reader.Props.BatchSize = int64(rows)
	r := &reader{left: c.groups[group].Rows}
	for _, i := range columns {
		leaves := map[int]bool{}
		addLeaves(&c.reader.Manifest.Fields[i], leaves)
		column, err := c.reader.GetFieldReader(context.Background(), i, leaves, []int{group})
		if err != nil {
			r.Close()
			return nil, fmt.Errorf("column '%s': %w", c.schema.Field(i).Name, err)
		}
		r.columns = append(r.columns, column)
	}
	r.rows = int64(rows)
	return r, nil
}

// addLeaves collects the columns of the file that a field is made of.
func addLeaves(f *pqarrow.SchemaField, leaves map[int]bool) {
	if f.IsLeaf() {
		leaves[f.ColIndex] = true
	}
	for i := range f.Children {
		addLeaves(&f.Children[i], leaves)
	}
}

// Close implements format.Columnar.
func (c *columnar) Close() error { return nil }

// reader implements format.ColumnReader.
type reader struct {
	columns []*pqarrow.ColumnReader
	rows    int64
	left    int64 // of the group
}

// Next implements format.ColumnReader.
func (r *reader) Next() (arrays []arrow.Array, err error) {
	if r.left == 0 {
		return nil, io.EOF
	}
	defer func() {
		if err != nil {
			release(arrays)
			arrays = nil
		}
	}()
	defer format.Damaged(&err)
	n := min(r.rows, r.left)
	for _, c := range r.columns {
		chunks, err := c.NextBatch(n)
		if err != nil && !errors.Is(err, io.EOF) {
			return arrays, err
		}
		if chunks == nil || int64(chunks.Len()) != n {
			return arrays, errors.New("the file is damaged: a column has fewer rows than its row group")
		}
		arrays = append(arrays, single(chunks))
		chunks.Release()
	}
	r.left -= n
	return arrays, nil
}

// single is the rows of a column, which the library may give in pieces, as one array.
func single(chunks *arrow.Chunked) arrow.Array {
	if parts := chunks.Chunks(); len(parts) > 1 {
		return vec.ConcatArrays(mem, parts...)
	}
	a := chunks.Chunk(0)
	a.Retain()
	a.NullN()
	return a
}

func release(arrays []arrow.Array) {
	for _, a := range arrays {
		a.Release()
	}
}

// Close implements format.ColumnReader.
func (r *reader) Close() {
	for _, c := range r.columns {
		c.Release()
	}
	r.columns = nil
}
