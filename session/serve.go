package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/session/wire"
)

// progressInterval is the time between two reports about a job to a client.
const progressInterval = 250 * time.Millisecond

// serve runs the sessions of other processes until the listener is closed and they have left. When ctx ends they are cut off.
func (e *Engine) serve(ctx context.Context, l net.Listener) {
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		clients.Go(func() {
			end := context.AfterFunc(ctx, func() { conn.Close() })
			defer end()
			c := &client{engine: e, conn: wire.NewServer(conn)}
			c.run(ctx)
			conn.Close()
		})
	}
}

// client is a session of another process.
type client struct {
	engine  *Engine
	conn    *wire.Conn[wire.Answer, wire.Request]
	session *Session

	mu     sync.Mutex
	cancel context.CancelFunc // of the request under way, nil if there is none
}

// run answers the requests of a client until it leaves.
func (c *client) run(ctx context.Context) {
	first, err := c.conn.Receive()
	if err != nil {
		return
	}
	if err := c.open(ctx, first.Hello); err != nil {
		_ = c.conn.Send(wire.Answer{Done: &wire.Done{Error: wire.EncodeError(err, "")}})
		return
	}
	defer c.session.Close()
	if c.conn.Send(wire.Answer{Welcome: &wire.Welcome{PID: os.Getpid()}}) != nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	requests := make(chan wire.Request)
	go c.read(ctx, cancel, requests)
	for {
		select {
		case r, more := <-requests:
			if !more {
				return
			}
			c.handle(ctx, r)
		case <-c.engine.closing:
			return
		}
	}
}

// read passes on requests, but carries out a Cancel itself. When the client leaves, it cancels everything.
func (c *client) read(ctx context.Context, leave context.CancelFunc, requests chan<- wire.Request) {
	defer close(requests)
	defer leave()
	for {
		r, err := c.conn.Receive()
		if err != nil {
			return
		}
		if !r.Cancel {
			select {
			case requests <- r:
				continue
			case <-ctx.Done():
				return
			}
		}
		c.mu.Lock()
		if c.cancel != nil {
			c.cancel()
		}
		c.mu.Unlock()
	}
}

// open makes the session a client asks for.
func (c *client) open(ctx context.Context, hello *wire.Hello) error {
	if hello == nil || hello.Version != wire.Version {
		return fmt.Errorf("it speaks version %d of the protocol, this process another; use the same version of streamsql", wire.Version)
	}
	var values settings.Values
	for key, value := range hello.Settings {
		if err := values.Set(key, value); err != nil {
			return err
		}
	}
	c.session = c.engine.NewSession(Options{
		Dir: hello.Dir, Persist: hello.Persist, FinalResult: hello.FinalResult, Settings: values,
		Note: func(text string) { _ = c.conn.Send(wire.Answer{Note: text}) },
	})
	return c.session.define(ctx, hello.Objects)
}

// handle answers one request.
func (c *client) handle(ctx context.Context, r wire.Request) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.setCancel(cancel)
	var err error
	text := ""
	switch {
	case r.Execute != nil:
		text = r.Execute.Text
		err = c.execute(ctx, r.Execute)
	case r.Wait != "":
		err = c.wait(ctx, r.Wait)
	default:
		err = errors.New("the request is empty")
	}
	c.setCancel(nil)
	_ = c.conn.Send(wire.Answer{Done: &wire.Done{Error: wire.EncodeError(err, text)}})
}

func (c *client) setCancel(cancel context.CancelFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel = cancel
}

// execute runs a statement and sends its result.
func (c *client) execute(ctx context.Context, x *wire.Execute) error {
	before := c.session.settings.Clone()
	src := Source{Name: x.Source, Text: x.Text, Job: x.Job}
	for result, err := range c.session.executeFrom(ctx, src, x.Number) {
		if err != nil {
			return err
		}
		head, err := encodeHead(result, changed(before, c.session.settings))
		if err != nil {
			return err
		}
		if err := c.conn.Send(wire.Answer{Result: head}); err != nil {
			return err
		}
		if result.Rows != nil {
			if err := c.stream(ctx, result.Rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed returns the settings if they differ from what they were.
func changed(before, now settings.Values) map[string]string {
	if before.Equal(now) {
		return nil
	}
	return now.Given()
}

// stream sends the rows of a result, and in between how the query is doing.
func (c *client) stream(ctx context.Context, rows *Rows) error {
	reports := time.NewTicker(progressInterval)
	defer reports.Stop()
	done := make(chan struct{})
	var reporting sync.WaitGroup
	defer reporting.Wait()
	defer close(done)
	reporting.Go(func() {
		for {
			select {
			case <-reports.C:
				if p := rows.Progress(); p != nil {
					_ = c.report(p)
				}
			case <-done:
				return
			}
		}
	})
	for b, err := range rows.All(ctx) {
		if err != nil {
			return err
		}
		m, err := wire.EncodeBatch(rows.columns, b)
		b.Release()
		if err != nil {
			return err
		}
		if err := c.conn.Send(wire.Answer{Batch: m}); err != nil {
			return err
		}
	}
	return nil
}

func (c *client) report(status any) error {
	data, err := json.Marshal(status)
	if err != nil {
		return err
	}
	return c.conn.Send(wire.Answer{Progress: data})
}

// wait sends how a job is doing until it has ended. A job that no longer runs has its outcome in its record.
func (c *client) wait(ctx context.Context, name string) error {
	run := c.engine.jobs.find(name)
	if run == nil {
		return c.outcome(name)
	}
	reports := time.NewTicker(progressInterval)
	defer reports.Stop()
	for {
		if err := c.report(run.Status()); err != nil {
			return err
		}
		select {
		case <-reports.C:
		case <-run.ended:
			_ = c.report(run.Status())
			return run.Wait()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// outcome tells how a job has ended.
func (c *client) outcome(name string) error {
	store, err := c.engine.open()
	if err != nil {
		return err
	}
	r, err := c.engine.jobs.record(store, name)
	if err != nil {
		return err
	}
	_ = c.report(r.Status)
	if r.Status.State == job.Failed {
		return errors.New(r.Status.Failure)
	}
	return nil
}
