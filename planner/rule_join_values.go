package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// joinOneRow computes the columns of the one literal row that all rows are joined with.
var joinOneRow = rule{"join one row", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral || j.kind != plan.Inner || j.asOf != nil {
		return nil
	}
	left, right := literalRow(j.left), literalRow(j.right)
	input := j.left
	switch {
	case right != nil:
		exprs, _ := passed(j.left.columns())
		left = exprs
	case left != nil:
		input = j.right
		right, _ = passed(j.right.columns())
	default:
		return nil
	}
	values := slices.Concat(left, right)
	if !isTrue(j.on) {
		input = &filter{input, substitute(j.on, values)}
	}
	return newProject(input, values, columnNames(j.cols))
}}

// literalRow is the row of a plan that is one row, the same whenever it is computed; nil if it is something else.
func literalRow(n node) []expr.Expr {
	v, ok := n.(*values)
	if !ok || len(v.rows) != 1 || !fixed(v) || slices.ContainsFunc(v.rows[0], expr.CanFail) {
		return nil
	}
	return append([]expr.Expr{}, v.rows[0]...) // not nil if it has no columns
}
