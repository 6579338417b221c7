package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// mostMarked is how many literal rows are compared one by one.
const mostMarked = 64

// markValues compares with each of the few literal rows that a join only asks about: x IN (VALUES (1), (2)) is x = 1 OR x = 2.
var markValues = rule{"mark values", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral || j.givesRight() {
		return nil
	}
	v, ok := j.right.(*values)
	if !ok || len(v.rows) > mostMarked || !fixed(v) || slices.ContainsFunc(v.exprs(), expr.CanFail) {
		return nil
	}
	left, _ := passed(j.left.columns())
	some := expr.Expr(expr.NewBool(false))
	for _, row := range v.rows {
		some = or(some, substitute(j.on, slices.Concat(left, row)))
	}
	switch j.kind {
	case plan.Semi:
		return &filter{j.left, some}
	case plan.Anti:
		return &filter{j.left, test("IS NOT TRUE", some)}
	}
	return newProject(j.left, append(left, some), columnNames(j.cols))
}}

// or is TRUE where one of two conditions is.
func or(a, b expr.Expr) expr.Expr {
	x, err := expr.Or(a, b)
	if err != nil {
		panic("planner: a condition is not BOOLEAN: " + err.Error())
	}
	return x
}
