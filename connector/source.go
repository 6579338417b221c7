package connector

import (
	"context"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// SourceSpec is what a query asks of a table.
type SourceSpec struct {
	Table   Table
	Columns []int // the physical columns the query needs, in the order of the batches' columns; may be empty (COUNT(*))
	// Metadata are keys of the connector's metadata; batches have a column of each behind those of Columns.
	Metadata []string
	// Ordered asks that the rows of one file or partition keep their order in one split: the table has a WATERMARK.
	Ordered bool
	// Rows is the largest number of rows of a batch.
	Rows  int
	Alloc memory.Allocator
}

// Source produces the rows of a table. It is used by one goroutine; the readers it opens by one goroutine each.
type Source interface {
	// Splits lists the independent pieces of the input, in a stable order. It must not depend on the parallelism.
	Splits(ctx context.Context) ([]Split, error)
	// Open reads the split from the position on: nil means from its beginning, otherwise a Position one of its readers returned.
	Open(ctx context.Context, s Split, pos Position) (Reader, error)
	// Bounded reports whether the input ends by itself.
	Bounded() bool
	// Replayable reports whether Open can go back to an earlier position.
	Replayable() bool
	// Changelog reports whether rows may be updates and deletes. The splits of such a source are read by one task, one after the
	// other in their order, since a row may take back one of an earlier split.
	Changelog() bool
}

// Split is one independently readable piece of an input. ID is unique within the source and stable over restarts; Data is the
// source's own description of it, kept in checkpoints.
type Split struct {
	ID   string
	Data []byte
}

// Position is a place in a split, just after some row. Its bytes mean something to the source only.
type Position []byte

// Reader reads one split.
type Reader interface {
	// Read returns the next rows, blocking until there are some. At the end of the split it returns io.EOF with an empty
	// Fragment. After any other error the reader is only closed.
	Read(ctx context.Context) (Fragment, error)
	Close() error
}

// Fragment is a batch of a split with what the engine must know to continue after it and to complain about it.
type Fragment struct {
	// Batch is owned by the receiver. It may be empty (Rows 0) when only Bad or Position moved.
	Batch vec.Batch
	// Position is the place after the last row of Batch and the last of Bad.
	Position Position
	// Bad lists the records of this stretch that could not be decoded, in order.
	Bad []BadRecord
	// Place names where the i-th physical row of Batch came from ("clicks.json:17"). It may be called at any time, by any goroutine.
	Place func(row int) string
}

// BadRecord is a record that could not become a row.
type BadRecord struct {
	Place  string // "clicks.json:17"
	Field  string // the column, if one is to blame
	Reason string // "expected BIGINT, got string \"x\""
	Raw    []byte // the record as it stood in the input
}

// Error makes a bad record the error that on.error = fail stops with.
func (r BadRecord) Error() string {
	if r.Field == "" {
		return r.Place + ": " + r.Reason
	}
	return r.Place + ": field " + r.Field + ": " + r.Reason
}
