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
	return ok && a.window != nil && (a.firing.Once() || a.firing.Accumulation != plan.Retracting)
}

// ownUpdates says what of the rows it has given an operator changes by itself; it is empty if it changes none.
func ownUpdates(n node) string {
	switch n := n.(type) {
	case *scan:
		if n.changelog != plan.Append {
			return "the rows of table " + n.table.Name
		}
	case *aggregate:
		if !absorbs(n) && len(n.calls) > 0 {
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

// updating finds the operator that is the first to change rows; nil if none does.
func updating(n node) node {
	for _, in := range n.inputs() {
		if u := updating(in); u != nil && !absorbs(n) {
			return u
		}
	}
	if ownUpdates(n) != "" {
		return n
	}
	return nil
}

// placeOf is where an operator that changes rows is written.
func placeOf(n node) (at place, ok bool) {
	switch n := n.(type) {
	case *aggregate:
		return n.at, true
	case *join:
		return n.at, true
	case *over:
		return n.at, true
	case *topN:
		return n.at, true
	}
	return place{}, false
}
