package planner

import (
	"fmt"
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
	// window is set where two of the keys bound a window: its groups are final once the watermark has passed its end.
	window *plan.GroupWindow
	cols   []column
	at     place
}

// call is one aggregate over columns of the input.
type call struct {
	agg.Call
	distinct bool
	args     []int
	filter   int    // a BOOLEAN column, or -1
	name     string // SQL text
}

func newAggregate(input node, keys []int, calls []call, at place) *aggregate {
	a := &aggregate{input: input, keys: keys, calls: calls, at: at}
	in := input.columns()
	for _, k := range keys {
		a.cols = append(a.cols, in[k])
	}
	for _, c := range calls {
		a.cols = append(a.cols, column{name: c.name, typ: c.Result, nullable: c.Nullable})
	}
	a.window = windowOf(a.cols[:len(keys)])
	a.forgetTimes()
	return a
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
		end := slices.IndexFunc(keys, func(c column) bool { return c.role == role{windowEnd, start.role.window} })
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

func (a *aggregate) withInputs(in []node) node { return newAggregate(in[0], a.keys, a.calls, a.at) }

// prune keeps all keys, which make the groups.
func (a *aggregate) prune(used []bool) (node, []int) {
	need := make([]bool, len(a.input.columns()))
	for _, k := range a.keys {
		need[k] = true
	}
	moved := make([]int, len(a.cols))
	var kept []call
	for i := range a.cols {
		moved[i] = i
		if i < len(a.keys) {
			continue
		}
		c := a.calls[i-len(a.keys)]
		moved[i] = -1
		if used[i] {
			moved[i] = len(a.keys) + len(kept)
			kept = append(kept, c)
			c.reads(need)
		}
	}
	input, shift := a.input.prune(need)
	keys := make([]int, len(a.keys))
	for i, k := range a.keys {
		keys[i] = shift[k]
	}
	for i := range kept {
		kept[i] = kept[i].moved(shift)
	}
	return newAggregate(input, keys, kept, a.at), moved
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
	if len(a.keys) > 0 {
		text += " by " + strings.Join(columnNames(a.cols[:len(a.keys)]), ", ")
	}
	if len(a.calls) > 0 {
		text += ": " + strings.Join(columnNames(a.cols[len(a.keys):]), ", ")
	}
	return text
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
	names := columnNames(a.cols)
	text := strings.Join(names[len(a.keys):], ", ")
	if len(a.keys) == 0 {
		return text
	}
	return text + " for each " + strings.Join(names[:len(a.keys)], ", ")
}

func (a *aggregate) lower(l *lowering) (int, error) {
	input, err := l.lower(a.input)
	if err != nil {
		return 0, err
	}
	op, err := a.operator(l, input)
	if err != nil {
		return 0, err
	}
	log := a.changelog(op)
	if l.settings.SinglePhase || !mergeable(op) {
		return l.exchange("aggregate", &op, a.cols, log, input, a.keys), nil
	}
	partial, final := op, op
	partial.Phase, final.Phase = plan.Partial, plan.Final
	first := l.chain("preaggregate", &partial, a.partialColumns(op), input)
	final.Keys = firstN(len(a.keys))
	return l.exchange("aggregate", &final, a.cols, log, first, final.Keys), nil
}

// operator is the aggregate in one phase.
func (a *aggregate) operator(l *lowering, input int) (plan.Aggregate, error) {
	op := plan.Aggregate{
		Keys: a.keys, KeyNames: typedNames(a.cols[:len(a.keys)]), Window: a.groupWindow(l),
		Retracting: l.graph.Vertices[input].Changelog != plan.Append,
	}
	if l.final && a.window == nil {
		op.Emit = plan.EmitFinal
	}
	for _, c := range a.calls {
		resolved := c.Call
		if op.Retracting {
			var err error
			if resolved, err = agg.Resolve(c.Name, c.Args, agg.Options{Distinct: c.distinct, Retract: true}); err != nil {
				return op, a.at.error(err.Error())
			}
		}
		op.Calls = append(op.Calls, plan.AggregateCall{Call: resolved, Args: c.args, Filter: c.filter, Name: c.name})
	}
	return op, nil
}

// mergeable tells whether partial results can be put together.
func mergeable(op plan.Aggregate) bool {
	return !op.Retracting && !slices.ContainsFunc(op.Calls, func(c plan.AggregateCall) bool { return !c.Call.Mergeable })
}

// changelog is the kind of changes the groups make. A group without aggregates never changes once it is there.
func (a *aggregate) changelog(op plan.Aggregate) plan.Changelog {
	if op.Window != nil || op.Emit == plan.EmitFinal || len(op.Calls) == 0 && !op.Retracting {
		return plan.Append
	}
	return plan.Retract
}

func (a *aggregate) groupWindow(l *lowering) *plan.GroupWindow {
	if a.window == nil {
		return nil
	}
	w := *a.window
	w.Name = windowText(a.cols[w.Start].role.window, "")
	w.Lateness = l.settings.Lateness.Milliseconds()
	return &w
}

// partialColumns are the keys, then the state of each call.
func (a *aggregate) partialColumns(op plan.Aggregate) []column {
	cols := slices.Clone(a.cols[:len(a.keys)])
	for _, c := range op.Calls {
		for i, t := range c.Call.StateTypes {
			cols = append(cols, column{name: fmt.Sprintf("%s.%d", c.Name, i), typ: t, nullable: true})
		}
	}
	return cols
}

// typedNames are names with their SQL types: "id BIGINT".
func typedNames(cols []column) []string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name + " " + expr.TypeName(c.typ)
	}
	return names
}

// firstN is 0, 1, … n-1.
func firstN(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
