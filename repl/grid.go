package repl

import (
	"strings"
	"time"
	"unicode"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/jedib0t/go-pretty/v6/table"
	prettytext "github.com/jedib0t/go-pretty/v6/text"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// grid draws rows as a table.
type grid struct {
	writer  table.Writer
	columns []table.ColumnConfig
	style   *text.Style
	cols    []text.Column // reused
	widths  []int         // of the columns' longest cells
	rows    int
	limit   int // of a line, 0 for none
}

// newGrid returns an empty table. Its lines are no longer than limit if that is not 0: long cells are cut for it.
func newGrid(schema *arrow.Schema, zone *time.Location, limit int) *grid {
	n := schema.NumFields()
	g := &grid{
		writer: table.NewWriter(), style: text.SQL(zone), limit: limit,
		columns: make([]table.ColumnConfig, n), cols: make([]text.Column, n), widths: make([]int, n),
	}
	style := table.StyleLight
	style.Format.Header = prettytext.FormatDefault
	g.writer.SetStyle(style)
	header := make(table.Row, n)
	for i, f := range schema.Fields() {
		header[i] = g.cell(i, f.Name)
		g.columns[i] = table.ColumnConfig{Number: i + 1, Align: alignment(f.Type), AlignHeader: alignment(f.Type)}
	}
	g.writer.AppendHeader(header)
	return g
}

// cell is a value as it is shown in column i.
func (g *grid) cell(i int, value string) string {
	value = printable(value)
	g.widths[i] = max(g.widths[i], prettytext.StringWidthWithoutEscSequences(value))
	return value
}

// alignment puts numbers to the right.
func alignment(t arrow.DataType) prettytext.Align {
	if arrow.IsInteger(t.ID()) || arrow.IsFloating(t.ID()) || arrow.IsDecimal(t.ID()) {
		return prettytext.AlignRight
	}
	return prettytext.AlignLeft
}

// add appends the rows of a batch, which stays the caller's.
func (g *grid) add(b vec.Batch) {
	for i := range g.cols {
		g.cols[i].Render(b.Cols[i], b.Sel, g.style)
	}
	for row := range b.Len() {
		cells := make(table.Row, len(g.cols))
		for i := range g.cols {
			cells[i] = g.cell(i, string(g.cols[i].Row(row)))
		}
		g.writer.AppendRow(cells)
	}
	g.rows += b.Len()
}

// String is the table, with a line break at its end.
func (g *grid) String() string {
	if g.limit > 0 {
		g.fit()
	}
	g.writer.SetColumnConfigs(g.columns)
	return g.writer.Render() + "\n"
}

// Widths of a table's frame and of the narrowest column that still says something, in cells.
const (
	frameWidth   = 3 // for each column, and one for the table
	narrowColumn = 6
)

// fit narrows the widest columns until the lines are short enough.
func (g *grid) fit() {
	total := 1
	for _, w := range g.widths {
		total += w + frameWidth
	}
	for total > g.limit {
		widest := 0
		for i, w := range g.widths {
			if w > g.widths[widest] {
				widest = i
			}
		}
		if g.widths[widest] <= narrowColumn {
			return
		}
		g.widths[widest]--
		total--
		g.columns[widest].WidthMax = g.widths[widest]
		g.columns[widest].WidthMaxEnforcer = cutCell
	}
}

func cutCell(cell string, width int) string { return prettytext.Snip(cell, width, "…") }

// printable replaces what would disturb a terminal: line breaks and other control characters.
func printable(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
