package repl

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"golang.org/x/term"

	"streamsql/exec/vec"
	"streamsql/session"
)

// screen is a terminal that is written to.
type screen struct{ file *os.File }

// screenOf returns the terminal that w is, nil if it is none.
func screenOf(w io.Writer) *screen {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		return &screen{f}
	}
	return nil
}

// size is the number of cells in a line and the number of lines.
func (s *screen) size() (width, height int) {
	width, height, err := term.GetSize(int(s.file.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	return width, height
}

// Control sequences of terminals.
const (
	eraseLine  = "\r\x1b[K"
	eraseBelow = "\x1b[J"
	upLines    = "\x1b[%dA"
)

// liveInterval is the time between two pictures of a result that changes. A result that is complete before the first one is
// only drawn once.
const liveInterval = 250 * time.Millisecond

// live is the picture of a changing result on a screen.
type live struct {
	screen *screen
	lines  int // of the picture that is there
}

// printLive draws a result again and again while it changes, and once more, as a whole, when it is final.
func (p *printer) printLive(ctx context.Context, rows *session.Rows, zone *time.Location) (int, error) {
	bag := session.NewBag(memory.DefaultAllocator)
	defer bag.Release()
	picture := &live{screen: p.screen}
	next := time.Now().Add(liveInterval)
	for b, err := range everySoOften(ctx, rows, liveInterval) {
		if err != nil {
			return bag.Len(), err
		}
		bag.Apply(b)
		if now := time.Now(); now.After(next) {
			if err := picture.draw(bag, rows, zone); err != nil {
				return bag.Len(), err
			}
			next = now.Add(liveInterval)
		}
	}
	if err := picture.erase(); err != nil {
		return bag.Len(), err
	}
	return p.printBag(bag, rows, zone)
}

// everySoOften yields the batches of a stream, and an empty batch whenever none has come for a while.
func everySoOften(ctx context.Context, rows *session.Rows, pause time.Duration) iter.Seq2[vec.Batch, error] {
	type item struct {
		batch vec.Batch
		err   error
	}
	return func(yield func(vec.Batch, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		items := make(chan item)
		go func() {
			defer close(items)
			for b, err := range rows.All(ctx) {
				items <- item{b, err}
			}
		}()
		defer func() {
			cancel()
			for i := range items {
				i.batch.Release()
			}
		}()
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for {
			select {
			case i, more := <-items:
				if !more || !yield(i.batch, i.err) {
					return
				}
			case <-tick.C:
				if !yield(vec.Batch{}, nil) {
					return
				}
			}
		}
	}
}

// draw replaces the picture.
func (l *live) draw(bag *session.Bag, rows *session.Rows, zone *time.Location) error {
	width, height := l.screen.size()
	const frame = 6 // lines that are not rows
	limit := max(height-frame, 1)
	text := drawBag(bag, rows, zone, width, limit).String()
	if more := bag.Len() - limit; more > 0 {
		text += "… and " + counted(int64(more), "more row") + "\n"
	}
	text += statusLine(rows.Progress()) + "\n"
	if err := l.erase(); err != nil {
		return err
	}
	l.lines = strings.Count(text, "\n")
	_, err := io.WriteString(l.screen.file, text)
	return err
}

// erase takes the picture away.
func (l *live) erase() error {
	if l.lines == 0 {
		return nil
	}
	_, err := fmt.Fprintf(l.screen.file, upLines+"\r"+eraseBelow, l.lines)
	l.lines = 0
	return err
}

// firstRows is the selection of the first n selected rows of a batch.
func firstRows(b vec.Batch, n int) []uint32 {
	sel := make([]uint32, n)
	for i := range sel {
		sel[i] = uint32(b.Row(i))
	}
	return sel
}
