package session

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
	"streamsql/job"
	"streamsql/plan"
)

// Result is the answer to one statement.
type Result struct {
	// Message says in a line what was done; empty if the rows say it all.
	Message string
	// Minor tells that the message only confirms what the statement says.
	Minor bool
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

// Rows is the stream of a statement's rows. It is used by one goroutine, but for Progress.
type Rows struct {
	// Schema describes the columns of the result. The batches may have more columns behind them, to sort by.
	Schema *arrow.Schema
	Shape

	columns  *arrow.Schema // of the batches
	next     func(context.Context) (vec.Batch, error)
	close    func() error
	progress func() *job.Status // nil for what is not a query
}

// Shape is how a stream of rows is to be read.
type Shape struct {
	// Updating tells that batches may carry updates and deletes beside inserts: a Bag turns them into what is left in the end.
	Updating bool `json:"updating,omitempty"`
	// Bounded tells that the stream ends by itself.
	Bounded bool `json:"bounded,omitempty"`
	// Sort orders and cuts the final result; nil leaves it as it is.
	Sort *plan.Sort `json:"sort,omitempty"`
	// Text tells that the one value there is is a text to be read, perhaps of several lines.
	Text bool `json:"text,omitempty"`
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

// Progress tells how the query that yields the rows is doing, nil if that is not known. Any goroutine may call it.
func (r *Rows) Progress() *job.Status {
	if r.progress == nil {
		return nil
	}
	return r.progress()
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
	rows := &Rows{Schema: schema, columns: schema, Shape: Shape{Bounded: true}}
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
