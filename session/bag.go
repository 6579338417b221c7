package session

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Bag is the final result of a query as far as it is known: the rows that its changelog has added and not taken back. A row
// keeps its place in the order the rows came in, also when an update puts another one there.
//
// It keeps the batches it is given and only points into them. Rows are hashed once the first one is taken back, so that the
// result of a query that never does costs no more than its batches.
type Bag struct {
	mem     memory.Allocator
	batches []vec.Batch // without selections
	stored  int         // rows in batches
	rows    []rowRef    // by place; a row that was taken back is gone
	live    int         // rows that are not gone
	index   *bagIndex   // nil before the first retraction
}

// rowRef points to a row of one of a bag's batches.
type rowRef struct{ batch, row uint32 }

// gone marks a place whose row has been taken back.
var gone = rowRef{batch: ^uint32(0)}

// NewBag returns an empty bag that allocates from mem. It must be released.
func NewBag(mem memory.Allocator) *Bag { return &Bag{mem: mem} }

// Len is the number of rows.
func (g *Bag) Len() int { return g.live }

// errUnknownRow says that a changelog is wrong.
var errUnknownRow = errors.New("the query took back a row that it had not given; this is a bug in streamsql")

// Apply adds and takes back the rows of a batch, in their order. It consumes the batch.
func (g *Bag) Apply(b vec.Batch) error {
	if b.Len() == 0 {
		b.Release()
		return nil
	}
	b = vec.Compact(g.mem, b)
	if g.index == nil && retracts(b) {
		g.reindex()
	}
	g.batches = append(g.batches, b)
	g.stored += b.Rows
	if g.index == nil {
		g.appendAll(b)
		return nil
	}
	if err := g.applyRows(b); err != nil {
		return err
	}
	if g.wasteful() {
		g.rebuild()
	}
	return nil
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
		g.rows = append(g.rows, rowRef{at, row})
	}
	g.live += b.Rows
}

// applyRows adds and takes back the rows of the newest batch.
func (g *Bag) applyRows(b vec.Batch) error {
	at := uint32(len(g.batches) - 1)
	hashes := vec.Hash(b.Cols, b.Rows, nil, nil)
	free := -1 // the place an update has given up
	for row := range uint32(b.Rows) {
		kind := b.Kind(int(row))
		if kind.Retracts() {
			place := g.find(b.Cols, int(row), hashes[row])
			if place < 0 {
				return errUnknownRow
			}
			g.rows[place] = gone
			g.live--
			free = place
			continue
		}
		if kind != vec.UpdateAfter || free < 0 {
			free = len(g.rows)
			g.rows = append(g.rows, gone)
		}
		g.rows[free] = rowRef{at, row}
		g.live++
		g.index.add(hashes[row], free)
		free = -1
	}
	return nil
}

// find returns the place of a row equal to a row of cols, -1 if there is none.
func (g *Bag) find(cols []arrow.Array, row int, hash uint64) int {
	for place := range g.index.candidates(hash) {
		ref := g.rows[place]
		if ref != gone && equalRows(g.batches[ref.batch].Cols, int(ref.row), cols, row) {
			return place
		}
	}
	return -1
}

// reindex hashes all rows.
func (g *Bag) reindex() {
	hashes := make([][]uint64, len(g.batches))
	for i, b := range g.batches {
		hashes[i] = vec.Hash(b.Cols, b.Rows, nil, nil)
	}
	g.index = newBagIndex(g.live)
	for place, ref := range g.rows {
		if ref != gone {
			g.index.add(hashes[ref.batch][ref.row], place)
		}
	}
}

// Limits on what a bag wastes: rows that are gone, and the fixed cost of small batches.
const (
	sparseRows   = 1 << 16
	smallBatches = 256
	smallBatch   = 512 // rows
)

func (g *Bag) wasteful() bool {
	return g.stored > 2*g.live+sparseRows || len(g.rows) > 2*g.live+sparseRows ||
		len(g.batches) > smallBatches+g.live/smallBatch
}

// rebuild copies the rows together.
func (g *Bag) rebuild() {
	rows := g.liveRows()
	old := g.batches
	g.batches, g.rows, g.live, g.stored = nil, nil, 0, 0
	for b := range gather(g.mem, old, rows) {
		g.batches = append(g.batches, b)
		g.stored += b.Rows
		g.appendAll(b)
	}
	for _, b := range old {
		b.Release()
	}
	g.reindex()
}

// liveRows lists the rows in the order of their places.
func (g *Bag) liveRows() []rowRef {
	rows := make([]rowRef, 0, g.live)
	for _, ref := range g.rows {
		if ref != gone {
			rows = append(rows, ref)
		}
	}
	return rows
}

// Release frees the bag.
func (g *Bag) Release() {
	for _, b := range g.batches {
		b.Release()
	}
	g.batches, g.rows, g.index = nil, nil, nil
	g.live, g.stored = 0, 0
}
