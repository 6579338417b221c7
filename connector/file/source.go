package file

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/connector/format"
)

// rangeBytes is the length of the pieces a large file is divided into.
const rangeBytes = 32 << 20

// fileSet is the files of a table.
type fileSet struct {
	spec   connector.SourceSpec
	path   string // as the table gives it
	ranges int64  // rangeBytes, or less in tests
}

func newFileSet(spec connector.SourceSpec, o *connector.Options) fileSet {
	return fileSet{spec, strings.TrimPrefix(o.Text(pathKey), "file://"), rangeBytes}
}

// list lists the files; each begins with the path as the table gives it.
func (s *fileSet) list() ([]string, error) { return list(s.spec.Table.Dir, s.path) }

// full is the place of a file of the table, from anywhere.
func (s *fileSet) full(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return resolve(s.spec.Table, path)
}

// alloc is where the columns of files go.
func (s *fileSet) alloc() memory.Allocator {
	if s.spec.Alloc == nil { // when a query is planned
		return memory.DefaultAllocator
	}
	return s.spec.Alloc
}

// source implements connector.Source for formats of records.
type source struct {
	fileSet
	rate   int64
	format *format.Format
	input  format.Input
}

func newSource(spec connector.SourceSpec, o *connector.Options) (connector.Source, error) {
	f, err := format.Lookup(o.Text(format.Key))
	if err != nil {
		return nil, err
	}
	if f.Open != nil {
		return &columnar{newFileSet(spec, o), f, o.Count(rateKey)}, nil
	}
	input, err := f.NewInput(format.InputSpec{
		Schema: spec.Table.Schema, Columns: spec.Columns, Zone: spec.Table.Zone, Options: o, Alloc: spec.Alloc,
	})
	if err != nil {
		return nil, err
	}
	return &source{newFileSet(spec, o), o.Count(rateKey), f, input}, nil
}

// Bounded implements connector.Source.
func (s *source) Bounded() bool { return true }

// Replayable implements connector.Source.
func (s *source) Replayable() bool { return true }

// Changelog implements connector.Source.
func (s *source) Changelog() bool { return s.format.Changelog }

// Splits implements connector.Source: one split a file; but a large one whose rows need neither stay in order nor be counted is divided into ranges.
// Ranges begin at multiples of a fixed length, so that a file that has grown has the old ones again.
func (s *source) Splits(context.Context) ([]connector.Split, error) {
	paths, err := s.list()
	if err != nil {
		return nil, err
	}
	var splits []connector.Split
	for _, path := range paths {
		if s.spec.Ordered || s.rate > 0 || slices.Contains(s.spec.Metadata, lineKey) || s.format.Changelog || !s.input.Splittable() || packing(path) != plain {
			splits = append(splits, piece{path, 0, math.MaxInt64}.split())
			continue
		}
		info, err := os.Stat(s.full(path))
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", s.full(path), reason(err))
		}
		for start := int64(0); start == 0 || start < info.Size(); start += s.ranges {
			splits = append(splits, piece{path, start, start + s.ranges}.split())
		}
	}
	return splits, nil
}

// Open implements connector.Source.
func (s *source) Open(_ context.Context, split connector.Split, pos connector.Position) (connector.Reader, error) {
	p, at, err := beginning(split, pos)
	if err != nil {
		return nil, err
	}
	return s.open(p, at, pos == nil)
}
