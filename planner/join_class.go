package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// joinClass is how a join can be run: the time in its condition, or its windows, may bound what has to be kept.
type joinClass struct {
	word     string // "", "interval", "window" or "temporal"
	interval *interval
	windows  [2]windowBounds
}

// windowBounds are the columns of an input that bound its window.
type windowBounds struct{ start, end int }

// classify finds the way to run the join. Times and windows say something about rows that never change only.
func (j *join) classify() joinClass {
	switch {
	case j.asOf != nil:
		return joinClass{word: "temporal"}
	case j.lateral || j.single || j.kind == plan.Mark || !appends(j.left) || !appends(j.right):
		return joinClass{}
	}
	if w, ok := j.commonWindow(); ok {
		return joinClass{word: "window", windows: w}
	}
	if i, ok := j.interval(); ok {
		return joinClass{word: "interval", interval: i}
	}
	return joinClass{}
}

// commonWindow finds the windows of both inputs that the keys make equal.
func (j *join) commonWindow() (bounds [2]windowBounds, ok bool) {
	keys, _ := j.split()
	for _, k := range keys {
		start, isStart := j.windowColumn(k, windowStart)
		if !isStart {
			continue
		}
		for _, o := range keys {
			if end, isEnd := j.windowColumn(o, windowEnd); isEnd && end.window == start.window {
				return [2]windowBounds{{k.Left, o.Left}, {k.Right, o.Right}}, true
			}
		}
	}
	return bounds, false
}

// windowColumn tells whether both columns of a key are the same bound of windows that are alike, and which the left one is.
func (j *join) windowColumn(k plan.JoinKey, kind roleKind) (role, bool) {
	l, r := j.left.columns()[k.Left].role, j.right.columns()[k.Right].role
	return l, l.kind == kind && r.kind == kind && *l.window == *r.window && l.processing == r.processing
}

// settleRoles takes the meaning for time from the columns that come too late for it: the rows of a regular join come at any time.
func (j *join) settleRoles() {
	class, n := j.class, j.width()
	for i, c := range j.cols {
		keep := false
		switch class.word {
		case "interval":
			keep = c.role.kind == eventTime || c.role.kind == windowTime
		case "window":
			keep = c.role.window != nil && j.joinedBy(class, c.role)
		case "temporal":
			keep = i < n
		}
		if !keep {
			j.cols[i].role = role{}
		}
	}
}

// joinedBy tells whether a column belongs to the windows that are joined.
func (j *join) joinedBy(class joinClass, r role) bool {
	left := j.left.columns()[class.windows[0].start].role.window
	return *r.window == *left
}

// beyond leaves out the terms that the class makes superfluous.
func (c joinClass) beyond(terms []expr.Expr) []expr.Expr {
	if c.interval == nil {
		return terms
	}
	return slices.DeleteFunc(slices.Clone(terms), func(t expr.Expr) bool { return slices.Contains(c.interval.terms, t) })
}

// operator is the join of the class.
func (c joinClass) operator(j *join, op plan.Join) plan.Op {
	switch c.word {
	case "interval":
		i := c.interval
		return &plan.IntervalJoin{Join: op, Times: i.times, Lower: i.lower, Upper: i.upper}
	case "window":
		w := &plan.WindowJoin{Join: op}
		for i, in := range j.inputs() {
			b := c.windows[i]
			start := in.columns()[b.start].role
			w.Windows[i] = plan.GroupWindow{Start: b.start, End: b.end, Name: windowText(start.window, ""), Processing: start.processing}
		}
		return w
	case "temporal":
		t := &plan.TemporalJoin{Join: op, Time: -1, Version: -1}
		if j.asOf.time != nil {
			t.Time, t.Version = j.asOf.time.(*expr.Column).Index, j.asOf.version
		}
		return t
	}
	return &op
}

// settle tells the operators of a plan that the rules are done.
func settle(n node) node {
	old := n.inputs()
	inputs := make([]node, len(old))
	for i, in := range old {
		inputs[i] = settle(in)
	}
	if !slices.Equal(inputs, old) {
		n = n.withInputs(inputs)
	}
	switch n := n.(type) {
	case *join:
		return n.with(func(j *join) { j.settled = true })
	case *over:
		settled := *n
		settled.settled = true
		return settled.complete()
	}
	return n
}
