package planner

import (
	"streamsql/exec/expr"
	"streamsql/plan"
)

// strengthenJoin makes less of an outer join where a filter above it drops the rows that are NULL on one side.
var strengthenJoin = rule{"strengthen outer join", func(p *Planner, n node) node {
	f, j, ok := filterOver[*join](n)
	if !ok || !j.maybeNoLeft() && !j.maybeNoRight() || j.lateral {
		return nil
	}
	kind := j.kind
	if j.maybeNoRight() && p.rejectsNull(f.condition, j, onRight) {
		kind = map[plan.JoinKind]plan.JoinKind{plan.Left: plan.Inner, plan.Full: plan.Right}[kind]
	}
	if (kind == plan.Right || kind == plan.Full) && p.rejectsNull(f.condition, j, onLeft) {
		kind = map[plan.JoinKind]plan.JoinKind{plan.Right: plan.Inner, plan.Full: plan.Left}[kind]
	}
	if kind == j.kind {
		return nil
	}
	return &filter{j.with(func(j *join) { j.kind = kind }), f.condition}
}}

// rejectsNull tells whether a condition cannot be TRUE when all columns of one side are NULL: a term of it is then constant, and
// not TRUE.
func (p *Planner) rejectsNull(condition expr.Expr, j *join, s side) bool {
	n := j.width()
	for _, term := range expr.Conjuncts(condition) {
		if sideOf(term, n) != s || !expr.IsDeterministic(term) {
			continue
		}
		null := p.fold(rewriteColumns(term, func(c *expr.Column) expr.Expr { return expr.NewNull(c.T) }))
		if l, ok := null.(*expr.Literal); ok && l.V != true {
			return true
		}
	}
	return false
}
