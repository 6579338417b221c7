package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// completeWindow adds to a join of windows by one bound that the other one is equal too, where it cannot be otherwise: windows of one
// size that start together end together, and each end of CUMULATE has one start.
var completeWindow = rule{"complete window condition", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral || j.class.word == "window" {
		return nil
	}
	keys, _ := j.split()
	for _, k := range keys {
		start, isStart := j.windowColumn(k, windowStart)
		end, isEnd := j.windowColumn(k, windowEnd)
		var other roleKind
		switch {
		case isStart && (start.window.Kind == "TUMBLE" || start.window.Kind == "HOP"):
			other = windowEnd
		case isEnd && end.window.Kind != "SESSION":
			other = windowStart
		default:
			continue
		}
		if term := j.otherBound(k, other); term != nil {
			return j.with(func(j *join) { j.on = and(append(withoutTrue(j.on), term)...) })
		}
	}
	return nil
}}

// otherBound is the condition that the other bounds of the windows of a key are equal; nil if it is there, or a side lacks the bound.
func (j *join) otherBound(k plan.JoinKey, other roleKind) expr.Expr {
	l := boundOf(j.left.columns(), j.left.columns()[k.Left].role, other)
	r := boundOf(j.right.columns(), j.right.columns()[k.Right].role, other)
	if l < 0 || r < 0 {
		return nil
	}
	keys, _ := j.split()
	if slices.ContainsFunc(keys, func(o plan.JoinKey) bool { return o.Left == l && o.Right == r }) {
		return nil
	}
	term, err := expr.NewCall("=", []expr.Expr{j.left.columns()[l].ref(l), j.right.columns()[r].ref(r + j.width())}, expr.Settings{})
	if err != nil {
		return nil
	}
	return term
}

// boundOf is the column that is a bound of the window of another column, -1 if there is none.
func boundOf(cols []column, of role, kind roleKind) int {
	return slices.IndexFunc(cols, func(c column) bool { return c.role == of.sibling(kind) })
}
