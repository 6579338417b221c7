package planner

import "streamsql/exec/expr"

// projectValues puts a projection into the rows it is over.
var projectValues = rule{"project values", func(_ *Planner, n node) node {
	p, ok := n.(*project)
	if !ok {
		return nil
	}
	v, ok := p.input.(*values)
	if !ok || !fixed(v) {
		return nil
	}
	projected := &values{cols: p.cols, rows: make([][]expr.Expr, len(v.rows))}
	for r, row := range v.rows {
		for _, x := range p.values {
			projected.rows[r] = append(projected.rows[r], substitute(x, row))
		}
	}
	return projected
}}

// fixed tells whether all values are the same whenever they are computed.
func fixed(v *values) bool {
	for _, row := range v.rows {
		for _, x := range row {
			if !expr.IsDeterministic(x) {
				return false
			}
		}
	}
	return true
}
