package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// removeEmpty removes what cannot have rows, and what is joined with it.
var removeEmpty = rule{"remove empty", func(_ *Planner, n node) node {
	switch n := n.(type) {
	case *filter, *project, *windowAssign, *over, *unnest, *repeat:
		if isEmpty(n.inputs()[0]) {
			return emptyOf(n)
		}
	case *topN:
		if isEmpty(n.input) || n.to == 0 {
			return emptyOf(n)
		}
	case *aggregate:
		if isEmpty(n.input) && len(n.keys) > 0 && n.sets == nil {
			return emptyOf(n)
		}
	case *union:
		return n.withoutEmpty()
	case *join:
		return n.withoutEmpty()
	}
	return nil
}}

// isEmpty tells whether a plan is known to have no rows.
func isEmpty(n node) bool {
	v, ok := n.(*values)
	return ok && len(v.rows) == 0
}

// emptyOf is no rows of the columns of a node.
func emptyOf(n node) node {
	cols := slices.Clone(n.columns())
	for i := range cols {
		cols[i].role = role{}
	}
	return &values{cols: cols}
}

func (u *union) withoutEmpty() node {
	some := slices.DeleteFunc(slices.Clone(u.ins), isEmpty)
	switch {
	case len(some) == len(u.ins):
		return nil
	case len(some) == 0:
		return emptyOf(u)
	case len(some) == 1:
		return some[0]
	}
	return newUnion(some)
}

// withoutEmpty is what is left of a join if a side has no rows, or no pair meets the condition.
func (j *join) withoutEmpty() node {
	l, constant := j.on.(*expr.Literal)
	never := constant && l.V != true && j.kind != plan.Mark
	left, right := isEmpty(j.left), isEmpty(j.right)
	switch {
	case j.lateral || !left && !right && !never:
		return nil
	case left && right, left && !j.maybeNoLeft(), right && (j.kind == plan.Right || j.kind == plan.Semi || j.kind == plan.Inner),
		never && (j.kind == plan.Inner || j.kind == plan.Semi):
		return emptyOf(j)
	case left && j.kind != plan.Full && j.kind != plan.Right, never && !right && j.kind != plan.Left && j.kind != plan.Anti:
		return nil
	}
	return j.oneSide(left)
}

// oneSide passes the rows of one side on, with NULLs in the columns of the other.
func (j *join) oneSide(right bool) node {
	from, to := j.left, len(j.left.columns())
	if right {
		from = j.right
	}
	passed, _ := passed(from.columns())
	exprs := make([]expr.Expr, 0, len(j.cols))
	for i, c := range j.cols {
		switch {
		case j.kind == plan.Mark && i == to:
			exprs = append(exprs, expr.NewBool(false))
		case right && i >= to:
			exprs = append(exprs, passed[i-to])
		case !right && i < to:
			exprs = append(exprs, passed[i])
		default:
			exprs = append(exprs, expr.NewNull(c.typ))
		}
	}
	return newProject(from, exprs, columnNames(j.cols))
}
