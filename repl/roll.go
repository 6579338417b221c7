package repl

import (
	"io"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	prettytext "github.com/jedib0t/go-pretty/v6/text"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// roll draws a table that has no end: rows below each other as they come, in columns that widen when they have to.
type roll struct {
	schema *arrow.Schema
	style  *text.Style
	cols   []text.Column // reused
	widths []int
	begun  bool
}

func newRoll(schema *arrow.Schema, zone *time.Location) *roll {
	return &roll{schema: schema, style: text.SQL(zone), cols: make([]text.Column, schema.NumFields()), widths: make([]int, schema.NumFields())}
}

// write draws the rows of a batch, which stays the caller's. Above the first rows stands the header.
func (r *roll) write(w io.Writer, b vec.Batch) error {
	rows := make([][]string, b.Len())
	for i := range rows {
		rows[i] = make([]string, len(r.cols))
	}
	for c := range r.cols {
		r.cols[c].Render(b.Cols[c], b.Sel, r.style)
		for i := range rows {
			rows[i][c] = printable(string(r.cols[c].Row(i)))
		}
	}
	var lines strings.Builder
	if !r.begun {
		rows = append([][]string{r.names()}, rows...)
	}
	r.widen(rows)
	for _, row := range rows {
		r.line(&lines, row)
		if !r.begun {
			r.begun = true
			r.rule(&lines)
		}
	}
	_, err := io.WriteString(w, lines.String())
	return err
}

func (r *roll) names() []string {
	names := make([]string, r.schema.NumFields())
	for i, f := range r.schema.Fields() {
		names[i] = printable(f.Name)
	}
	return names
}

func (r *roll) widen(rows [][]string) {
	for _, row := range rows {
		for c, cell := range row {
			r.widths[c] = max(r.widths[c], prettytext.StringWidthWithoutEscSequences(cell))
		}
	}
}

func (r *roll) line(b *strings.Builder, row []string) {
	cells := make([]string, len(row))
	for c, cell := range row {
		cells[c] = alignment(r.schema.Field(c).Type).Apply(cell, r.widths[c])
	}
	b.WriteString(strings.TrimRight(" "+strings.Join(cells, " │ "), " ") + "\n")
}

func (r *roll) rule(b *strings.Builder) {
	parts := make([]string, len(r.widths))
	for c, w := range r.widths {
		parts[c] = strings.Repeat("─", w+2)
	}
	b.WriteString(strings.Join(parts, "┼") + "\n")
}
