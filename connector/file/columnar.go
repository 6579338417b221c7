package file

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/convert"
	"streamsql/connector/internal/pace"
	"streamsql/internal/text"
)

// columnar implements connector.Source for formats whose files know their columns and hold rows in groups. A split is some groups of a
// file, and a place in it the group and the row in the group.
type columnar struct {
	fileSet
	format *format.Format
	rate   int64
}

// Bounded implements connector.Source.
func (s *columnar) Bounded() bool { return true }

// Replayable implements connector.Source.
func (s *columnar) Replayable() bool { return true }

// Changelog implements connector.Source.
func (s *columnar) Changelog() bool { return false }

// Splits implements connector.Source: one split a file; but one whose rows need not stay in order is divided between groups.
func (s *columnar) Splits(context.Context) ([]connector.Split, error) {
	paths, err := s.list()
	if err != nil {
		return nil, err
	}
	var splits []connector.Split
	for _, path := range paths {
		if s.spec.Ordered || s.rate > 0 {
			splits = append(splits, piece{path, 0, math.MaxInt64}.split())
			continue
		}
		f, err := s.openColumnar(path, s.format)
		if err != nil {
			return nil, err
		}
		groups := f.Groups()
		if err := f.close(); err != nil {
			return nil, err
		}
		splits = append(splits, s.divide(path, groups)...)
	}
	return splits, nil
}

// divide makes splits of about the length of a range.
func (s *columnar) divide(path string, groups []format.Group) (splits []connector.Split) {
	start, bytes := 0, int64(0)
	for i, g := range groups {
		if bytes += g.Bytes; bytes >= s.ranges || i == len(groups)-1 {
			splits = append(splits, piece{path, int64(start), int64(i + 1)}.split())
			start, bytes = i+1, 0
		}
	}
	return splits
}

// Open implements connector.Source.
func (s *columnar) Open(_ context.Context, split connector.Split, pos connector.Position) (connector.Reader, error) {
	p, at, err := beginning(split, pos)
	if err != nil {
		return nil, err
	}
	f, err := s.openColumnar(p.path, s.format)
	if err != nil {
		return nil, err
	}
	r := &columnarReader{
		file: f, alloc: s.spec.Alloc, group: int(at.offset), row: at.line, end: int(min(p.end, int64(len(f.Groups())))),
		limiter: pace.New(float64(s.rate)),
	}
	if err = r.locate(); err == nil {
		err = r.match(s.spec)
	}
	if err != nil {
		f.close()
		return nil, fmt.Errorf("%s: %w", p.path, err)
	}
	r.rows = r.limiter.Rows(s.spec.Rows)
	r.tags = tags{keys: s.spec.Metadata, full: s.full(p.path), rows: r.rows, mem: s.spec.Alloc}
	return r, nil
}

// columnarFile is an open file.
type columnarFile struct {
	format.Columnar
	name string
	file *os.File
}

// openColumnar opens a file of the table.
func (s *fileSet) openColumnar(path string, f *format.Format) (*columnarFile, error) {
	full := s.full(path)
	if packing(full) != plain {
		return nil, fmt.Errorf("%s: files of format '%s' are packed inside; one that is packed as a whole cannot be read, unpack it", path, f.Name)
	}
	in, err := openFile(full)
	if err != nil {
		return nil, err
	}
	c, err := f.Open(in, s.alloc())
	if err != nil {
		in.Close()
		return nil, connector.Permanent(fmt.Errorf("%s: %w", path, err))
	}
	return &columnarFile{c, path, in}, nil
}

func (f *columnarFile) close() error {
	err := f.Columnar.Close()
	if closeErr := f.file.Close(); err == nil {
		err = closeErr
	}
	return err
}

// match finds the columns of the table among those of the file, and how to convert them.
func (r *columnarReader) match(spec connector.SourceSpec) error {
	have := r.file.Schema().Fields()
	for _, c := range spec.Columns {
		want := spec.Table.Schema.Field(c)
		i := convert.Find(have, want.Name)
		if i < 0 {
			return connector.Permanent(fmt.Errorf("the file has no column '%s'; %s", want.Name, connector.Suggestion(want.Name, fieldNames(have))))
		}
		column, ok := convert.New(have[i].Type, want.Type, spec.Table.Zone)
		if !ok {
			return connector.Permanent(fmt.Errorf("column '%s' is %s in the file (%s), which cannot be read as %s",
				want.Name, sqlName(have[i].Type), have[i].Type, text.TypeName(want.Type)))
		}
		r.places, r.names, r.columns = append(r.places, i), append(r.names, want.Name), append(r.columns, column)
	}
	return nil
}

func fieldNames(fields []arrow.Field) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

// sqlName is what a table would call a file's type.
func sqlName(t arrow.DataType) string {
	if own, ok := convert.Type(t); ok {
		return text.TypeName(own)
	}
	return strings.ToUpper(t.Name())
}
