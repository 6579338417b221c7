package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// simplifyTests leaves out tests that change nothing: of what is never NULL, and of what is a condition, where NULL does what FALSE
// does.
var simplifyTests = rule{"simplify tests", func(_ *Planner, n node) node {
	xs := n.exprs()
	simple := rewriteAll(xs, func(x expr.Expr) expr.Expr { return expr.Rewrite(x, withoutTest) })
	if isCondition(n) {
		simple[0] = asCondition(simple[0])
	}
	if slices.Equal(simple, xs) {
		return nil
	}
	return n.withExprs(simple)
}}

// isCondition tells whether the first expression of an operator decides by being TRUE or not.
func isCondition(n node) bool {
	j, isJoin := n.(*join)
	_, isFilter := n.(*filter)
	return isFilter || isJoin && j.kind != plan.Mark
}

// withoutTest is the condition itself if its test says the same, as it is never NULL.
func withoutTest(x expr.Expr) expr.Expr {
	c, ok := x.(*expr.Call)
	if ok && (c.Fn.Name == "IS TRUE" || c.Fn.Name == "IS NOT FALSE") && !c.Args[0].Nullable() {
		return c.Args[0]
	}
	return x
}

// asCondition leaves out IS TRUE around the terms of a condition.
func asCondition(x expr.Expr) expr.Expr {
	terms := expr.Conjuncts(x)
	simple := make([]expr.Expr, len(terms))
	for i, t := range terms {
		simple[i] = t
		if c, ok := t.(*expr.Call); ok && c.Fn.Name == "IS TRUE" {
			simple[i] = asCondition(c.Args[0])
		}
	}
	if slices.Equal(simple, terms) {
		return x
	}
	return and(simple...)
}
