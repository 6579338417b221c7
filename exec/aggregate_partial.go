package exec

import (
	"slices"

	"streamsql/checkpoint"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// partialGroups is how many groups a partial aggregate holds before it passes them on: about what the caches hold.
const partialGroups = 1 << 17

// partialAggregate groups rows before an exchange, so that fewer cross it: its output is the keys and the state of the calls. It
// passes everything on before a barrier, so that it has no part in checkpoints, and whatever a watermark makes due.
type partialAggregate struct {
	aggregate
	due    int64 // when the first window held is to fire
	raw    []int // the columns of a raw row
	thrift thrift
}

func (a *partialAggregate) Open(c *Context) error {
	a.due = vec.MaxTime
	a.raw = rawColumns(a.op)
	return a.aggregate.Open(c)
}

func (a *partialAggregate) Process(_ int, b vec.Batch, out Emitter) (err error) {
	defer b.Release()
	if a.op.Window != nil {
		if b, err = a.timely(b, vec.MinTime); err != nil {
			return err
		}
	}
	if a.thrift.pass(b.Len()) {
		return out.Emit(rawBatch(b, a.raw))
	}
	if err := a.assign(b); err != nil {
		return err
	}
	if err := a.accumulate(b); err != nil {
		return err
	}
	if n := a.table.Len(); n >= partialGroups {
		a.thrift.full(n)
		return a.passOn(out)
	}
	return a.note()
}

// note lowers due by the windows of the groups the last batch brought.
func (a *partialAggregate) note() error {
	added := a.table.Added()
	if a.op.Window == nil || len(added) == 0 {
		return nil
	}
	ends, free, err := a.ends(added)
	if err != nil {
		return err
	}
	defer free()
	a.due = min(a.due, slices.Min(ends)+a.op.Window.Lateness)
	return nil
}

// Watermark passes everything on if a window that is held here has ended, and at the end of the input.
func (a *partialAggregate) Watermark(time int64, out Emitter) error {
	if time >= a.due {
		return a.passOn(out)
	}
	return nil
}

func (a *partialAggregate) Snapshot(_ checkpoint.ID, out Emitter) (Snapshot, error) {
	return nil, a.passOn(out)
}

func (a *partialAggregate) Flush(out Emitter) error {
	if a.op.Emit == plan.EmitFinal || a.op.Window != nil {
		return nil
	}
	return a.passOn(out)
}

// passOn emits every group and starts over.
func (a *partialAggregate) passOn(out Emitter) error {
	a.due = vec.MaxTime
	a.thrift.rows = 0
	if a.table.Len() == 0 {
		return nil
	}
	groups := a.table.Groups(nil)
	for len(groups) > 0 {
		n := min(len(groups), a.context.Rows)
		states, err := a.values.State(a.table.Rows(), groups[:n])
		if err != nil {
			return err
		}
		if err := out.Emit(vec.NewBatch(n, append(a.table.Keys(groups[:n]), states...))); err != nil {
			return err
		}
		groups = groups[n:]
	}
	a.table.Reset()
	return nil
}

// Written and Lost have nothing to do: nothing is kept over a barrier.
func (a *partialAggregate) Written(checkpoint.ID) {}

func (a *partialAggregate) Lost(checkpoint.ID) {}
