// Package vec holds the engine's unit of data: a batch of Arrow columns with an optional selection, the kind of change each
// row stands for, and the code every layer shares to hash, gather, partition and encode such batches.
//
// # Ownership
//
// A Batch holds one reference to each of its columns. A reference has exactly one owner: passing a batch to a function that
// is documented to consume it gives that reference away, and sharing it takes a Retain first. Bytes taken from an array must
// not outlive the batch they came from.
package vec

import "github.com/apache/arrow/go/v17/arrow"

// DefaultRows is the number of rows a source puts into a batch unless told otherwise.
const DefaultRows = 4096

// Batch is a set of columns of equal length, seen through a selection.
//
// Rows is the physical length of every column. Sel lists the physical rows that count, ascending; nil selects all. Kinds and
// Marks, when present, are indexed by physical row. The slices Sel, Kinds and Marks are immutable once the batch has been
// passed on, so batches may share them.
type Batch struct {
	Cols  []arrow.Array
	Rows  int
	Sel   []uint32
	Kinds []Kind  // nil: every row is an Insert
	Marks []int64 // nil, or the source split's watermark just before each row, in milliseconds
	Raw   bool    // from a partial aggregate: rows it has not grouped, instead of groups
}

// NewBatch returns a batch of all rows of cols, all inserts. It consumes one reference to each column.
func NewBatch(rows int, cols []arrow.Array) Batch { return Batch{Cols: cols, Rows: rows} }

// Len is the number of selected rows.
func (b Batch) Len() int {
	if b.Sel != nil {
		return len(b.Sel)
	}
	return b.Rows
}

// Row is the physical index of the i-th selected row.
func (b Batch) Row(i int) int {
	if b.Sel != nil {
		return int(b.Sel[i])
	}
	return i
}

// Kind is the kind of change of the physical row.
func (b Batch) Kind(row int) Kind {
	if b.Kinds == nil {
		return Insert
	}
	return b.Kinds[row]
}

// Retain adds a reference to every column and returns the batch for its second owner.
func (b Batch) Retain() Batch {
	for _, c := range b.Cols {
		c.Retain()
	}
	return b
}

// Release gives up the reference to every column.
func (b Batch) Release() {
	for _, c := range b.Cols {
		c.Release()
	}
}

// Select returns the same batch seen through sel, which replaces the selection. No reference changes hands.
func (b Batch) Select(sel []uint32) Batch {
	b.Sel = sel
	return b
}
