package session

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"streamsql/job"
	"streamsql/session/wire"
)

// job follows a job that this session has started in the other process, over a connection of its own.
func (r *remote) job(name string) (*Job, error) {
	conn, err := r.dial()
	if err != nil {
		return nil, err
	}
	if err := conn.Send(wire.Request{Wait: name}); err != nil {
		return nil, errors.Join(r.lost(err), conn.Close())
	}
	follow := &remote{session: r.session, conn: conn}
	a := &answers{remote: follow}
	a.progress.Store(&job.Status{State: job.Running})
	done := make(chan struct{})
	var failed error
	go func() {
		defer close(done)
		defer conn.Close()
		if _, err := a.next(context.Background()); !errors.Is(err, io.EOF) {
			failed = err
		}
	}()
	return &Job{
		Name:   name,
		status: func() job.Status { return *a.progress.Load() },
		done:   done,
		err:    func() error { return failed },
		stop:   func(ctx context.Context) error { return r.stop(ctx, name, done) },
	}, nil
}

// dial opens another connection to the other process, for a session without objects.
func (r *remote) dial() (*wire.Conn[wire.Request, wire.Answer], error) {
	var socket net.Conn
	socket, err := dial(r.session.engine.dir)
	if err != nil {
		return nil, r.lost(err)
	}
	conn := wire.NewClient(socket)
	if err := r.welcome(conn, wire.Hello{Version: wire.Version, Dir: r.hello.Dir}); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// stop lets a job in the other process take a last checkpoint and waits for its end. If ctx ends first, the job is cancelled.
func (r *remote) stop(ctx context.Context, name string, done <-chan struct{}) error {
	err := r.command(ctx, "STOP JOB "+quote(name))
	if ctx.Err() != nil {
		last, cancel := context.WithTimeout(context.Background(), attachTimeout)
		defer cancel()
		return errors.Join(ctx.Err(), r.command(last, "CANCEL JOB "+quote(name)))
	}
	select {
	case <-done: // also when it had come to an end by itself
		return nil
	case <-time.After(attachTimeout):
		return err
	}
}

// command runs a statement without rows in the other process, over a connection of its own.
func (r *remote) command(ctx context.Context, text string) error {
	conn, err := r.dial()
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.Send(wire.Request{Execute: &wire.Execute{Text: text}}); err != nil {
		return r.lost(err)
	}
	a := &answers{remote: &remote{session: r.session, conn: conn}, src: text}
	for {
		if _, err := a.next(ctx); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
