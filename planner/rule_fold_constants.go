package planner

import (
	"slices"

	"streamsql/exec/expr"
)

// foldConstants evaluates what has become constant as expressions were put into each other.
var foldConstants = rule{"fold constants", func(p *Planner, n node) node {
	switch n := n.(type) {
	case *filter:
		if x := p.fold(n.condition); x != n.condition {
			return &filter{n.input, x}
		}
	case *project:
		if exprs := p.foldAll(n.exprs); !slices.Equal(exprs, n.exprs) {
			return newProject(n.input, exprs, n.names())
		}
	case *values:
		folded := &values{cols: n.cols, rows: make([][]expr.Expr, len(n.rows))}
		for i, row := range n.rows {
			folded.rows[i] = p.foldAll(row)
		}
		if !slices.EqualFunc(folded.rows, n.rows, slices.Equal) {
			return folded
		}
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
	return slices.ContainsFunc(args, func(x expr.Expr) bool {
		l, ok := x.(*expr.Literal)
		return ok && l.V == nil
	})
}
