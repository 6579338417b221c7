package planner

import "slices"

// removeDistinct removes a grouping without aggregates by what is different in all rows anyway. Without keys it is no grouping: it gives
// one row, also for an input that has none.
var removeDistinct = rule{"remove distinct", func(_ *Planner, n node) node {
	a, ok := n.(*aggregate)
	if !ok || len(a.calls) > 0 || len(a.keys) == 0 || a.sets != nil {
		return nil
	}
	key := keyOf(a.input)
	if key == nil || slices.ContainsFunc(key, func(k int) bool { return !slices.Contains(a.keys, k) }) {
		return nil
	}
	return choose(a.input, a.keys)
}}
