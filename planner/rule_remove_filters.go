package planner

import "streamsql/exec/expr"

// removeFilters removes a filter that keeps all rows, and everything below one that keeps none.
var removeFilters = rule{"remove filters", func(_ *Planner, n node) node {
	f, ok := n.(*filter)
	if !ok {
		return nil
	}
	l, ok := f.condition.(*expr.Literal)
	switch {
	case !ok:
		return nil
	case l.V == true:
		return f.input
	}
	return &values{cols: f.columns()}
}}
