package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/job"
	"streamsql/session/wire"
	"streamsql/storage"
)

// remote is a session's place in the engine of another process.
type remote struct {
	session *Session
	conn    *wire.Conn[wire.Request, wire.Answer]
	hello   wire.Hello
}

func (r *remote) close() error { return r.conn.Close() }

// welcome opens a connection. The other process has a limited time to answer.
func (r *remote) welcome(conn *wire.Conn[wire.Request, wire.Answer], hello wire.Hello) error {
	if err := conn.SetDeadline(time.Now().Add(attachTimeout)); err != nil {
		return &lostError{r.lost(err), false}
	}
	if err := conn.Send(wire.Request{Hello: &hello}); err != nil {
		return &lostError{r.lost(err), false}
	}
	answer, err := conn.Receive()
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return r.session.unanswered(storage.ErrLocked)
	case err != nil:
		return &lostError{r.lost(err), false}
	case answer.Welcome == nil:
		return fmt.Errorf("the process that has data directory %s open refuses: %w", r.session.engine.dir, answer.Done.Error.Decode(""))
	}
	return conn.SetDeadline(time.Time{})
}

// lost explains a connection that has ended.
func (r *remote) lost(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the process that had data directory %s open has ended", r.session.engine.dir)
	}
	return fmt.Errorf("talking to the process that has data directory %s open: %w", r.session.engine.dir, err)
}

// executeThere runs a statement in the other process. When that has ended, the session works in its own again, without the objects
// it has made there.
func (s *Session) executeThere(ctx context.Context, st statement) (*Result, error) {
	r := s.remote
	result, err := r.execute(ctx, st)
	lost := (*lostError)(nil)
	if !errors.As(err, &lost) {
		return result, err
	}
	s.remote = nil
	r.close()
	if lost.asked {
		return nil, err
	}
	s.note(r.lost(io.EOF).Error() + "; what this session has created there is gone")
	return s.execute(ctx, st)
}

// lostError says that the connection has ended.
type lostError struct {
	error
	asked bool // the request had been sent, so that it may have been carried out
}

func (e *lostError) Unwrap() error { return e.error }

func (r *remote) execute(ctx context.Context, st statement) (*Result, error) {
	request := wire.Execute{Source: st.script.Name, Text: st.padded(), Job: st.script.Job, Number: st.script.started}
	if err := r.conn.Send(wire.Request{Execute: &request}); err != nil {
		return nil, &lostError{r.lost(err), false}
	}
	answers := &answers{remote: r, src: st.script.Text}
	answer, err := answers.next(ctx)
	if err != nil {
		return nil, err
	}
	if answer.Result == nil {
		return nil, fmt.Errorf("the process that has data directory %s open answers out of turn", r.session.engine.dir)
	}
	return r.result(ctx, st, answer.Result, answers)
}

// result makes the head of an answer a result.
func (r *remote) result(ctx context.Context, st statement, head *wire.Result, a *answers) (*Result, error) {
	result := &Result{Message: head.Message, Minor: head.Minor, Job: head.Job}
	if err := r.takeOver(head.Settings); err != nil {
		return nil, err
	}
	if head.Schema != nil {
		rows, err := a.rows(head)
		result.Rows = rows
		return result, err
	}
	if _, err := a.next(ctx); !errors.Is(err, io.EOF) {
		return nil, err
	}
	if head.Job != "" {
		st.script.started++
		j, err := r.job(head.Job)
		if err != nil {
			return nil, err
		}
		r.session.jobs = append(r.session.jobs, j)
	}
	return result, nil
}

// takeOver makes the session's settings those that the statement has left behind.
func (r *remote) takeOver(given map[string]string) error {
	if given == nil {
		return nil
	}
	r.session.settings.ResetAll()
	for key, value := range given {
		if err := r.session.settings.Set(key, value); err != nil {
			return err
		}
	}
	return nil
}

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
