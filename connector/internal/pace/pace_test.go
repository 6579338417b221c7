package pace

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestRows(t *testing.T) {
	for _, c := range []struct{ rate, most, want int }{
		{0, 4096, 4096}, {1, 4096, 1}, {19, 4096, 1}, {100, 4096, 5}, {1000000, 4096, 4096}, {1000000, 1, 1},
	} {
		if got := New(float64(c.rate)).Rows(c.most); got != c.want {
			t.Errorf("%d a second: %d rows of %d, want %d", c.rate, got, c.most, c.want)
		}
	}
}

func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(100)
		start := time.Now()
		for range 201 {
			if err := l.Wait(t.Context(), 5); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("the last of 1005 rows came after %v", took)
		}
		time.Sleep(time.Minute) // what was missed is not made up for, but for the slack
		start = time.Now()
		for range 101 {
			l.Wait(t.Context(), 1)
		}
		if took := time.Since(start); took != time.Second-slack {
			t.Errorf("after a pause 100 rows took %v", took)
		}
	})
}

func TestWaitIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		l.Wait(t.Context(), 1000)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := l.Wait(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error is %v", err)
		}
	})
	if err := new(Limiter).Wait(t.Context(), 1); err != nil {
		t.Error(err)
	}
}
