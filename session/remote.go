package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

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
	case answer.Done != nil:
		return fmt.Errorf("the process that has data directory %s open refuses: %w", r.session.engine.dir, answer.Done.Error.Decode(""))
	case answer.Leaving:
		return &lostError{errLeaving, false}
	case answer.Welcome == nil:
		return r.outOfTurn()
	}
	return conn.SetDeadline(time.Time{})
}

// errLeaving is the answer of a process that runs no job and is no shell: whoever attached to it would be left behind.
var errLeaving = errors.New("the other process is about to end")

// lost explains a connection that has ended.
func (r *remote) lost(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the process that had data directory %s open has ended", r.session.engine.dir)
	}
	return fmt.Errorf("talking to the process that has data directory %s open: %w", r.session.engine.dir, err)
}

func (r *remote) outOfTurn() error {
	return fmt.Errorf("the process that has data directory %s open answers out of turn", r.session.engine.dir)
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
		return nil, r.outOfTurn()
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
