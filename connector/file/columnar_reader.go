package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/connector/internal/convert"
	"streamsql/connector/internal/pace"
	"streamsql/exec/vec"
)

// columnarReader implements connector.Reader.
type columnarReader struct {
	file    *columnarFile
	alloc   memory.Allocator
	places  []int             // of the wanted columns in the file
	names   []string          // of the table's columns
	columns []*convert.Column // of each of them
	rows    int               // of a batch, at most
	limiter *pace.Limiter
	tags    tags

	group, end int                 // the group being read, and the one behind the last
	row        int64               // of the group, that comes next
	before     int64               // rows of the file before the group
	reader     format.ColumnReader // of the group, nil: not opened
	at         int64               // row of the group the reader stands at
}

// locate makes sure that the place is in the file, and counts the rows before it.
func (r *columnarReader) locate() error {
	groups := r.file.Groups()
	if r.group > len(groups) || r.group < len(groups) && r.row > groups[r.group].Rows {
		return errShrunk
	}
	for _, g := range groups[:r.group] {
		r.before += g.Rows
	}
	return nil
}

// Read implements connector.Reader.
func (r *columnarReader) Read(ctx context.Context) (connector.Fragment, error) {
	if !r.advance() {
		return connector.Fragment{}, io.EOF
	}
	arrays, n, err := r.next(ctx)
	if err != nil {
		return connector.Fragment{}, fmt.Errorf("read %s: %w", r.file.name, err)
	}
	f, err := r.fragment(arrays, n)
	if err == nil {
		if err = r.limiter.Wait(ctx, f.Batch.Rows); err != nil {
			f.Batch.Release()
		}
	}
	return f, err
}

// advance goes to the next group that has rows left and reports whether there is one.
func (r *columnarReader) advance() bool {
	for groups := r.file.Groups(); r.group < r.end; {
		if r.row < groups[r.group].Rows {
			return true
		}
		r.closeGroup()
		r.before += groups[r.group].Rows
		r.group, r.row = r.group+1, 0
	}
	return false
}

func (r *columnarReader) closeGroup() {
	if r.reader != nil {
		r.reader.Close()
		r.reader, r.at = nil, 0
	}
}

// next reads rows of the group: n of each wanted column. What a reader has before the place is passed over.
func (r *columnarReader) next(ctx context.Context) (arrays []arrow.Array, n int64, err error) {
	if len(r.columns) == 0 {
		return nil, min(int64(r.rows), r.file.Groups()[r.group].Rows-r.row), nil
	}
	if r.reader == nil {
		if r.reader, err = r.file.Read(r.group, r.places, r.rows); err != nil {
			return nil, 0, err
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if arrays, err = r.reader.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the file is damaged: a group has fewer rows than it says")
			}
			return nil, 0, err
		}
		start, end := r.at, r.at+int64(arrays[0].Len())
		r.at = end
		if end <= r.row {
			release(arrays)
			continue
		}
		if start < r.row {
			arrays = cut(arrays, int(r.row-start))
		}
		return arrays, end - r.row, nil
	}
}

// cut drops rows from the beginning of columns, which it consumes.
func cut(arrays []arrow.Array, rows int) []arrow.Array {
	rest := make([]arrow.Array, len(arrays))
	for i, a := range arrays {
		rest[i] = vec.Slice(a, rows, a.Len())
	}
	release(arrays)
	return rest
}

func release(arrays []arrow.Array) {
	for _, a := range arrays {
		a.Release()
	}
}

// fragment is the rows in the types of the table, without those that do not fit. It consumes the arrays and moves the place.
func (r *columnarReader) fragment(arrays []arrow.Array, n int64) (connector.Fragment, error) {
	defer release(arrays)
	first := r.before + r.row
	r.row += n
	f := connector.Fragment{
		Batch:    vec.NewBatch(int(n), make([]arrow.Array, len(arrays))),
		Position: place{int64(r.group), r.row}.position(),
		Place:    func(row int) string { return r.placeOf(first + int64(row)) },
	}
	var bad []fault
	for i, a := range arrays {
		var faults []convert.Fault
		f.Batch.Cols[i], faults = r.columns[i].Convert(r.alloc, a)
		for _, x := range faults {
			bad = append(bad, fault{x, r.names[i]})
		}
	}
	if err := r.tags.add(&f.Batch, func(row int) int64 { return first + int64(row) + 1 }); err != nil {
		f.Batch.Release()
		return connector.Fragment{}, err
	}
	if len(bad) > 0 {
		r.leaveOut(&f, bad, first)
	}
	return f, nil
}

// fault is a value that does not fit its column.
type fault struct {
	convert.Fault
	column string
}

// leaveOut takes the rows of faults out of a fragment; the first fault of a row is what is wrong with it.
func (r *columnarReader) leaveOut(f *connector.Fragment, bad []fault, first int64) {
	slices.SortStableFunc(bad, func(a, b fault) int { return cmp.Compare(a.Row, b.Row) })
	bad = slices.CompactFunc(bad, func(a, b fault) bool { return a.Row == b.Row })
	good, next := make([]uint32, 0, f.Batch.Rows), 0
	for _, b := range bad {
		f.Bad = append(f.Bad, connector.BadRecord{Place: f.Place(b.Row), Field: b.column, Reason: b.Reason})
		for ; next < b.Row; next++ {
			good = append(good, uint32(next))
		}
		next = b.Row + 1
	}
	for ; next < f.Batch.Rows; next++ {
		good = append(good, uint32(next))
	}
	f.Batch = vec.Compact(r.alloc, f.Batch.Select(good))
	f.Batch.Rows = len(good)
	f.Place = func(row int) string { return r.placeOf(first + int64(good[row])) }
}

// placeOf names a row of the file, counted from 0.
func (r *columnarReader) placeOf(row int64) string {
	return fmt.Sprintf("%s: row %d", r.file.name, row+1)
}

// Close implements connector.Reader.
func (r *columnarReader) Close() error {
	r.closeGroup()
	r.tags.release()
	return r.file.close()
}
