package planner

import (
	"slices"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/plan"
)

// share lets a statement read each table once: scans of one table become one that reads what any of them does. The plans over them
// that are the same are then made once, as lowering finds out.
func (p *Planner) share(roots []*root) {
	wanted := map[*catalog.Table][]*scan{}
	for _, r := range roots {
		collectScans(r.node, wanted)
	}
	for t, scans := range wanted {
		if len(scans) < 2 {
			delete(wanted, t)
		}
	}
	if len(wanted) == 0 {
		return
	}
	for _, r := range roots {
		if shared := shareScans(r.node, wanted); shared != r.node {
			r.node = p.fixpoint(shared, rules)
		}
	}
}

func collectScans(n node, into map[*catalog.Table][]*scan) {
	if s, ok := n.(*scan); ok {
		into[s.table] = append(into[s.table], s)
	}
	for _, in := range n.inputs() {
		collectScans(in, into)
	}
}

// shareScans puts a choice of the columns of the common scan in the place of each scan.
func shareScans(n node, wanted map[*catalog.Table][]*scan) node {
	if s, ok := n.(*scan); ok {
		return s.fromShared(wanted[s.table])
	}
	old := n.inputs()
	inputs := make([]node, len(old))
	for i, in := range old {
		inputs[i] = shareScans(in, wanted)
	}
	if slices.Equal(inputs, old) {
		return n
	}
	return n.withInputs(inputs)
}

// fromShared is the scan as a choice of the columns that any of the scans picks.
func (s *scan) fromShared(scans []*scan) node {
	var picked []int
	for _, o := range scans {
		picked = together(picked, o.picked)
	}
	slices.Sort(picked)
	if len(picked) <= len(s.picked) {
		return s
	}
	at := make([]int, len(s.picked))
	for i, p := range s.picked {
		at[i] = slices.Index(picked, p)
	}
	return choose(s.pick(picked), at)
}

// samePlan tells whether two plans yield the same rows, and may be made once for both readers.
func samePlan(a, b node) bool {
	if a == b {
		return true
	}
	return sameOperator(a, b) && slices.EqualFunc(a.exprs(), b.exprs(), sameValue) && slices.EqualFunc(a.inputs(), b.inputs(), samePlan)
}

// sameValue tells whether two expressions give the same value for a row, each time they are computed.
func sameValue(a, b expr.Expr) bool { return expr.Equal(a, b) && expr.IsDeterministic(a) }

// sameOperator compares operators without their expressions and inputs.
func sameOperator(a, b node) bool {
	switch a := a.(type) {
	case *scan:
		b, ok := b.(*scan)
		return ok && a.table == b.table && slices.Equal(a.picked, b.picked)
	case *filter:
		_, ok := b.(*filter)
		return ok
	case *project:
		_, ok := b.(*project)
		return ok
	case *union:
		_, ok := b.(*union)
		return ok
	case *windowAssign:
		b, ok := b.(*windowAssign)
		return ok && *a.spec == *b.spec && a.time == b.time && slices.Equal(a.keys, b.keys)
	case *aggregate:
		b, ok := b.(*aggregate)
		return ok && a.sameGroups(b)
	case *join:
		b, ok := b.(*join)
		return ok && a.kind == b.kind && a.single == b.single && a.ttl == b.ttl && (a.asOf == nil) == (b.asOf == nil) &&
			(a.asOf == nil || a.asOf.version == b.asOf.version)
	}
	return false
}

func (a *aggregate) sameGroups(b *aggregate) bool {
	sameCall := func(c, d call) bool { return c.name == d.name && c.filter == d.filter && slices.Equal(c.args, d.args) }
	return slices.Equal(a.keys, b.keys) && slices.EqualFunc(a.calls, b.calls, sameCall) && slices.EqualFunc(a.sets, b.sets, slices.Equal) &&
		a.lateness == b.lateness && a.period == b.period && a.untilEnd == b.untilEnd && sameFiring(a.firing, b.firing)
}

func sameFiring(a, b plan.Firing) bool {
	return a.OnTime == b.OnTime && a.Delay == b.Delay && a.LateRows == b.LateRows && a.Accumulation == b.Accumulation &&
		slices.Equal(a.Early, b.Early) && slices.Equal(a.Late, b.Late)
}
