package state

import (
	"errors"
	"fmt"
	"iter"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
	"streamsql/internal/chunk"
)

// Load fills an empty table with the rows of its key groups as a checkpoint has them. chunks are the checkpoint's live chunks, of
// any number of subtasks, ordered from the newest checkpoint to the oldest; rows outside a chunk's KeyGroups do not count. Their
// records are consumed. The table then goes on where the chunks end: the next checkpoint is incremental.
//
// A subtask that takes over some key groups of a chunk is to narrow its KeyGroups to them: of the others it does not learn when
// they are deleted.
//
// groups is about how many groups there will be: what they need is made room for at once.
func (t *Table) Load(groups int, chunks iter.Seq2[Chunk, error]) error {
	if t.next > 0 {
		return errors.New("state can only be restored into an empty table")
	}
	t.expect(groups)
	l := loader{t: t}
	defer l.release()
	for c, err := range chunks {
		if err != nil {
			return err
		}
		if err := l.take(c); err != nil {
			return err
		}
	}
	if err := l.applyTombstones(); err != nil {
		return err
	}
	l.finish()
	return nil
}

type loader struct {
	t          *Table
	slices     []slice  // newest first
	tombstones []Chunk  // of the current checkpoint, held back until its rows are in
	dead       []uint32 // groups that stand for tombstones
	groups     []uint32
	added      []uint32 // scratch of merge
	own        []uint32
}

// take loads a chunk of rows or keeps one of tombstones for when the rows of its checkpoint, which win over them, are in.
func (l *loader) take(c Chunk) error {
	if n := len(l.slices); n > 0 && l.slices[n-1].checkpoint != c.Checkpoint {
		if l.slices[n-1].checkpoint < c.Checkpoint {
			c.Record.Release()
			return fmt.Errorf("restore a chunk of checkpoint %d: it comes after one of checkpoint %d", c.Checkpoint, l.slices[n-1].checkpoint)
		}
		if err := l.applyTombstones(); err != nil {
			c.Record.Release()
			return err
		}
	}
	l.note(c.Checkpoint, 0)
	kind, _, err := chunk.Shape(c.Record.Schema())
	if kind == chunk.Tombstones {
		l.tombstones = append(l.tombstones, c)
		return nil
	}
	defer c.Record.Release()
	if err != nil {
		return fmt.Errorf("restore a chunk of checkpoint %d: %w", c.Checkpoint, err)
	}
	return l.load(c, l.t.rowSchema)
}

func (l *loader) applyTombstones() error {
	for _, c := range l.tombstones {
		if err := l.load(c, l.t.deletedSchema); err != nil {
			return err
		}
	}
	l.release()
	return nil
}

func (l *loader) release() {
	for _, c := range l.tombstones {
		c.Record.Release()
	}
	l.tombstones = nil
}

// load adds the rows of a chunk whose keys are not in the table yet. A tombstone takes its key's place until the end.
func (l *loader) load(c Chunk, schema *arrow.Schema) error {
	if err := sameTypes(schema, c.Record.Schema()); err != nil {
		return fmt.Errorf("restore a chunk of checkpoint %d: %w", c.Checkpoint, err)
	}
	t := l.t
	rows, first := int(c.Record.NumRows()), t.next
	hashes, sel := owned(vec.Values[uint64](c.Record.Column(0)), intersection(c.KeyGroups, t.groups))
	keys := c.Record.Columns()[1 : 1+len(t.layout.columns)]
	l.groups = t.probe(keys, rows, sel, hashes, l.groups, true)
	t.born = t.born[:0]
	l.note(c.Checkpoint, t.next-first)
	if schema == t.deletedSchema {
		for g := first; g < t.next; g++ {
			l.dead = append(l.dead, uint32(g))
		}
		return nil
	}
	return l.merge(c.Record.Columns()[1+len(keys):], rows, sel, uint32(first))
}

// note counts the groups that a checkpoint's chunks have added.
func (l *loader) note(checkpoint uint64, groups int) {
	if n := len(l.slices); n > 0 && l.slices[n-1].checkpoint == checkpoint {
		l.slices[n-1].rows += groups
		return
	}
	l.slices = append(l.slices, slice{checkpoint, groups})
}

func intersection(a, b vec.KeyGroupRange) vec.KeyGroupRange {
	return vec.KeyGroupRange{Lo: max(a.Lo, b.Lo), Hi: min(a.Hi, b.Hi)}
}

// owned is the hashes of the rows in the key groups, and those rows; nil if they are all.
func owned(hashes []uint64, groups vec.KeyGroupRange) (own []uint64, sel []uint32) {
	if r := keyGroupsOf(hashes); groups.Lo <= r.Lo && r.Hi <= groups.Hi {
		return hashes, nil
	}
	own, sel = []uint64{}, []uint32{}
	for i, h := range hashes {
		if groups.Contains(vec.KeyGroup(h)) {
			own, sel = append(own, h), append(sel, uint32(i))
		}
	}
	return own, sel
}

// merge gives the groups from first on, which the current chunk has added, their state.
func (l *loader) merge(states []arrow.Array, rows int, sel []uint32, first uint32) error {
	added, groups := l.added[:0], l.own[:0]
	for i, g := range l.groups {
		if g >= first {
			row := uint32(i)
			if sel != nil {
				row = sel[i]
			}
			added, groups = append(added, row), append(groups, g)
		}
	}
	l.added, l.own = added, groups
	switch len(added) {
	case 0:
		return nil
	case rows:
		return l.t.value.Merge(l.t.Rows(), groups, states)
	}
	taken := make([]arrow.Array, len(states))
	for i, s := range states {
		taken[i] = vec.Take(l.t.mem, s, added)
	}
	defer vec.Batch{Cols: taken}.Release()
	return l.t.value.Merge(l.t.Rows(), groups, taken)
}

// finish drops the tombstones and makes the table as clean as it was when the checkpoint was complete.
func (l *loader) finish() {
	t := l.t
	for _, g := range l.dead {
		t.remove(g)
	}
	t.remakeDirect()
	s := &t.snapshot
	clear(s.dirty)
	copy(s.persisted, t.live)
	s.chain = chain{cursor: t.next}
	for i := len(l.slices) - 1; i >= 0; i-- {
		if l.slices[i].rows > 0 {
			s.chain.slices = append(s.chain.slices, l.slices[i])
		}
	}
}

// sameTypes compares the columns of a table's chunks with those of one that is to be loaded.
func sameTypes(want, got *arrow.Schema) error {
	if want.NumFields() != got.NumFields() {
		return fmt.Errorf("it has %d columns, the operator's state has %d", got.NumFields(), want.NumFields())
	}
	for i, f := range want.Fields() {
		if g := got.Field(i); !arrow.TypeEqual(f.Type, g.Type) || f.Name != g.Name {
			return fmt.Errorf("its column %s is of type %s, the operator's state has %s of type %s", g.Name, g.Type, f.Name, f.Type)
		}
	}
	return nil
}
