package file

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/exec/vec"
)

const (
	filePathKey = "file.path"
	fileNameKey = "file.name"
	fileSizeKey = "file.size"
	changedKey  = "file.modification-time"
	lineKey     = "file.line"
)

var metadata = []connector.Metadata{
	{Key: filePathKey, Type: arrow.BinaryTypes.String, Doc: "the file's whole path"},
	{Key: fileNameKey, Type: arrow.BinaryTypes.String, Doc: "its name, without the directories"},
	{Key: fileSizeKey, Type: arrow.PrimitiveTypes.Int64, Doc: "its length in bytes, as it is packed"},
	{Key: changedKey, Type: &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}, Doc: "when it was last changed"},
	{Key: lineKey, Type: arrow.PrimitiveTypes.Int64, Doc: "the line of the file on which the record begins, from 1, its header and empty lines counted; in Parquet and Arrow files the number of the row"},
}

// tags makes the columns of metadata of the batches of one reader.
type tags struct {
	keys []string
	full string // path of the file
	rows int    // of a batch, at most
	mem  memory.Allocator

	same []arrow.Array // by key: what is the same for all rows, as often as a batch has rows; nil if it is not
}

// add puts the columns behind those of a batch, whose rows are on the given lines.
func (g *tags) add(b *vec.Batch, line func(row int) int64) error {
	if len(g.keys) == 0 {
		return nil
	}
	if g.same == nil {
		if err := g.begin(); err != nil {
			return err
		}
	}
	for _, a := range g.same {
		if a != nil {
			b.Cols = append(b.Cols, vec.Slice(a, 0, b.Rows))
			continue
		}
		buf, lines := vec.NewFixed[int64](g.mem, b.Rows)
		for i := range lines {
			lines[i] = line(i)
		}
		b.Cols = append(b.Cols, vec.MakeArray(arrow.PrimitiveTypes.Int64, b.Rows, 0, nil, buf))
	}
	return nil
}

// begin looks at the file and makes the columns that are the same for all rows.
func (g *tags) begin() error {
	info, err := os.Stat(g.full)
	if err != nil {
		return fmt.Errorf("open %s: %w", g.full, reason(err))
	}
	g.same = make([]arrow.Array, len(g.keys))
	for i, key := range g.keys {
		switch key {
		case filePathKey:
			g.same[i] = g.texts(g.full)
		case fileNameKey:
			g.same[i] = g.texts(filepath.Base(g.full))
		case fileSizeKey:
			g.same[i] = g.words(arrow.PrimitiveTypes.Int64, info.Size())
		case changedKey:
			g.same[i] = g.words(&arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}, info.ModTime().UnixMilli())
		}
	}
	return nil
}

// texts is a text in every row.
func (g *tags) texts(text string) arrow.Array {
	s := vec.NewStrings(g.mem, g.rows, g.rows*len(text))
	for range g.rows {
		s.Append(text)
	}
	return s.Array(arrow.BinaryTypes.String)
}

// words is a number in every row.
func (g *tags) words(t arrow.DataType, v int64) arrow.Array {
	buf, out := vec.NewFixed[int64](g.mem, g.rows)
	for i := range out {
		out[i] = v
	}
	return vec.MakeArray(t, g.rows, 0, nil, buf)
}

func (g *tags) release() {
	for _, a := range g.same {
		if a != nil {
			a.Release()
		}
	}
	g.same = nil
}
