package planner

import (
	"slices"

	"streamsql/exec/expr"
)

// pushFilterIntoProject filters before computing. Conditions over values that differ each time they are computed stay.
var pushFilterIntoProject = rule{"push filter into project", func(_ *Planner, n node) node {
	f, p, ok := filterOver[*project](n)
	if !ok {
		return nil
	}
	return push(f, p, func(x expr.Expr) (expr.Expr, bool) {
		for _, i := range expr.Columns(x) {
			if !expr.IsDeterministic(p.values[i]) {
				return nil, false
			}
		}
		return substitute(x, p.values), true
	})
}}

// pushFilterIntoUnion filters each input.
var pushFilterIntoUnion = rule{"push filter into union", func(_ *Planner, n node) node {
	f, u, ok := filterOver[*union](n)
	if !ok {
		return nil
	}
	ins := make([]node, len(u.ins))
	for i, in := range u.ins {
		ins[i] = &filter{in, f.condition}
	}
	return newUnion(ins)
}}

// pushFilterIntoWindow filters before rows are put into windows, where the condition is not about the windows.
var pushFilterIntoWindow = rule{"push filter into window", func(_ *Planner, n node) node {
	f, w, ok := filterOver[*windowAssign](n)
	if !ok {
		return nil
	}
	return push(f, w, func(x expr.Expr) (expr.Expr, bool) {
		used := expr.Columns(x)
		if w.spec.Kind == "SESSION" { // other rows of a key may hold its sessions together
			return x, readsOnly(x, w.keys)
		}
		return x, len(used) == 0 || used[len(used)-1] < w.bound(0)
	})
}}

// pushFilterIntoAggregate keeps groups from being made that a condition on their keys drops anyway.
var pushFilterIntoAggregate = rule{"push filter into aggregate", func(_ *Planner, n node) node {
	f, a, ok := filterOver[*aggregate](n)
	if !ok {
		return nil
	}
	in := a.input.columns()
	return push(f, a, func(x expr.Expr) (expr.Expr, bool) {
		used := expr.Columns(x)
		if len(used) == 0 || used[len(used)-1] >= len(a.keys) || slices.ContainsFunc(used, func(k int) bool { return !a.inAllSets(k) }) {
			return nil, false
		}
		return rewriteColumns(x, func(c *expr.Column) expr.Expr { return in[a.keys[c.Index]].ref(a.keys[c.Index]) }), true
	})
}}

// filterOver takes a filter over an operator of kind T apart.
func filterOver[T node](n node) (*filter, T, bool) {
	var none T
	f, ok := n.(*filter)
	if !ok {
		return nil, none, false
	}
	below, ok := f.input.(T)
	return f, below, ok
}

// push moves the terms of a filter below the operator under it: those that through gives back over the operator's input. A term
// that can fail stays behind the terms before it, which may guard it. push returns nil if all terms stay.
func push(f *filter, below node, through func(expr.Expr) (expr.Expr, bool)) node {
	var moved, kept []expr.Expr
	for _, term := range expr.Conjuncts(f.condition) {
		guarded := len(kept) > 0 && expr.CanFail(term)
		if x, ok := through(term); ok && !guarded && expr.IsDeterministic(term) {
			moved = append(moved, x)
			continue
		}
		kept = append(kept, term)
	}
	if len(moved) == 0 {
		return nil
	}
	input := below.withInputs([]node{&filter{below.inputs()[0], and(moved...)}})
	if len(kept) == 0 {
		return input
	}
	return &filter{input, and(kept...)}
}
