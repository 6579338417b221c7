package repl

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/text"
	"streamsql/session"
)

// printer writes the rows of results.
type printer struct {
	out    io.Writer
	format Format
	// screen is the terminal that out is, nil if it is none.
	screen *screen
	// note tells the user something beside the rows.
	note func(string)
}

// print writes all rows of a result and returns their number.
func (p *printer) print(ctx context.Context, rows *session.Rows, zone *time.Location) (int, error) {
	final := rows.Updating || rows.Sort != nil
	switch {
	case p.format == Table && rows.Text:
		return p.printText(ctx, rows)
	case p.format == Changelog:
		return p.printEach(ctx, rows, zone)
	case p.format != Table && !final:
		return p.printEach(ctx, rows, zone)
	case p.format != Table:
		p.warnEndless(rows)
		return p.printFinal(ctx, rows, zone)
	case !final && !rows.Bounded:
		return p.printRoll(ctx, rows, zone)
	case p.screen != nil:
		return p.printLive(ctx, rows, zone)
	}
	p.warnEndless(rows)
	return p.printFinal(ctx, rows, zone)
}

// warnEndless explains why nothing will appear.
func (p *printer) warnEndless(rows *session.Rows) {
	if !rows.Bounded {
		p.note("the input has no end and this format prints the final result alone; --format changelog prints each change as it comes")
	}
}

// printEach writes rows, or changes, as they come.
func (p *printer) printEach(ctx context.Context, rows *session.Rows, zone *time.Location) (int, error) {
	writer, err := p.format.writer(p.out, rows, zone)
	if err != nil {
		return 0, err
	}
	n := 0
	for b, err := range rows.All(ctx) {
		if err != nil {
			return n, err
		}
		n += b.Len()
		if err := writer.Write(shown(rows, b)); err != nil {
			return n, err
		}
	}
	return n, writer.Close()
}

// shown gives up the columns of a batch that are there to sort by alone.
func shown(rows *session.Rows, b vec.Batch) vec.Batch {
	n := rows.Schema.NumFields()
	for _, c := range b.Cols[n:] {
		c.Release()
	}
	b.Cols = b.Cols[:n:n]
	return b
}

// printText writes a text as it is.
func (p *printer) printText(ctx context.Context, rows *session.Rows) (int, error) {
	n := 0
	var column text.Column
	for b, err := range rows.All(ctx) {
		if err != nil {
			return n, err
		}
		column.Render(b.Cols[0], b.Sel, text.SQL(time.UTC))
		for i := range b.Len() {
			if _, err = fmt.Fprintf(p.out, "%s\n", column.Row(i)); err != nil {
				break
			}
		}
		n += b.Len()
		b.Release()
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// printRoll draws the rows of an endless table as they come.
func (p *printer) printRoll(ctx context.Context, rows *session.Rows, zone *time.Location) (int, error) {
	r, n := newRoll(rows.Schema, zone), 0
	for b, err := range rows.All(ctx) {
		if err != nil {
			return n, err
		}
		err = r.write(p.out, b)
		n += b.Len()
		b.Release()
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// printFinal collects the rows and writes what they come to in the end.
func (p *printer) printFinal(ctx context.Context, rows *session.Rows, zone *time.Location) (int, error) {
	bag := session.NewBag(memory.DefaultAllocator)
	defer bag.Release()
	for b, err := range rows.All(ctx) {
		if err != nil {
			return 0, err
		}
		bag.Apply(b)
	}
	return p.printBag(bag, rows, zone)
}

// printBag writes a final result.
func (p *printer) printBag(bag *session.Bag, rows *session.Rows, zone *time.Location) (int, error) {
	if p.format != Table {
		return p.writeBag(bag, rows, zone)
	}
	width := 0
	if p.screen != nil {
		width, _ = p.screen.size()
	}
	g := drawBag(bag, rows, zone, width, 0)
	_, err := io.WriteString(p.out, g.String())
	return g.rows, err
}

// drawBag draws a final result, its first limit rows only if limit is not 0, and lines no longer than width if that is not 0.
func drawBag(bag *session.Bag, rows *session.Rows, zone *time.Location, width, limit int) *grid {
	g := newGrid(rows.Schema, zone, width)
	for b := range bag.Rows(rows.Sort) {
		if limit > 0 && g.rows+b.Len() > limit {
			b.Sel = firstRows(b, limit-g.rows)
		}
		g.add(b)
		b.Release()
		if limit > 0 && g.rows >= limit {
			break
		}
	}
	return g
}

// writeBag writes a final result as JSON or CSV.
func (p *printer) writeBag(bag *session.Bag, rows *session.Rows, zone *time.Location) (int, error) {
	writer, err := p.format.writer(p.out, rows, zone)
	if err != nil {
		return 0, err
	}
	n := 0
	for b := range bag.Rows(rows.Sort) {
		n += b.Len()
		if err := writer.Write(b); err != nil {
			return n, err
		}
	}
	return n, writer.Close()
}
