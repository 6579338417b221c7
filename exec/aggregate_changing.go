package exec

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// changingAggregate emits after every batch how the groups it touched have changed.
type changingAggregate struct {
	aggregate
	touched []uint32 // the groups of the last batch, each once
	fresh   []bool   // whether the batch brought it
}

func (a *changingAggregate) Process(_ int, b vec.Batch, out Emitter) error {
	defer b.Release()
	if err := a.assign(b); err != nil {
		return err
	}
	a.touched, a.fresh = a.table.Touched(a.groups, a.touched, a.fresh)
	before, err := a.look()
	if err != nil {
		return err
	}
	defer before.release()
	if err := a.accumulate(b); err != nil {
		return err
	}
	after, err := a.look()
	if err != nil {
		return err
	}
	defer after.release()
	if err := a.emitChanges(before, after, out); err != nil {
		return err
	}
	return a.dropEmpty(after)
}

func (a *changingAggregate) Watermark(time int64, out Emitter) error {
	if time != vec.MaxTime || !a.keyed.advance(time) || !a.global() || a.table.Len() > 0 {
		return nil
	}
	if err := a.ensureGlobal(); err != nil {
		return err
	}
	return a.emitGroups(a.groups, out)
}

// view is the touched groups' output rows at one time, and whether each group is there.
type view struct {
	cols  []arrow.Array
	there []bool
}

func (v view) release() { vec.Batch{Cols: v.cols}.Release() }

// look views the touched groups as they are now. A group that the batch brought has not been there before it.
func (a *changingAggregate) look() (v view, err error) {
	if v.cols, err = a.rows(a.touched); err != nil {
		return v, err
	}
	v.there = make([]bool, len(a.touched))
	if !a.countsRows() {
		for i := range v.there {
			v.there[i] = true
		}
		return v, nil
	}
	counts := a.rowCounts()
	for i, g := range a.touched {
		v.there[i] = *state.At[int64](counts, g) > 0
	}
	return v, nil
}

// emitChanges emits what leads from one view to the other, a group's old row just before its new one.
func (a *changingAggregate) emitChanges(before, after view, out Emitter) error {
	n := len(a.touched)
	changed := make([]bool, n)
	for i := len(a.op.Keys); i < len(after.cols); i++ {
		differ(before.cols[i], after.cols[i], changed)
	}
	// Row i of the old view is row i of the joined columns, row i of the new one is row n + i.
	pickRows := make([]uint32, 0, 2*n)
	kinds := make([]vec.Kind, 0, 2*n)
	add := func(row int, k vec.Kind) {
		pickRows = append(pickRows, uint32(row))
		kinds = append(kinds, k)
	}
	for i := range n {
		was, is := before.there[i] && !a.fresh[i], after.there[i]
		switch {
		case was && is && changed[i]:
			add(i, vec.UpdateBefore)
			add(n+i, vec.UpdateAfter)
		case was && !is:
			add(i, vec.Delete)
		case is && !was:
			add(n+i, vec.Insert)
		}
	}
	cols := a.join(before.cols, after.cols, pickRows)
	return out.Emit(vec.Batch{Cols: cols, Rows: len(pickRows), Kinds: kinds})
}

// join gathers rows from the old columns followed by the new ones.
func (a *changingAggregate) join(old, now []arrow.Array, rows []uint32) []arrow.Array {
	cols := make([]arrow.Array, 0, len(now))
	for i := range now {
		both := vec.ConcatArrays(a.context.Alloc, old[i], now[i])
		cols = append(cols, vec.Take(a.context.Alloc, both, rows))
		both.Release()
	}
	return cols
}

// dropEmpty deletes the touched groups whose rows are all gone.
func (a *changingAggregate) dropEmpty(after view) error {
	var gone []uint32
	for i, g := range a.touched {
		if !after.there[i] {
			gone = append(gone, g)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return a.table.Delete(gone)
}
