package planner

import "streamsql/plan"

// appends tells whether the rows of a plan, once given, stay as they are, whenever its input ends.
func appends(n node) bool {
	for _, in := range n.inputs() {
		if !appends(in) && !absorbs(n) {
			return false
		}
	}
	return ownUpdates(n) == ""
}

// absorbs tells whether an operator gives rows that stay over inputs whose rows change.
func absorbs(n node) bool {
	a, ok := n.(*aggregate)
	return ok && a.window != nil
}

// ownUpdates says what of the rows it has given an operator changes by itself; it is empty if it changes none.
func ownUpdates(n node) string {
	switch n := n.(type) {
	case *scan:
		if n.changelog != plan.Append {
			return "the rows of table " + n.table.Name
		}
	case *aggregate:
		if n.window == nil && len(n.calls) > 0 {
			return n.updates()
		}
	case *join:
		if n.class.word == "" && n.kind != plan.Inner && n.kind != plan.Semi {
			return "rows of the " + lowerFirst(joinWords[n.kind]) + " join, when a partner comes late"
		}
	case *over:
		if n.time() < 0 {
			return "values over rows around each row, in another order than that of time"
		}
	case *topN:
		if n.window() == nil && (!n.deduplicates() || n.order[0].Descending) {
			return "which rows are the " + lowerFirst(n.text())
		}
	}
	return ""
}

// updating finds the operator that is the first to change rows, and says what it changes.
func updating(n node) (at place, what string) {
	for _, in := range n.inputs() {
		if at, what = updating(in); what != "" && !absorbs(n) {
			return at, what
		}
	}
	if what = ownUpdates(n); what == "" {
		return place{}, ""
	}
	switch n := n.(type) {
	case *aggregate:
		at = n.at
	case *join:
		at = n.at
	case *over:
		at = n.at
	case *topN:
		at = n.at
	}
	return at, what
}
