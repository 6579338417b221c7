package planner

import "streamsql/exec/expr"

// mergeFilters makes one filter of two. The lower condition stays in front: what it guards stays guarded.
var mergeFilters = rule{"merge filters", func(_ *Planner, n node) node {
	upper, ok := n.(*filter)
	if !ok {
		return nil
	}
	lower, ok := upper.input.(*filter)
	if !ok {
		return nil
	}
	return &filter{lower.input, and(lower.condition, upper.condition)}
}}

// and is the conjunction of conditions, which are BOOLEAN.
func and(terms ...expr.Expr) expr.Expr {
	x, err := expr.And(terms...)
	if err != nil {
		panic("planner: a condition is not BOOLEAN: " + err.Error())
	}
	return x
}

// test is a test of a BOOLEAN, such as IS TRUE.
func test(name string, x expr.Expr) expr.Expr {
	tested, err := expr.NewCall(name, []expr.Expr{x}, expr.Settings{})
	if err != nil {
		panic("planner: " + name + " of what is not BOOLEAN: " + err.Error())
	}
	return tested
}
