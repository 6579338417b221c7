// Package pace slows a source down to a number of rows a second.
package pace

import (
	"context"
	"time"
)

const (
	// batchTime is how long the rows of a batch may take to come together.
	batchTime = 50 * time.Millisecond
	// slack is how far a source may fall behind and still catch up.
	slack = 100 * time.Millisecond
)

// Limiter lets through at most a number of rows a second. The zero Limiter lets everything through. It is used by one goroutine.
type Limiter struct {
	rate float64
	next time.Time // when the next row is due
}

// New returns a limiter of rowsPerSecond; 0 is no limit.
func New(rowsPerSecond float64) *Limiter { return &Limiter{rate: rowsPerSecond} }

// Rows is the largest number of rows of a batch: what 50 ms allow, but at least one and not more than most.
func (l *Limiter) Rows(most int) int {
	if l.rate <= 0 {
		return most
	}
	return int(min(float64(most), max(1, l.rate*batchTime.Seconds())))
}

// Wait waits until n more rows are due.
func (l *Limiter) Wait(ctx context.Context, n int) error {
	if l.rate <= 0 || n == 0 {
		return ctx.Err()
	}
	now := time.Now()
	if late := now.Add(-slack); l.next.Before(late) {
		if l.next.IsZero() {
			late = now
		}
		l.next = late
	}
	due := l.next
	l.next = due.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
	if due.After(now) {
		t := time.NewTimer(due.Sub(now))
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}
