package session

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"

	"streamsql/internal/settings"
	"streamsql/session/wire"
)

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
	if !c.engine.staying() {
		_ = c.conn.Send(wire.Answer{Leaving: true})
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
		Warn: func(text string) { _ = c.conn.Send(wire.Answer{Warning: text}) },
	})
	return c.session.define(ctx, hello.Objects)
}
