package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// values yields literal rows. A SELECT without FROM reads one row without columns.
type values struct {
	cols []column
	rows [][]expr.Expr
}

func (v *values) columns() []column      { return v.cols }
func (v *values) inputs() []node         { return nil }
func (v *values) withInputs([]node) node { return v }

// exprs are the cells, row by row.
func (v *values) exprs() []expr.Expr { return slices.Concat(v.rows...) }

func (v *values) withExprs(xs []expr.Expr) node {
	changed := &values{cols: v.cols, rows: make([][]expr.Expr, len(v.rows))}
	width := len(v.cols)
	for i := range v.rows {
		changed.rows[i] = xs[i*width : (i+1)*width]
	}
	return changed
}

func (v *values) prune(used []bool) (node, []int) {
	moved := make([]int, len(v.cols))
	pruned := &values{rows: make([][]expr.Expr, len(v.rows))}
	for i, c := range v.cols {
		moved[i] = -1
		if !used[i] {
			continue
		}
		moved[i] = len(pruned.cols)
		pruned.cols = append(pruned.cols, c)
		for r, row := range v.rows {
			pruned.rows[r] = append(pruned.rows[r], row[i])
		}
	}
	return pruned, moved
}

// shownRows is how many rows a picture of a plan spells out.
const shownRows = 3

func (v *values) String() string {
	var rows []string
	for _, row := range v.rows[:min(shownRows, len(v.rows))] {
		cells := make([]string, len(row))
		for i, x := range row {
			cells[i] = x.String()
		}
		rows = append(rows, "("+strings.Join(cells, ", ")+")")
	}
	if more := len(v.rows) - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("… %d more", more))
	}
	if len(rows) == 0 {
		return "Values, no rows"
	}
	return "Values " + strings.Join(rows, ", ")
}

func (v *values) lower(l *lowering) (int, error) {
	op := &plan.Values{Schema: schemaOf(v.cols), Rows: v.rows}
	return l.source("values", op, v.cols, plan.Append, 1), nil
}
