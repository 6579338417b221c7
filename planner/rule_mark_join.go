package planner

import (
	"streamsql/exec/expr"
	"streamsql/plan"
)

// filterByMark makes a semi or an anti join of a mark join whose mark is asked for by a filter.
var filterByMark = rule{"filter by mark", func(_ *Planner, n node) node {
	f, j, ok := filterOver[*join](n)
	if !ok || j.lateral || j.kind != plan.Mark {
		return nil
	}
	mark := j.width()
	var rest []expr.Expr
	var joined node
	for _, term := range expr.Conjuncts(f.condition) {
		switch {
		case joined == nil && isColumnAt(term, mark):
			joined = j.marked(plan.Semi, j.on, true)
		case joined == nil && isNotColumnAt(term, mark):
			joined = j.marked(plan.Anti, notFalse(j.on), false)
		default:
			rest = append(rest, term)
		}
	}
	if joined == nil {
		return nil
	}
	if len(rest) == 0 {
		return joined
	}
	return &filter{joined, and(rest...)}
}}

// marked is the semi or anti join for the rows with one mark, which comes behind its columns.
func (j *join) marked(kind plan.JoinKind, on expr.Expr, mark bool) node {
	joined := j.with(func(j *join) { j.kind, j.on = kind, on })
	exprs, names := passed(joined.cols)
	return newProject(joined, append(exprs, expr.NewBool(mark)), append(names, "matches"))
}

// notFalse is the condition by which a row is a partner even if it is unknown whether it is one.
func notFalse(on expr.Expr) expr.Expr {
	terms := expr.Conjuncts(on)
	out := make([]expr.Expr, len(terms))
	for i, t := range terms {
		out[i] = t
		if t.Nullable() {
			out[i] = test("IS NOT FALSE", t)
		}
	}
	return and(out...)
}

func isColumnAt(x expr.Expr, at int) bool {
	c, ok := x.(*expr.Column)
	return ok && c.Index == at
}

func isNotColumnAt(x expr.Expr, at int) bool {
	c, ok := x.(*expr.Call)
	return ok && c.Fn.Name == "NOT" && isColumnAt(c.Args[0], at)
}
