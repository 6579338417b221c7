package repl

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupts turns signals into the ends of two contexts.
type interrupts struct {
	soft context.Context // ends with the first signal: come to an end in good order
	hard context.Context // ends with the second: at once
	stop func()
}

// catchInterrupts watches SIGINT and SIGTERM until stop is called. A third signal does what it does to any program: it kills it.
func catchInterrupts() *interrupts {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	hard, end := context.WithCancel(context.Background())
	soft, ask := context.WithCancel(hard)
	go func() {
		for _, cancel := range []context.CancelFunc{ask, end} {
			select {
			case <-signals:
				cancel()
			case <-hard.Done():
				return
			}
		}
		signal.Stop(signals)
	}()
	return &interrupts{soft, hard, func() {
		signal.Stop(signals)
		end()
	}}
}
