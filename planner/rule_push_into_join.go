package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// pushFilterIntoJoin filters the inputs of a join where a term is about one of them, and makes terms about both part of the condition
// of an inner join. What can fail is not asked of rows that the join may drop.
var pushFilterIntoJoin = rule{"push filter into join", func(_ *Planner, n node) node {
	f, j, ok := filterOver[*join](n)
	if !ok || j.lateral {
		return nil
	}
	d := division{width: j.width()}
	for _, term := range expr.Conjuncts(f.condition) {
		to := j.takes(term)
		if len(d.kept) > 0 && expr.CanFail(term) {
			to = neither // what stays may guard it
		}
		d.add(term, to)
	}
	if len(d.left)+len(d.right)+len(d.both) == 0 {
		return nil
	}
	joined := node(j.with(func(j *join) {
		j.left, j.right = d.filtered(j)
		j.on = and(append(withoutTrue(j.on), d.both...)...)
	}))
	if len(d.kept) > 0 {
		joined = &filter{joined, and(d.kept...)}
	}
	return joined
}}

// takes tells where a term over the join's output can be moved to: to the inputs whose rows the join always passes on, or to both
// as a condition.
func (j *join) takes(term expr.Expr) side {
	if !expr.IsDeterministic(term) {
		return neither
	}
	n := j.width()
	if !j.givesRight() && slices.ContainsFunc(expr.Columns(term), func(i int) bool { return i >= n }) {
		return neither // it is about what a mark join says
	}
	switch s := sideOf(term, n); {
	case expr.CanFail(term) && s != onBoth:
	case s == onLeft && !j.maybeNoLeft(), s == onRight && !j.maybeNoRight() && j.asOf == nil:
		return s
	case s == onBoth && j.kind == plan.Inner && !anyOuter(term) && j.asOf == nil:
		return s
	}
	return neither
}

// pushJoinCondition filters the inputs of a join by terms of its condition that are about one of them, where rows that are left out
// have no partner and are not given without one.
var pushJoinCondition = rule{"push join condition", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral || j.asOf != nil {
		return nil
	}
	d := division{width: j.width()}
	for _, term := range expr.Conjuncts(j.on) {
		d.add(term, j.needs(term))
	}
	if len(d.left)+len(d.right) == 0 {
		return nil
	}
	return j.with(func(j *join) {
		j.left, j.right = d.filtered(j)
		j.on = and(d.kept...)
	})
}}

// needs tells which input can be filtered by a term of the condition.
func (j *join) needs(term expr.Expr) side {
	if expr.CanFail(term) || !expr.IsDeterministic(term) || isTrue(term) {
		return neither
	}
	switch s := sideOf(term, j.width()); {
	case s == onLeft && (j.kind == plan.Inner || j.kind == plan.Semi || j.kind == plan.Right):
		return s
	case s == onRight && j.kind != plan.Right && j.kind != plan.Full && (j.kind != plan.Mark || !term.Nullable()):
		return s
	}
	return neither
}

// division deals the terms of a condition out to the inputs of a join.
type division struct {
	width                   int // columns of the left input
	left, right, both, kept []expr.Expr
}

func (d *division) add(term expr.Expr, to side) {
	switch to {
	case onLeft:
		d.left = append(d.left, term)
	case onRight:
		d.right = append(d.right, shift(term, -d.width))
	case onBoth:
		d.both = append(d.both, term)
	default:
		d.kept = append(d.kept, term)
	}
}

// filtered is the inputs of the join under the terms that are about them.
func (d *division) filtered(j *join) (left, right node) {
	left, right = j.left, j.right
	if len(d.left) > 0 {
		left = &filter{left, and(d.left...)}
	}
	if len(d.right) > 0 {
		right = &filter{right, and(d.right...)}
	}
	return left, right
}

// shift moves the columns of an expression by so many places; those of queries around stay.
func shift(x expr.Expr, by int) expr.Expr {
	return rewriteColumns(x, func(c *expr.Column) expr.Expr {
		if isOuter(c) {
			return c
		}
		moved := *c
		moved.Index += by
		return &moved
	})
}

// withoutTrue lists the terms of a condition; there are none if it is TRUE.
func withoutTrue(x expr.Expr) []expr.Expr {
	if isTrue(x) {
		return nil
	}
	return slices.Clone(expr.Conjuncts(x))
}
