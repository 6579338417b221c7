// Package state keeps the keyed state of one subtask of an operator: a hash table from keys to groups, each with one fixed-width
// row, and its snapshots, which are taken without stopping the task.
//
// Everything here runs on the task's goroutine; there are no locks.
package state

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/chunk"
)

// NoGroup is what Lookup gives for a key that is not in the table.
const NoGroup = uint32(math.MaxUint32)

// Value is what a table keeps for each key: Width bytes in its row, which begin as zero bytes, and whatever its owner keeps
// beside them. Its columns are how it is written to a snapshot and read back.
type Value interface {
	// Width is the bytes in a row, a multiple of 8.
	Width() int
	// Types is the types of the columns of State.
	Types() []arrow.DataType
	// State returns the columns of the groups' state, which later changes to the groups do not touch.
	State(rows Rows, groups []uint32) ([]arrow.Array, error)
	// Merge adds what State returned to the state of the groups; merging it into an empty row restores it.
	Merge(rows Rows, groups []uint32, state []arrow.Array) error
	// Free gives up what is kept beside the rows of groups that are about to be deleted.
	Free(rows Rows, groups []uint32)
	// Bytes is the memory held beside the rows.
	Bytes() int64
}

// Config describes a Table.
type Config struct {
	Keys      []arrow.DataType  // the key's columns; none: the table has at most one group
	Value     Value             // nil: the table is a set of keys
	KeyGroups vec.KeyGroupRange // the key groups of every row the table will see; zero: all
	Mem       memory.Allocator  // for the arrays the table returns
}

// Table maps keys to groups: small numbers, given out in the order in which keys are first seen and used again after a Delete.
type Table struct {
	mem    memory.Allocator
	layout keyLayout
	groups vec.KeyGroupRange
	value  Value
	slots  slots
	direct direct
	rows   segments // key words, then the value
	hashes segments // of each group
	texts  Arena

	next      int // groups 0 … next-1 have been given out
	size      int // of them in the table
	free      []uint32
	nullGroup int64 // the group of NULL if the key is a single column, or -1
	live      bitmap

	reader      keyReader
	batchHashes []uint64 // of the batch, if they were given or needed
	hashed      []uint64 // scratch: the hashes of a batch that came without
	missed      []int32  // scratch: the rows of a block whose key is not near their home slot
	born        []uint32 // groups the last Assign has added
	touched     bitmap   // all clear between calls
	isBorn      bitmap   // all clear between calls

	snapshot                 snapshot
	rowSchema, deletedSchema *arrow.Schema // of chunks
}

// New returns an empty table.
func New(c Config) (*Table, error) {
	layout, err := newKeyLayout(c.Keys)
	if err != nil {
		return nil, err
	}
	if c.KeyGroups == (vec.KeyGroupRange{}) {
		c.KeyGroups = vec.AllKeyGroups
	}
	if c.Value == nil {
		c.Value = noValue{}
	}
	if c.Value.Width()%8 != 0 {
		return nil, fmt.Errorf("the value's width %d is no multiple of 8", c.Value.Width())
	}
	t := &Table{
		mem: c.Mem, layout: layout, groups: c.KeyGroups, value: c.Value,
		slots:         newSlots(minSlots),
		rows:          newSegments(8*layout.words + c.Value.Width()),
		hashes:        newSegments(8),
		direct:        newDirect(c.Keys),
		missed:        make([]int32, probeBlock),
		nullGroup:     -1,
		rowSchema:     chunk.Schema(chunk.Rows, c.Keys, c.Value.Types()),
		deletedSchema: chunk.Schema(chunk.Tombstones, c.Keys, nil),
	}
	t.reader.layout, t.reader.mem = &t.layout, t.mem
	return t, nil
}

// Len is the number of keys.
func (t *Table) Len() int { return t.size }

// Rows is the groups' values. It is valid until the next Assign or Load.
func (t *Table) Rows() Rows { return t.rows.Field(8 * t.layout.words) }

// Hashes appends the hashes of groups to out.
func (t *Table) Hashes(groups []uint32, out []uint64) []uint64 {
	for _, g := range groups {
		out = append(out, *At[uint64](t.hashes.Rows, g))
	}
	return out
}

// Groups appends every group in the table to out, ascending.
func (t *Table) Groups(out []uint32) []uint32 {
	return t.live.appendTo(out)
}

// Bytes is the memory the table holds.
func (t *Table) Bytes() int64 {
	return t.slots.bytes() + 4*int64(len(t.direct.groups)) + t.rows.bytes() + t.hashes.bytes() + t.texts.Bytes() + t.value.Bytes() + t.snapshot.bytes()
}

// Release gives up the arrays the table keeps for unfinished checkpoints. The table is not to be used any more.
func (t *Table) Release() { t.snapshot.release() }

// Reset empties the table, keeps its memory for new groups, and forgets its checkpoints: a table that is reset has no part in
// them.
func (t *Table) Reset() {
	t.value.Free(t.Rows(), t.Groups(nil))
	t.slots.clear()
	clear(t.direct.groups)
	t.rows.zero(t.next)
	t.texts = Arena{}
	clear(t.live)
	t.snapshot.reset()
	t.free = t.free[:0]
	t.next, t.size, t.nullGroup = 0, 0, -1
}

// noValue is the value of a set of keys.
type noValue struct{}

func (noValue) Width() int                                  { return 0 }
func (noValue) Types() []arrow.DataType                     { return nil }
func (noValue) State(Rows, []uint32) ([]arrow.Array, error) { return nil, nil }
func (noValue) Merge(Rows, []uint32, []arrow.Array) error   { return nil }
func (noValue) Free(Rows, []uint32)                         {}
func (noValue) Bytes() int64                                { return 0 }
