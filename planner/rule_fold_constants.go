package planner

import (
	"slices"

	"streamsql/exec/expr"
)

// foldConstants evaluates what has become constant as expressions were put into each other.
var foldConstants = rule{"fold constants", func(p *Planner, n node) node {
	xs := n.exprs()
	if folded := p.foldAll(xs); !slices.Equal(folded, xs) {
		return n.withExprs(folded)
	}
	return nil
}}

func (p *Planner) fold(x expr.Expr) expr.Expr { return expr.Rewrite(x, p.foldNode) }

func (p *Planner) foldAll(xs []expr.Expr) []expr.Expr {
	folded := make([]expr.Expr, len(xs))
	for i, x := range xs {
		folded[i] = p.fold(x)
	}
	return folded
}

// foldNode makes an expression with literals in it anew, which folds it. What cannot be computed stays, to fail on a row.
func (p *Planner) foldNode(x expr.Expr) expr.Expr {
	var folded expr.Expr
	var err error
	switch x := x.(type) {
	case *expr.Call:
		if hasNull(x.Args) || expr.IsConstant(x) {
			folded, err = expr.NewCall(x.Fn.Name, x.Args, p.settings.Expr)
		}
	case *expr.Cast:
		if isLiteral(x.X) {
			folded, err = expr.NewCast(x.X, x.To, x.Try, p.settings.Expr)
		}
	case *expr.Logic:
		if slices.ContainsFunc(x.Args, isLiteral) {
			combine := expr.And
			if x.Or {
				combine = expr.Or
			}
			folded, err = combine(x.Args...)
		}
	case *expr.Case:
		if slices.ContainsFunc(x.Whens, func(w expr.When) bool { return isLiteral(w.Cond) }) {
			folded, err = expr.NewCase(nil, x.Whens, x.Else, p.settings.Expr)
		}
	}
	if folded == nil || err != nil || expr.Equal(folded, x) {
		return x
	}
	return folded
}

func isLiteral(x expr.Expr) bool {
	_, ok := x.(*expr.Literal)
	return ok
}

func hasNull(args []expr.Expr) bool {
	return slices.ContainsFunc(args, isNull)
}

func isNull(x expr.Expr) bool {
	l, ok := x.(*expr.Literal)
	return ok && l.V == nil
}
