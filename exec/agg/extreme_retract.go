package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// retractedExtremes finds the least or greatest of values that may be retracted. It keeps all values of each group, in order; a
// row holds the number of the group's multiset. Its state columns are a list of the values and one of their counts.
type retractedExtremes[T any] struct {
	domain   domain[T]
	greatest bool
	mem      memory.Allocator
	sets     slots[multiset[T]]
	bytes    int64
	selection
}

func (a *retractedExtremes[T]) Width() int { return 8 }

// set is the multiset of a group; it is made if the group has none.
func (a *retractedExtremes[T]) set(rows state.Rows, group uint32) *multiset[T] {
	slot := state.At[uint32](rows, group)
	if *slot == 0 {
		set := &multiset[T]{compare: a.domain.compare}
		a.bytes += set.bytes()
		*slot = a.sets.add(set)
	}
	return a.sets.get(*slot)
}

// add changes the count of a value of a group.
func (a *retractedExtremes[T]) add(set *multiset[T], v T, count int64) {
	before := set.bytes()
	set.add(v, count)
	a.bytes += set.bytes() - before
}

func (a *retractedExtremes[T]) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	value := a.domain.read(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		s := int64(1)
		if in.Kinds != nil {
			s = sign(in.Kinds[row])
		}
		a.add(a.set(rows, groups[i]), value(int(row)), s)
	}
	return nil
}

func (a *retractedExtremes[T]) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	values, counts := columns[0].(*array.List), columns[1].(*array.List)
	value := a.domain.read(values.ListValues())
	count := vec.Values[int64](counts.ListValues())
	for i, g := range groups {
		from, to := values.ValueOffsets(i)
		base, _ := counts.ValueOffsets(i)
		if from == to {
			continue
		}
		set := a.set(rows, g)
		for j := from; j < to; j++ {
			a.add(set, value(int(j)), count[base+j-from])
		}
	}
	return nil
}

func (a *retractedExtremes[T]) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	offsets := make([]int32, 1, len(groups)+1)
	var values []T
	var counts []int64
	for _, g := range groups {
		if slot := *state.At[uint32](rows, g); slot != 0 {
			for v, count := range a.sets.get(slot).all() {
				values, counts = append(values, v), append(counts, count)
			}
		}
		offsets = append(offsets, int32(len(values)))
	}
	return []arrow.Array{
		list(a.mem, offsets, a.domain.build(a.mem, values, nil)),
		list(a.mem, offsets, buildFixed(a.mem, bigint, counts, nil)),
	}, nil
}

// list is the elements cut into lists at offsets. It consumes the elements.
func list(mem memory.Allocator, offsets []int32, elements arrow.Array) arrow.Array {
	buf, out := vec.NewFixed[int32](mem, len(offsets))
	copy(out, offsets)
	return vec.MakeList(len(offsets)-1, buf, elements)
}

func (a *retractedExtremes[T]) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	values, present := make([]T, len(groups)), make([]bool, len(groups))
	for i, g := range groups {
		values[i], present[i] = a.extreme(*state.At[uint32](rows, g))
	}
	return a.domain.build(a.mem, values, present), nil
}

func (a *retractedExtremes[T]) extreme(slot uint32) (v T, ok bool) {
	switch {
	case slot == 0:
		return v, false
	case a.greatest:
		return a.sets.get(slot).greatest()
	}
	return a.sets.get(slot).least()
}

func (a *retractedExtremes[T]) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		if slot := *state.At[uint32](rows, g); slot != 0 {
			a.bytes -= a.sets.get(slot).bytes()
			a.sets.remove(slot)
		}
	}
}

func (a *retractedExtremes[T]) Bytes() int64 { return a.bytes }
