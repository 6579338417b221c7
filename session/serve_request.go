package session

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/session/wire"
)

// progressInterval is the time between two reports about a job to a client.
const progressInterval = 250 * time.Millisecond

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
	defer c.reportOn(rows)()
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

// reportOn sends how a query is doing until the returned function is called.
func (c *client) reportOn(rows *Rows) (end func()) {
	done := make(chan struct{})
	var reporting sync.WaitGroup
	reporting.Go(func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if p := rows.Progress(); p != nil {
					_ = c.report(*p)
				}
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		reporting.Wait()
	}
}

func (c *client) report(status job.Status) error {
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
