package connector

import (
	"context"
	"io"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// SinkSpec is what a query wants to write.
type SinkSpec struct {
	Table  Table
	Schema *arrow.Schema // of the batches; same types as Table.Schema
	Job    string        // names the job; with Table.Name and a subtask it identifies a writer over restarts
	// Overwrite asks to replace what is there instead of adding to it (INSERT OVERWRITE).
	Overwrite bool
	// Stdout is where a sink prints; nil is the standard output of the process.
	Stdout io.Writer
}

// Guarantee is the strongest promise a source or sink can keep about what happens to rows around a failure.
type Guarantee int

// From weakest to strongest.
const (
	AtMostOnce Guarantee = iota
	AtLeastOnce
	ExactlyOnce
)

// String is the guarantee's usual name.
func (g Guarantee) String() string {
	return [...]string{"at-most-once", "at-least-once", "exactly-once"}[g]
}

// Sink takes the rows of a query.
type Sink interface {
	// Open starts the writer of one subtask.
	Open(ctx context.Context, subtask int) (Writer, error)
	Guarantee() Guarantee
	// Changelog reports whether the sink can take updates and deletes. One that cannot is only ever given inserts.
	Changelog() bool
	// MaxParallelism is the largest number of writers that may be open at once, 0 for any.
	MaxParallelism() int
}

// Exclusive is a Sink whose place only one job can write to at a time.
type Exclusive interface {
	Sink
	// Place names what is written, for comparison and for messages; "" if other jobs may write there too.
	Place() string
}

// Writer writes batches. It is used by one goroutine.
type Writer interface {
	// Write consumes the batch.
	Write(ctx context.Context, b vec.Batch) error
	// Flush makes what was written visible, at once and for good. A Transaction that is flushed before it has ever prepared is
	// used as a plain writer, by a query without checkpoints; afterwards, Flush is only a hint.
	Flush(ctx context.Context) error
	// Close frees the writer; what a transaction has not prepared is dropped.
	Close() error
}

// Transaction is a Writer whose output stays hidden until a checkpoint covers it: one transaction per checkpoint.
type Transaction interface {
	Writer
	// Prepare makes everything written since the last Prepare durable but not visible, and opens the next transaction. The
	// handle, unless nil, goes into the checkpoint's manifest, and into those of later checkpoints until it has been committed: what
	// was prepared for a checkpoint that failed is committed with the next one.
	Prepare(ctx context.Context, checkpoint uint64) (handle []byte, err error)
	// Commit makes the prepared transaction visible. Committing again is harmless.
	Commit(ctx context.Context, handle []byte) error
}

// Recovery is what a transactional sink is to go on from.
type Recovery struct {
	// Handles are those of the checkpoint the job restarts from; none for a fresh start.
	Handles [][]byte
	// IgnoreMissing lets the job go on where output that the handles tell of is gone: it has been moved away, or the job goes on in
	// another place. Otherwise that is a MissingOutput.
	IgnoreMissing bool
}

// Recoverer is a transactional Sink. Recover runs once before any writer is opened: it commits the handles, again if need be, and
// removes what later or unfinished transactions of the same job left behind.
type Recoverer interface {
	Sink
	Recover(ctx context.Context, r Recovery) error
}
