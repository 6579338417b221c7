package planner

import "streamsql/exec/expr"

// mergeProjects makes one projection of two. A value that differs each time it is computed is not computed twice.
var mergeProjects = rule{"merge projects", func(_ *Planner, n node) node {
	upper, ok := n.(*project)
	if !ok {
		return nil
	}
	lower, ok := upper.input.(*project)
	if !ok {
		return nil
	}
	for i, x := range lower.values {
		if !expr.IsDeterministic(x) && !once(i, upper.values) {
			return nil
		}
	}
	exprs := make([]expr.Expr, len(upper.values))
	for i, x := range upper.values {
		exprs[i] = substitute(x, lower.values)
	}
	return newProject(lower.input, exprs, upper.names())
}}

// once tells whether a column is read at most once by the expressions.
func once(column int, exprs []expr.Expr) bool {
	n := 0
	for _, x := range exprs {
		expr.Walk(x, func(x expr.Expr) bool {
			if c, ok := x.(*expr.Column); ok && c.Index == column {
				n++
			}
			return true
		})
	}
	return n <= 1
}
