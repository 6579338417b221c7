package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"streamsql/parser"
)

// console is where a user is told what is not a result: notes, errors and how jobs are doing. Its methods may be called from any
// goroutine.
type console struct {
	mu     sync.Mutex
	out    io.Writer
	screen *screen // the terminal that out is, nil if it is none
	quiet  bool    // no notes and no progress
	color  bool
	line   bool // the cursor is behind a progress line
}

func newConsole(o Options) *console {
	c := &console{out: o.Err, screen: screenOf(o.Err), quiet: o.Quiet}
	c.color = c.screen != nil && !o.NoColor && os.Getenv("NO_COLOR") == ""
	return c
}

// note prints a line.
func (c *console) note(text string) {
	if !c.quiet {
		c.print(text)
	}
}

// print writes a line in the place of the progress line.
func (c *console) print(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.erase()
	_, _ = io.WriteString(c.out, text+"\n")
}

func (c *console) erase() {
	if c.line {
		_, _ = io.WriteString(c.out, eraseLine)
		c.line = false
	}
}

// fail prints an error, with the place in the text it is about if there is one.
func (c *console) fail(err error) {
	for _, text := range describe(err) {
		if rest, ok := strings.CutPrefix(text, "error:"); ok && c.color {
			text = "\x1b[1;31merror:\x1b[0m" + rest
		}
		c.print(text)
	}
}

// describe returns the texts of an error's parts.
func describe(err error) []string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var texts []string
		for _, e := range joined.Unwrap() {
			texts = append(texts, describe(e)...)
		}
		return texts
	}
	var at *parser.Error
	if errors.As(err, &at) {
		return []string{at.Detail()}
	}
	return []string{"error: " + err.Error()}
}

// isCancel tells whether an error only says that the user has interrupted something.
func isCancel(err error) bool {
	return errors.Is(err, context.Canceled) || err != nil && err.Error() == context.Canceled.Error() // as it comes over a socket
}

// isClosedPipe tells whether an error says that nobody reads the output any more.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// progressInterval is the time between two pictures of the progress line, and before the first one.
const progressInterval = 500 * time.Millisecond

// progress keeps a line up to date on a terminal until the returned function is called.
func (c *console) progress(line func() string) (end func()) {
	if c.screen == nil || c.quiet {
		return func() {}
	}
	stop := make(chan struct{})
	var drawing sync.WaitGroup
	drawing.Go(func() {
		tick := time.NewTicker(progressInterval)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				c.draw(line())
			case <-stop:
				return
			}
		}
	})
	return func() {
		close(stop)
		drawing.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.erase()
	}
}

// draw puts a progress line in the place of the last, cut to the width of the screen.
func (c *console) draw(text string) {
	width, _ := c.screen.size()
	if runes := []rune(text); len(runes) >= width {
		text = string(runes[:width-1])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = fmt.Fprint(c.out, eraseLine, text)
	c.line = true
}
