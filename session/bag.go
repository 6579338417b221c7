package session

import (
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Bag is the final result of a query as far as it is known: the rows that its changelog has added and not taken back. A row
// keeps its place in the order the rows came in, also when an update puts another one there. A row may be taken back before it
// comes, as happens when a changelog was read from several files; then it never shows.
//
// It keeps the batches it is given and only points into them. Rows are hashed once the first one is taken back, so that the
// result of a query that never does costs no more than its batches.
type Bag struct {
	mem     memory.Allocator
	batches []vec.Batch // without selections
	stored  int         // rows in batches
	present rowSet
	owed    rowSet // taken back, and not come yet
	hashed  bool   // the sets have indexes
}

// NewBag returns an empty bag that allocates from mem. It must be released.
func NewBag(mem memory.Allocator) *Bag { return &Bag{mem: mem} }

// Len is the number of rows.
func (g *Bag) Len() int { return g.present.live }

// Apply adds and takes back the rows of a batch, in their order. It consumes the batch.
func (g *Bag) Apply(b vec.Batch) {
	if b.Len() == 0 {
		b.Release()
		return
	}
	b = vec.Compact(g.mem, b)
	if !g.hashed && retracts(b) {
		g.reindex()
	}
	g.batches = append(g.batches, b)
	g.stored += b.Rows
	if !g.hashed {
		g.appendAll(b)
		return
	}
	g.applyRows(b)
	if g.wasteful() {
		g.rebuild()
	}
}

func retracts(b vec.Batch) bool {
	for _, k := range b.Kinds {
		if k.Retracts() {
			return true
		}
	}
	return false
}

// appendAll adds all rows of the newest batch.
func (g *Bag) appendAll(b vec.Batch) {
	at := uint32(len(g.batches) - 1)
	for row := range uint32(b.Rows) {
		g.present.append(rowRef{at, row})
	}
}

// applyRows adds and takes back the rows of the newest batch.
func (g *Bag) applyRows(b vec.Batch) {
	at := uint32(len(g.batches) - 1)
	hashes := vec.Hash(b.Cols, b.Rows, nil, nil)
	free := -1 // the place an update has given up
	for row := range uint32(b.Rows) {
		ref, hash := rowRef{at, row}, hashes[row]
		kind := b.Kind(int(row))
		switch {
		case kind.Retracts():
			if free = g.present.remove(g.batches, ref, hash); free < 0 {
				g.owed.put(-1, ref, hash)
			}
			continue
		case g.owed.live > 0 && g.owed.remove(g.batches, ref, hash) >= 0:
		case kind == vec.UpdateAfter:
			g.present.put(free, ref, hash)
		default:
			g.present.put(-1, ref, hash)
		}
		free = -1
	}
}

// reindex hashes all rows.
func (g *Bag) reindex() {
	hashes := make([][]uint64, len(g.batches))
	for i, b := range g.batches {
		hashes[i] = vec.Hash(b.Cols, b.Rows, nil, nil)
	}
	g.present.reindex(hashes)
	g.owed.reindex(hashes)
	g.hashed = true
}

// Limits on what a bag wastes: rows that are gone, and the fixed cost of small batches.
const (
	sparseRows   = 1 << 16
	smallBatches = 256
	smallBatch   = 512 // rows
)

func (g *Bag) wasteful() bool {
	live := g.present.live + g.owed.live
	return g.stored > 2*live+sparseRows || len(g.present.refs) > 2*live+sparseRows || len(g.owed.refs) > 2*live+sparseRows ||
		len(g.batches) > smallBatches+live/smallBatch
}

// rebuild copies the rows together.
func (g *Bag) rebuild() {
	old := g.batches
	present, owed := g.present.list(), g.owed.list()
	g.batches, g.stored, g.present, g.owed = nil, 0, rowSet{}, rowSet{}
	for b := range gather(g.mem, old, append(present, owed...)) {
		at := uint32(len(g.batches))
		for row := range uint32(b.Rows) {
			if g.stored+int(row) < len(present) {
				g.present.append(rowRef{at, row})
			} else {
				g.owed.append(rowRef{at, row})
			}
		}
		g.batches = append(g.batches, b)
		g.stored += b.Rows
	}
	for _, b := range old {
		b.Release()
	}
	g.reindex()
}

// Release frees the bag.
func (g *Bag) Release() {
	for _, b := range g.batches {
		b.Release()
	}
	*g = Bag{mem: g.mem}
}
