package state

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

// graves is the hashes and keys of deleted groups. Its parts are immutable and may be shared, each sharer holding a reference.
type graves struct {
	parts []vec.Batch
}

func (g graves) len() int {
	n := 0
	for _, p := range g.parts {
		n += p.Rows
	}
	return n
}

// add takes the parts of older graves over.
func (g *graves) add(older graves) { g.parts = slices.Concat(older.parts, g.parts) }

func (g graves) retain() graves {
	for _, p := range g.parts {
		p.Retain()
	}
	return g
}

func (g graves) release() {
	for _, p := range g.parts {
		p.Release()
	}
}

// keyBatch is the hashes and keys of groups.
func (t *Table) keyBatch(groups []uint32) vec.Batch {
	buf, hashes := vec.NewFixed[uint64](t.mem, len(groups))
	for i, g := range groups {
		hashes[i] = *At[uint64](t.hashes.Rows, g)
	}
	column := vec.MakeArray(arrow.PrimitiveTypes.Uint64, len(groups), 0, nil, buf)
	return vec.NewBatch(len(groups), append([]arrow.Array{column}, t.Keys(groups)...))
}

// rowBatch is the hashes, keys and states of groups.
func (t *Table) rowBatch(groups []uint32) (vec.Batch, error) {
	b := t.keyBatch(groups)
	state, err := t.value.State(t.Rows(), groups)
	if err != nil {
		b.Release()
		return vec.Batch{}, err
	}
	b.Cols = append(b.Cols, state...)
	return b, nil
}
