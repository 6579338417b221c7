package exec

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/checkpoint"
	"streamsql/exec/agg"
	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// aggregate groups rows by key. Its table has one row per group with the state of every call; what it emits, and when, is the
// matter of the types below, which embed it.
type aggregate struct {
	Base
	op      *plan.Aggregate
	in, out *arrow.Schema

	context *Context
	table   *state.Table
	values  *accumulators
	keyed   keyedState

	groups []uint32 // of the last batch's selected rows; of a global aggregate one for all of them
	same   []uint32 // one group many times
}

// newAggregate picks the operator for the aggregate's phase and manner of emitting.
func newAggregate(op *plan.Aggregate, in, out *arrow.Schema) Operator {
	a := aggregate{op: op, in: in, out: out}
	switch {
	case op.Phase == plan.Partial:
		return &partialAggregate{aggregate: a}
	case op.Window != nil:
		return &windowAggregate{aggregate: a, index: newWindowIndex()}
	case op.Emit == plan.EmitFinal:
		return &finalAggregate{aggregate: a}
	}
	return &changingAggregate{aggregate: a}
}

// Open makes the table and, for a phase that keeps state, fills it from the restored checkpoint.
func (a *aggregate) Open(c *Context) (err error) {
	a.context = c
	calls := a.op.Calls
	if a.op.Phase == plan.Final {
		calls = rawCalls(a.op)
	}
	if a.countsRows() {
		call, err := agg.Resolve("COUNT", nil, agg.Options{})
		if err != nil {
			return err
		}
		calls = append(calls[:len(calls):len(calls)], plan.AggregateCall{Call: call, Filter: -1})
	}
	a.values = newAccumulators(c.Alloc, calls)
	config := state.Config{Value: a.values, KeyGroups: c.KeyGroups, Mem: c.Alloc}
	if a.op.Phase == plan.Partial {
		config.KeyGroups = vec.AllKeyGroups
	}
	for _, k := range a.op.Keys {
		config.Keys = append(config.Keys, a.in.Field(k).Type)
	}
	if a.table, err = state.New(config); err != nil {
		return err
	}
	if a.op.Phase == plan.Partial {
		return nil
	}
	a.keyed = keyedState{context: c, table: a.table}
	return a.keyed.restore()
}

// countsRows reports whether the operator keeps a number of rows per group beside the calls, to know when a group is empty.
func (a *aggregate) countsRows() bool { return a.op.Retracting && len(a.op.Keys) > 0 }

// global reports whether all rows are one group, which exists even without rows.
func (a *aggregate) global() bool { return len(a.op.Keys) == 0 }

// assign finds the groups of the selected rows and makes ready for their change.
func (a *aggregate) assign(b vec.Batch) error {
	switch {
	case !a.global():
		a.groups = a.table.Assign(pick(b, a.op.Keys), b.Rows, b.Sel, nil, a.groups)
	case b.Len() == 0:
		a.groups = a.groups[:0]
	default:
		a.groups = a.table.Assign(nil, 1, nil, nil, a.groups)
	}
	a.context.Counters.Groups.Store(int64(a.table.Len()))
	if !a.context.Durable || a.op.Phase == plan.Partial {
		return nil
	}
	return a.table.BeforeWrite(a.groups)
}

// groupOfRow is the groups of n rows, one for each.
func (a *aggregate) groupOfRow(n int) []uint32 {
	if !a.global() || n == 0 {
		return a.groups
	}
	group := a.groups[0]
	if len(a.same) > 0 && a.same[0] != group {
		a.same = a.same[:0]
	}
	for len(a.same) < n {
		a.same = append(a.same, group)
	}
	return a.same[:n]
}

// accumulate applies the selected rows to their groups: rows of the input, or, in the Final phase, partial states too.
func (a *aggregate) accumulate(b vec.Batch) error {
	if a.op.Phase != plan.Final || b.Raw {
		if a.global() && b.Len() > 0 {
			return a.values.updateOne(a.table.Rows(), a.groups[0], b, a.groupOfRow)
		}
		return a.values.update(a.table.Rows(), a.groups, b)
	}
	groups := a.groupOfRow(b.Len())
	states := b.Cols[len(a.op.Keys):]
	if b.Sel == nil {
		return a.values.Merge(a.table.Rows(), groups, states)
	}
	columns := make([]arrow.Array, len(states))
	for i, s := range states {
		columns[i] = vec.Take(a.context.Alloc, s, b.Sel)
	}
	defer vec.Batch{Cols: columns}.Release()
	return a.values.Merge(a.table.Rows(), groups, columns)
}

// rows is the output rows of groups: keys, then results.
func (a *aggregate) rows(groups []uint32) ([]arrow.Array, error) {
	return a.values.results(a.table.Rows(), groups, len(a.op.Calls), a.table.Keys(groups))
}

// emitGroups emits one insert for each of groups, in batches.
func (a *aggregate) emitGroups(groups []uint32, out Emitter) error {
	for len(groups) > 0 {
		n := min(len(groups), a.context.Rows)
		cols, err := a.rows(groups[:n])
		if err != nil {
			return err
		}
		if err := out.Emit(vec.NewBatch(n, cols)); err != nil {
			return err
		}
		groups = groups[n:]
	}
	return nil
}

// present filters groups down to those that have rows.
func (a *aggregate) present(groups []uint32) []uint32 {
	if !a.countsRows() {
		return groups
	}
	counts := a.rowCounts()
	kept := make([]uint32, 0, len(groups))
	for _, g := range groups {
		if *state.At[int64](counts, g) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// rowCounts is where the number of rows of each group stands: COUNT(*) keeps an int64.
func (a *aggregate) rowCounts() state.Rows {
	return a.table.Rows().Field(a.values.calls[len(a.op.Calls)].offset)
}

// ensureGlobal makes the one group of a global aggregate exist.
func (a *aggregate) ensureGlobal() error {
	if a.table.Len() > 0 {
		return nil
	}
	return a.assign(vec.Batch{Rows: 1})
}

func (a *aggregate) Snapshot(id checkpoint.ID, _ Emitter) (Snapshot, error) {
	if !a.context.Durable {
		return nil, nil
	}
	return a.keyed.freeze(id)
}

func (a *aggregate) Written(id checkpoint.ID) { a.keyed.written(id) }

func (a *aggregate) Lost(id checkpoint.ID) { a.keyed.lost(id) }

func (a *aggregate) Close() error {
	if a.table != nil {
		a.table.Release()
	}
	return nil
}
