package session

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// Result is the answer to one statement.
type Result struct {
	// Message says in a line what was done; empty if the rows say it all.
	Message string
	// Rows is the statement's table, nil if it has none. It must be closed.
	Rows *Rows
	// Job names the job that an INSERT or a RESTORE has started.
	Job string
}

// Close frees the result, ending a query that still runs.
func (r *Result) Close() error {
	if r.Rows == nil {
		return nil
	}
	return r.Rows.Close()
}

// Rows is the stream of a statement's rows. It is used by one goroutine.
type Rows struct {
	Schema *arrow.Schema
	// Updating tells that batches may carry updates and deletes beside inserts. Final turns them into what is left in the end.
	Updating bool
	// Bounded tells that the stream ends by itself.
	Bounded bool
	// Cut orders and limits the final result of the stream.
	Cut Cut

	next  func(context.Context) (vec.Batch, error)
	close func() error
}

// Next returns the next batch, which the caller owns, and io.EOF after the last one.
func (r *Rows) Next(ctx context.Context) (vec.Batch, error) { return r.next(ctx) }

// Close ends the stream; a query that still runs is cancelled. Closing again does nothing.
func (r *Rows) Close() error {
	if r.close == nil {
		return nil
	}
	end := r.close
	r.close = nil
	return end()
}

// All iterates over the batches. Each belongs to the loop's body. An error is the last thing it yields.
func (r *Rows) All(ctx context.Context) iter.Seq2[vec.Batch, error] {
	return func(yield func(vec.Batch, error) bool) {
		for {
			b, err := r.next(ctx)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

// batchesOf returns the stream of batches that are there already. It consumes them.
func batchesOf(schema *arrow.Schema, batches ...vec.Batch) *Rows {
	rows := &Rows{Schema: schema, Bounded: true, Cut: NoCut}
	rows.next = func(context.Context) (vec.Batch, error) {
		if len(batches) == 0 {
			return vec.Batch{}, io.EOF
		}
		b := batches[0]
		batches = batches[1:]
		return b, nil
	}
	rows.close = func() error {
		for _, b := range batches {
			b.Release()
		}
		batches = nil
		return nil
	}
	return rows
}
