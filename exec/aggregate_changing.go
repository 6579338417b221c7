package exec

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// changingAggregate emits after every batch how the groups it touched have changed.
type changingAggregate struct {
	aggregate
	touched []uint32 // the groups of the last batch, each once
	fresh   []bool   // whether the batch brought it

	// scratch
	changed    []bool
	picked     []uint32 // rows to emit: row i of the view before, or row i of the view after plus the number of groups
	pickedKeys []uint32 // the groups of these rows, as places in touched
}

func (a *changingAggregate) Process(_ int, b vec.Batch, out Emitter) error {
	defer b.Release()
	if err := a.assign(b); err != nil {
		return err
	}
	a.touched, a.fresh = a.table.Touched(a.groups, a.touched, a.fresh)
	before, err := a.look(nil)
	if err != nil {
		return err
	}
	defer before.release()
	if err := a.accumulate(b); err != nil {
		return err
	}
	after, err := a.look(a.table.Keys(a.touched))
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

// view is the touched groups' output rows at one time, with or without the keys, and whether each group is there.
type view struct {
	cols  []arrow.Array
	there []bool // nil: all are
}

func (v view) release() { vec.Batch{Cols: v.cols}.Release() }

func (v view) has(i int) bool { return v.there == nil || v.there[i] }

// look views the touched groups as they are now, behind columns that it consumes. A group that the batch brought has not been there
// before it.
func (a *changingAggregate) look(cols []arrow.Array) (v view, err error) {
	if v.cols, err = a.values.results(a.table.Rows(), a.touched, len(a.op.Calls), cols); err != nil || !a.countsRows() {
		return v, err
	}
	counts := a.rowCounts()
	v.there = make([]bool, len(a.touched))
	for i, g := range a.touched {
		v.there[i] = *state.At[int64](counts, g) > 0
	}
	return v, nil
}

// emitChanges emits what leads from one view, without the keys, to the other, a group's old row just before its new one.
func (a *changingAggregate) emitChanges(before, after view, out Emitter) error {
	n, keys := len(a.touched), len(a.op.Keys)
	a.changed = slices.Grow(a.changed[:0], n)[:n]
	clear(a.changed)
	for i, old := range before.cols {
		differ(old, after.cols[keys+i], a.changed)
	}
	a.picked, a.pickedKeys = slices.Grow(a.picked[:0], 2*n), slices.Grow(a.pickedKeys[:0], 2*n)
	kinds := make([]vec.Kind, 0, 2*n)
	add := func(i, row int, k vec.Kind) {
		a.picked, a.pickedKeys = append(a.picked, uint32(row)), append(a.pickedKeys, uint32(i))
		kinds = append(kinds, k)
	}
	for i := range n {
		was, is := before.has(i) && !a.fresh[i], after.has(i)
		switch {
		case was && is && a.changed[i]:
			add(i, i, vec.UpdateBefore)
			add(i, n+i, vec.UpdateAfter)
		case was && !is:
			add(i, i, vec.Delete)
		case is && !was:
			add(i, n+i, vec.Insert)
		}
	}
	cols := make([]arrow.Array, 0, len(after.cols))
	for _, key := range after.cols[:keys] {
		cols = append(cols, vec.Take(a.context.Alloc, key, a.pickedKeys))
	}
	for i, old := range before.cols {
		both := vec.ConcatArrays(a.context.Alloc, old, after.cols[keys+i])
		cols = append(cols, vec.Take(a.context.Alloc, both, a.picked))
		both.Release()
	}
	return out.Emit(vec.Batch{Cols: cols, Rows: len(kinds), Kinds: kinds})
}

// dropEmpty deletes the touched groups whose rows are all gone.
func (a *changingAggregate) dropEmpty(after view) error {
	var gone []uint32
	for i, g := range a.touched {
		if !after.has(i) {
			gone = append(gone, g)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return a.table.Delete(gone)
}
