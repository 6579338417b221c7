package session

import (
	"context"
	"encoding/json"
	"io"
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/job"
	"streamsql/session/wire"
)

// answers are the answers to one request. They must be read to their end.
type answers struct {
	remote   *remote
	src      string // the text that errors are about
	progress atomic.Pointer[job.Status]
	ended    bool
}

// next returns the next answer that is not progress or a note, and io.EOF after the last. When ctx ends the request is cancelled, and
// answered all the same.
func (a *answers) next(ctx context.Context) (wire.Answer, error) {
	if a.ended {
		return wire.Answer{}, io.EOF
	}
	cancel := context.AfterFunc(ctx, func() { _ = a.remote.conn.Send(wire.Request{Cancel: true}) })
	defer cancel()
	for {
		answer, err := a.remote.conn.Receive()
		switch {
		case err != nil:
			a.ended = true
			return answer, &lostError{a.remote.lost(err), true}
		case answer.Done != nil:
			a.ended = true
			if err := answer.Done.Error.Decode(a.src); err != nil {
				return answer, err
			}
			return answer, io.EOF
		case answer.Note != "":
			a.remote.session.note(answer.Note)
		case answer.Warning != "":
			a.remote.session.warn(answer.Warning)
		case answer.Progress != nil:
			a.take(answer.Progress)
		default:
			return answer, nil
		}
	}
}

func (a *answers) take(progress json.RawMessage) {
	status := new(job.Status)
	if json.Unmarshal(progress, status) == nil {
		a.progress.Store(status)
	}
}

// rows returns the rows that follow the head of a result.
func (a *answers) rows(head *wire.Result) (*Rows, error) {
	schema, err := wire.DecodeSchema(head.Schema)
	if err != nil {
		return nil, err
	}
	rows := &Rows{Schema: schema, columns: schema}
	if err := json.Unmarshal(head.Rows, &rows.Shape); err != nil {
		return nil, err
	}
	if rows.Sort != nil {
		rows.Schema = arrow.NewSchema(schema.Fields()[:rows.Sort.Columns], nil)
	}
	rows.next = func(ctx context.Context) (vec.Batch, error) {
		answer, err := a.next(ctx)
		if err != nil {
			return vec.Batch{}, err
		}
		return wire.DecodeBatch(answer.Batch, memory.DefaultAllocator)
	}
	rows.progress = a.progress.Load
	rows.close = func() error {
		stop, cancel := context.WithCancel(context.Background())
		cancel()
		for !a.ended {
			if _, err := a.next(stop); err != nil && !a.ended {
				return err
			}
		}
		return nil
	}
	return rows, nil
}

// encodeHead is the head of a result on its way to a client.
func encodeHead(r *Result, settings map[string]string) (*wire.Result, error) {
	head := &wire.Result{Message: r.Message, Minor: r.Minor, Job: r.Job, Settings: settings}
	if r.Rows == nil {
		return head, nil
	}
	var err error
	if head.Schema, err = wire.EncodeSchema(r.Rows.columns); err != nil {
		return nil, err
	}
	head.Rows, err = json.Marshal(r.Rows.Shape)
	return head, err
}
