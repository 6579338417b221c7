package planner

import (
	"slices"
	"strings"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/exec/window"
	"streamsql/plan"
)

// aggregate makes one row of all rows that agree on the keys: the keys, then the calls' results. Without keys it makes one row
// of all, or of none.
type aggregate struct {
	input node
	keys  []int // columns of the input
	calls []call
	// sets, if there are any, are the GROUPING SETS: each groups by some of the keys, as positions among these. The other keys are NULL
	// in its groups, and a last column tells the set.
	sets [][]int
	// window is set where two of the keys bound a window: its groups are final once the watermark has passed its end.
	window *plan.GroupWindow
	cols   []column
	at     place
	ttl    int64 // as in plan.Aggregate
	// When groups give results: how long windows take rows behind their end, what EMIT says, and where.
	lateness int64
	firing   plan.Firing
	period   int64
	untilEnd bool // groups without a window wait for the end of the input
	emitAt   place
}

// call is one aggregate over columns of the input.
type call struct {
	agg.Call
	options agg.Options
	args    []int
	filter  int    // a BOOLEAN column, or -1
	name    string // SQL text
}

func newAggregate(input node, keys []int, calls []call, at place) *aggregate {
	return aggregate{input: input, keys: keys, calls: calls, at: at}.complete()
}

// complete is the aggregate with its columns.
func (a aggregate) complete() *aggregate {
	in := a.input.columns()
	a.cols, a.window = nil, nil
	for i, k := range a.keys {
		c := in[k]
		if !a.inAllSets(i) {
			c.nullable, c.role = true, role{}
		}
		a.cols = append(a.cols, c)
	}
	for _, c := range a.calls {
		a.cols = append(a.cols, column{name: c.name, typ: c.Result, nullable: c.Nullable})
	}
	if a.sets != nil {
		a.cols = append(a.cols, column{name: "grouping set", typ: expr.BigInt})
	}
	a.window = windowOf(a.cols[:len(a.keys)])
	a.forgetTimes()
	return &a
}

// inAllSets tells whether every group has a value of the key.
func (a *aggregate) inAllSets(key int) bool {
	return !slices.ContainsFunc(a.sets, func(set []int) bool { return !slices.Contains(set, key) })
}

// forgetTimes takes away the roles of columns other than the window's: groups come when their window is over, or at any time.
func (a *aggregate) forgetTimes() {
	var own *window.Spec
	if a.window != nil {
		own = a.cols[a.window.Start].role.window
	}
	for i, c := range a.cols {
		if own == nil || c.role.window != own {
			a.cols[i].role = role{}
		}
	}
}

// windowOf finds the start and the end of one window among keys.
func windowOf(keys []column) *plan.GroupWindow {
	for i, start := range keys {
		if start.role.kind != windowStart {
			continue
		}
		end := slices.IndexFunc(keys, func(c column) bool { return c.role == start.role.sibling(windowEnd) })
		if end >= 0 {
			return &plan.GroupWindow{Start: i, End: end}
		}
	}
	return nil
}

func (a *aggregate) columns() []column  { return a.cols }
func (a *aggregate) inputs() []node     { return []node{a.input} }
func (a *aggregate) exprs() []expr.Expr { return nil }

func (a *aggregate) withExprs([]expr.Expr) node { return a }

func (a *aggregate) withInputs(in []node) node {
	changed := *a
	changed.input = in[0]
	return changed.complete()
}

// prune keeps all keys, which make the groups.
func (a *aggregate) prune(used []bool) (node, []int) {
	need := make([]bool, len(a.input.columns()))
	for _, k := range a.keys {
		need[k] = true
	}
	moved := make([]int, len(a.cols))
	var kept []call
	for i := range a.keys {
		moved[i] = i
	}
	for i, c := range a.calls {
		at := len(a.keys) + i
		moved[at] = -1
		if used[at] {
			moved[at] = len(a.keys) + len(kept)
			kept = append(kept, c)
			c.reads(need)
		}
	}
	if a.sets != nil {
		moved[len(moved)-1] = len(a.keys) + len(kept)
	}
	input, shift := a.input.prune(need)
	keys := make([]int, len(a.keys))
	for i, k := range a.keys {
		keys[i] = shift[k]
	}
	for i := range kept {
		kept[i] = kept[i].moved(shift)
	}
	changed := *a
	changed.input, changed.keys, changed.calls = input, keys, kept
	return changed.complete(), moved
}

// reads marks the columns the call needs.
func (c call) reads(need []bool) {
	for _, a := range c.args {
		need[a] = true
	}
	if c.filter >= 0 {
		need[c.filter] = true
	}
}

// moved is the call over columns at other positions.
func (c call) moved(shift []int) call {
	args := make([]int, len(c.args))
	for i, a := range c.args {
		args[i] = shift[a]
	}
	c.args = args
	if c.filter >= 0 {
		c.filter = shift[c.filter]
	}
	return c
}

func (a *aggregate) String() string {
	text := "Aggregate"
	if a.window != nil {
		text = "Window aggregate"
	}
	switch names := columnNames(a.cols[:len(a.keys)]); {
	case a.sets != nil:
		text += " by GROUPING SETS (" + setsText(names, a.sets) + ")"
	case len(names) > 0:
		text += " by " + strings.Join(names, ", ")
	}
	if len(a.calls) > 0 {
		text += ": " + strings.Join(a.callNames(), ", ")
	}
	return text
}

func (a *aggregate) callNames() []string {
	return columnNames(a.cols[len(a.keys) : len(a.keys)+len(a.calls)])
}

// setsText lists sets of keys: (a, b), (a), ().
func setsText(names []string, sets [][]int) string {
	texts := make([]string, len(sets))
	for i, set := range sets {
		keys := make([]string, len(set))
		for j, k := range set {
			keys[j] = names[k]
		}
		texts[i] = "(" + strings.Join(keys, ", ") + ")"
	}
	return strings.Join(texts, ", ")
}

// distinct keeps one row of those that are equal.
func (b *binder) distinct(in node, at place) (node, error) {
	in, err := b.concrete(in)
	if err != nil {
		return nil, err
	}
	keys := make([]int, len(in.columns()))
	for i := range keys {
		keys[i] = i
	}
	return newAggregate(in, keys, nil, at), nil
}

// updates describes what of the rows it has given the aggregate changes, for messages: "SUM(a) for each k".
func (a *aggregate) updates() string {
	text := strings.Join(a.callNames(), ", ")
	if len(a.keys) == 0 {
		return text
	}
	return text + " for each " + strings.Join(columnNames(a.cols[:len(a.keys)]), ", ")
}

// firstN is 0, 1, … n-1.
func firstN(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
