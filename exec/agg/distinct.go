package agg

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// distinctCall makes a call see each distinct row of arguments of a group once, while it is there at least once.
func distinctCall(inner Call, opt Options) (Call, error) {
	if len(inner.Args) == 0 {
		return Call{}, fmt.Errorf("%s(DISTINCT …) needs an argument", inner.Name)
	}
	keys := append([]arrow.DataType{arrow.PrimitiveTypes.Uint32}, inner.Args...)
	if _, err := state.New(state.Config{Keys: keys}); err != nil {
		return Call{}, &ArgumentError{Msg: fmt.Sprintf("%s(DISTINCT …): %v", inner.Name, err)}
	}
	call := inner
	call.StateTypes = nil
	for _, dt := range inner.Args {
		call.StateTypes = append(call.StateTypes, arrow.ListOf(dt))
	}
	call.StateTypes = append(call.StateTypes, arrow.ListOf(bigint))
	call.Mergeable = true
	call.New = func(mem memory.Allocator) Accumulator {
		table, err := state.New(state.Config{Keys: keys, Value: memberValue{}, Mem: mem})
		if err != nil {
			panic(err) // the same keys were accepted above
		}
		return &distinct{mem: mem, inner: inner.New(mem), retract: opt.Retract, members: table}
	}
	return call, nil
}

// distinct passes rows on to an accumulator when their arguments become present in a group, and retracts them when they no longer
// are. A row is the head of the list of the group's members, then the inner state. The state columns are lists of the members'
// arguments and of their counts.
type distinct struct {
	mem     memory.Allocator
	inner   Accumulator
	retract bool
	members *state.Table // keyed by group and arguments

	hashes  []uint64
	ids     []uint32
	sel     []uint32
	groups  []uint32
	kinds   []vec.Kind
	deltas  []int64
	unique  []uint32
	added   []bool
	removed []uint32
}

// member is how often a row of arguments is present in a group, and its place in the group's list. Links are one more than a
// member's number in the table; 0 ends the list.
type member struct {
	count      int64
	group      uint32
	next, prev uint32
	_          uint32
}

// headWidth is the bytes of the list's head in front of the inner state.
const headWidth = 8

// memberValue makes room for a member.
type memberValue struct{}

func (memberValue) Width() int                                        { return 24 }
func (memberValue) Types() []arrow.DataType                           { return nil }
func (memberValue) State(state.Rows, []uint32) ([]arrow.Array, error) { return nil, nil }
func (memberValue) Merge(state.Rows, []uint32, []arrow.Array) error   { return nil }
func (memberValue) Free(state.Rows, []uint32)                         {}
func (memberValue) Bytes() int64                                      { return 0 }

func (a *distinct) Width() int { return headWidth + a.inner.Width() }

func (a *distinct) Update(rows state.Rows, groups []uint32, in Input) error {
	args, done := a.dense(in)
	defer done()
	a.deltas = a.deltas[:0]
	for i := range groups {
		delta := int64(1)
		if in.Kinds != nil {
			delta = sign(in.Kinds[in.Row(i)])
		}
		a.deltas = append(a.deltas, delta)
	}
	return a.apply(rows, groups, args)
}

// dense is the arguments of the rows that count.
func (a *distinct) dense(in Input) (args []arrow.Array, done func()) {
	if in.Sel == nil {
		return in.Args, func() {}
	}
	for _, arg := range in.Args {
		args = append(args, vec.Take(a.mem, arg, in.Sel))
	}
	return args, vec.Batch{Cols: args}.Release
}

// apply changes the count of each row of arguments by its delta and tells the inner accumulator what that means.
func (a *distinct) apply(rows state.Rows, groups []uint32, args []arrow.Array) error {
	if len(groups) == 0 {
		return nil
	}
	a.assign(rows, groups, args)
	members := a.members.Rows()
	a.sel, a.groups, a.kinds = a.sel[:0], a.groups[:0], a.kinds[:0]
	retracts := false
	for i, id := range a.ids {
		m := state.At[member](members, id)
		before := m.count
		m.count += a.deltas[i]
		kind := vec.Insert
		if m.count <= 0 {
			kind = vec.Delete
		}
		a.kinds = append(a.kinds, kind)
		if (before > 0) != (m.count > 0) {
			a.sel, a.groups = append(a.sel, uint32(i)), append(a.groups, groups[i])
			retracts = retracts || kind == vec.Delete
		}
	}
	in := Input{Args: args, Rows: len(groups), Sel: a.sel}
	if retracts {
		in.Kinds = a.kinds
	}
	if err := a.inner.Update(rows.Field(headWidth), a.groups, in); err != nil {
		return err
	}
	return a.forgetAbsent(rows)
}

// assign finds the members of the rows and puts new ones into their groups' lists.
func (a *distinct) assign(rows state.Rows, groups []uint32, args []arrow.Array) {
	buf, values := vec.NewFixed[uint32](a.mem, len(groups))
	copy(values, groups)
	ofGroup := vec.MakeArray(arrow.PrimitiveTypes.Uint32, len(groups), 0, nil, buf)
	defer ofGroup.Release()
	keys := append([]arrow.Array{ofGroup}, args...)
	a.hashes = vec.Hash(keys, len(groups), nil, a.hashes)
	a.ids = a.members.Assign(keys, len(groups), nil, a.hashes, a.ids)
	a.unique, a.added = a.members.Touched(a.ids, a.unique, a.added)
	members := a.members.Rows()
	for i, id := range a.unique {
		if a.added[i] {
			state.At[member](members, id).group = noGroup
		}
	}
	for i, id := range a.ids {
		m := state.At[member](members, id)
		if m.group != noGroup {
			continue
		}
		m.group = groups[i]
		head := state.At[uint32](rows, groups[i])
		if m.next = *head; m.next != 0 {
			state.At[member](members, m.next-1).prev = id + 1
		}
		*head = id + 1
	}
}

// noGroup marks a member that is not in a list yet.
const noGroup = state.NoGroup

// forgetAbsent drops the members of the last rows whose count is zero.
func (a *distinct) forgetAbsent(rows state.Rows) error {
	if !a.retract {
		return nil
	}
	members := a.members.Rows()
	a.removed = a.removed[:0]
	for _, id := range a.unique {
		m := state.At[member](members, id)
		if m.count != 0 {
			continue
		}
		if m.prev == 0 {
			*state.At[uint32](rows, m.group) = m.next
		} else {
			state.At[member](members, m.prev-1).next = m.next
		}
		if m.next != 0 {
			state.At[member](members, m.next-1).prev = m.prev
		}
		a.removed = append(a.removed, id)
	}
	return a.members.Delete(a.removed)
}

func (a *distinct) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	counts := columns[len(columns)-1].(*array.List)
	a.deltas = a.deltas[:0]
	var owners []uint32
	count := vec.Values[int64](counts.ListValues())
	for i, g := range groups {
		from, to := counts.ValueOffsets(i)
		for j := from; j < to; j++ {
			owners, a.deltas = append(owners, g), append(a.deltas, count[j])
		}
	}
	args := make([]arrow.Array, len(columns)-1)
	for i := range args {
		args[i] = elements(columns[i].(*array.List))
	}
	defer vec.Batch{Cols: args}.Release()
	return a.apply(rows, owners, args)
}

// elements is all the elements of the lists, in their order.
func elements(lists *array.List) arrow.Array {
	if lists.Len() == 0 {
		return vec.Slice(lists.ListValues(), 0, 0)
	}
	from, _ := lists.ValueOffsets(0)
	_, to := lists.ValueOffsets(lists.Len() - 1)
	return vec.Slice(lists.ListValues(), int(from), int(to))
}

func (a *distinct) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	var ids []uint32
	offsets := make([]int32, 1, len(groups)+1)
	for _, g := range groups {
		ids = a.membersOf(rows, g, ids)
		offsets = append(offsets, int32(len(ids)))
	}
	keys := a.members.Keys(ids)
	keys[0].Release()
	columns := make([]arrow.Array, 0, len(keys))
	for _, k := range keys[1:] {
		columns = append(columns, list(a.mem, offsets, k))
	}
	counts := column[int64](a.mem, bigint, a.members.Rows(), ids)
	return append(columns, list(a.mem, offsets, counts)), nil
}

// membersOf appends the members of a group to ids, in the order in which they have come.
func (a *distinct) membersOf(rows state.Rows, group uint32, ids []uint32) []uint32 {
	members := a.members.Rows()
	n := len(ids)
	for link := *state.At[uint32](rows, group); link != 0; link = state.At[member](members, link-1).next {
		ids = append(ids, link-1)
	}
	slices.Reverse(ids[n:])
	return ids
}

func (a *distinct) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return a.inner.Result(rows.Field(headWidth), groups)
}

func (a *distinct) Free(rows state.Rows, groups []uint32) {
	free(a.inner, rows.Field(headWidth), groups)
	for _, g := range groups {
		// Deleting members that are in the table cannot fail: they are in no snapshot.
		_ = a.members.Delete(a.membersOf(rows, g, nil))
	}
}

func (a *distinct) Bytes() int64 { return a.members.Bytes() + bytesOf(a.inner) }
