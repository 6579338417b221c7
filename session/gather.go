package session

import (
	"iter"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/plan"
)

// Rows yields the bag's rows in the order and number that sort asks for, without changing the bag; nil asks for all rows as they
// are. Each batch belongs to the loop's body.
func (g *Bag) Rows(sort *plan.Sort) iter.Seq[vec.Batch] {
	rows := g.present.list()
	if sort == nil {
		return gather(g.mem, g.batches, rows)
	}
	if len(sort.Keys) > 0 {
		slices.SortStableFunc(rows, g.comparer(sort.Keys))
	}
	rows = rows[min(sort.Offset, int64(len(rows))):]
	if sort.Limit >= 0 {
		rows = rows[:min(sort.Limit, int64(len(rows)))]
	}
	return func(yield func(vec.Batch) bool) {
		for b := range gather(g.mem, g.batches, rows) {
			if !yield(firstColumns(b, sort.Columns)) {
				return
			}
		}
	}
}

// firstColumns gives up the columns of a batch behind the first n.
func firstColumns(b vec.Batch, n int) vec.Batch {
	for _, c := range b.Cols[n:] {
		c.Release()
	}
	b.Cols = b.Cols[:n:n]
	return b
}

// gatherRows is the number of rows put into one batch of a final result.
const gatherRows = 8192

// gather copies rows of batches, which it leaves alone, into new batches in the order of the rows.
func gather(mem memory.Allocator, batches []vec.Batch, rows []rowRef) iter.Seq[vec.Batch] {
	return func(yield func(vec.Batch) bool) {
		for part := range slices.Chunk(rows, gatherRows) {
			if !yield(gatherPart(mem, batches, part)) {
				return
			}
		}
	}
}

// gatherPart copies the rows batch by batch and then puts them into their order.
func gatherPart(mem memory.Allocator, batches []vec.Batch, rows []rowRef) vec.Batch {
	perBatch := map[uint32][]uint32{}
	var order []uint32 // of the batches
	for _, r := range rows {
		if perBatch[r.batch] == nil {
			order = append(order, r.batch)
		}
		perBatch[r.batch] = append(perBatch[r.batch], r.row)
	}
	parts := make([]vec.Batch, len(order))
	next := map[uint32]uint32{} // where the next row of a batch stands in the copy
	at := uint32(0)
	for i, n := range order {
		parts[i] = vec.NewBatch(batches[n].Rows, batches[n].Cols).Retain().Select(perBatch[n])
		next[n] = at
		at += uint32(len(perBatch[n]))
	}
	copied := vec.Concat(mem, parts)
	if len(order) == 1 {
		return copied
	}
	sel := make([]uint32, len(rows))
	for i, r := range rows {
		sel[i] = next[r.batch]
		next[r.batch]++
	}
	return vec.Compact(mem, copied.Select(sel))
}
