package agg

import (
	"cmp"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/internal/bitmap"
)

// memberCounts counts for each INT the sets of a group that have it, so that sets can be retracted. A row holds the number of the
// counts, then that of the sets. The state columns are the latter, and lists of the INTs and of their counts.
type memberCounts struct {
	function bitmapFunction
	name     string
	result   arrow.DataType
	mem      memory.Allocator
	selection
	sets  slots[multiset[uint32]]
	bytes int64
	other roaring.Bitmap
}

func (a *memberCounts) Width() int { return 16 }

// of is the counts of a group, nil if it has none.
func (a *memberCounts) of(rows state.Rows, group uint32) *multiset[uint32] {
	if slot := *state.At[uint32](rows, group); slot != 0 {
		return a.sets.get(slot)
	}
	return nil
}

// make is the counts of a group, new ones if it has none.
func (a *memberCounts) make(rows state.Rows, group uint32) *multiset[uint32] {
	if set := a.of(rows, group); set != nil {
		return set
	}
	set := &multiset[uint32]{compare: cmp.Compare[uint32]}
	a.bytes += set.bytes()
	*state.At[uint32](rows, group) = a.sets.add(set)
	return set
}

// add changes the count of an INT.
func (a *memberCounts) add(set *multiset[uint32], member uint32, n int64) {
	before := set.bytes()
	set.add(member, n)
	a.bytes += set.bytes() - before
}

func (a *memberCounts) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	if len(groups) == 0 {
		return nil
	}
	if a.function.takesInts {
		ints := vec.Values[int32](in.Args[0])
		for i, row := range a.all(sel, len(groups)) {
			n := int64(signOf(in.Kinds, row))
			a.add(a.make(rows, groups[i]), uint32(ints[row]), n)
			*state.At[int64](rows.Field(countedAt), groups[i]) += n
		}
		return nil
	}
	offsets, data := vec.Texts(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		if !bitmap.Decode(&a.other, data[offsets[row]:offsets[row+1]]) {
			return noBitmap(a.name)
		}
		n := int64(signOf(in.Kinds, row))
		set := a.make(rows, groups[i])
		a.other.Iterate(func(member uint32) bool {
			a.add(set, member, n)
			return true
		})
		*state.At[int64](rows.Field(countedAt), groups[i]) += n
	}
	return nil
}

func (a *memberCounts) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	totals, lists := vec.Values[int64](columns[0]), columns[1].(*array.List)
	members, counts := elements(lists), elements(columns[2].(*array.List))
	defer vec.Batch{Cols: []arrow.Array{members, counts}}.Release()
	member, count := vec.Values[uint32](members), vec.Values[int64](counts)
	at := 0
	for i, g := range groups {
		from, to := lists.ValueOffsets(i)
		if from < to || totals[i] != 0 {
			set := a.make(rows, g)
			for range to - from {
				a.add(set, member[at], count[at])
				at++
			}
		}
		*state.At[int64](rows.Field(countedAt), g) += totals[i]
	}
	return nil
}

func (a *memberCounts) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	offsets := make([]int32, 1, len(groups)+1)
	var members []uint32
	var counts []int64
	for _, g := range groups {
		if set := a.of(rows, g); set != nil {
			for member, n := range set.all() {
				members, counts = append(members, member), append(counts, n)
			}
		}
		offsets = append(offsets, int32(len(members)))
	}
	return []arrow.Array{
		column[int64](a.mem, bigint, rows.Field(countedAt), groups),
		list(a.mem, offsets, buildFixed(a.mem, arrow.PrimitiveTypes.Uint32, members, nil)),
		list(a.mem, offsets, buildFixed(a.mem, bigint, counts, nil)),
	}, nil
}

func (a *memberCounts) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	var result roaring.Bitmap
	return bitmapColumn(a.mem, a.result, groups, func(group uint32) *roaring.Bitmap {
		n := *state.At[int64](rows.Field(countedAt), group)
		if n <= 0 {
			return nil
		}
		result.Clear()
		for member, count := range a.of(rows, group).all() {
			if a.function.test(count, n) {
				result.Add(member)
			}
		}
		return &result
	}), nil
}

func (a *memberCounts) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		if set := a.of(rows, g); set != nil {
			a.bytes -= set.bytes()
			a.sets.remove(*state.At[uint32](rows, g))
		}
	}
}

func (a *memberCounts) Bytes() int64 { return a.bytes }
