package state

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

const (
	// collectFactor is how many groups can be sorted into parts in the time it takes to write one.
	collectFactor = 8
	// maxEarly is the rows copied out by BeforeWrite that are kept together, to be written in the order of their hashes.
	maxEarly = 1 << 16
)

// sweep is the writing of one checkpoint, in bounded steps: first the pending groups are dealt out to parts of the range of
// hashes, then part after part is written.
type sweep struct {
	checkpoint uint64
	graves     graves // to be written; a reference of its own
	word       int    // of the pending bits: those below it have been dealt out
	hashes     hashRange
	parts      [][]uint32
	part       int // those below it have been written
	early      []vec.Batch
	earlyRows  int
	chunkRows  int // about as many rows as fit into a chunk
}

// newSweep begins the sweep of a number of pending rows.
func (t *Table) newSweep(checkpoint uint64, rows int, dead graves) *sweep {
	s := &sweep{checkpoint: checkpoint, graves: dead.retain()}
	s.chunkRows = max(1, maxChunk/(8+int(t.rows.stride)))
	parts := max(1, rows*5/4/s.chunkRows)
	s.hashes = newHashRange(t.groups, parts)
	s.parts = make([][]uint32, parts)
	return s
}

// Sweep yields chunks of the checkpoint that Freeze began, about maxRows rows of them, and reports whether it has yielded all. It
// yields tombstones before rows. emit consumes the chunk's record; if it fails, the checkpoint is to be aborted.
func (t *Table) Sweep(maxRows int, emit func(Chunk) error) (done bool, err error) {
	s := t.snapshot.sweep
	if s == nil {
		return true, nil
	}
	if err := t.sweepGraves(s, emit); err != nil {
		return false, err
	}
	maxRows -= t.collect(s, maxRows*collectFactor) / collectFactor
	for maxRows > 0 && s.word == len(t.snapshot.pending) && s.part < len(s.parts) {
		n, err := t.sweepPart(s, emit)
		if err != nil {
			return false, err
		}
		maxRows -= n
	}
	done = s.part == len(s.parts)
	if done || s.earlyRows >= maxEarly {
		if err := t.sweepEarly(s, emit); err != nil {
			return false, err
		}
	}
	if done {
		t.snapshot.sweep = nil
	}
	return done, nil
}

// collect deals out pending groups to their parts until about limit have been, and returns their number.
func (t *Table) collect(s *sweep, limit int) int {
	n := 0
	var groups [64]uint32
	for s.word < len(t.snapshot.pending) && n < limit {
		for _, g := range t.snapshot.pending[s.word : s.word+1].appendTo(groups[:0]) {
			g += uint32(s.word) << 6
			part := s.hashes.part(*At[uint64](t.hashes.Rows, g))
			s.parts[part] = append(s.parts[part], g)
			n++
		}
		s.word++
	}
	return n
}

// sweepPart writes those groups of the next part that are still pending.
func (t *Table) sweepPart(s *sweep, emit func(Chunk) error) (rows int, err error) {
	groups := s.parts[s.part][:0]
	for _, g := range s.parts[s.part] {
		if t.snapshot.pending.has(g) {
			groups = append(groups, g)
		}
	}
	if err := s.write(t.rowSchema, groups, t.rowBatch, emit); err != nil {
		return 0, err
	}
	for _, g := range groups {
		t.snapshot.pending.unset(g)
	}
	s.parts[s.part] = nil
	s.part++
	return len(groups), nil
}

// write emits chunks of the rows that build makes a batch of.
func (s *sweep) write(schema *arrow.Schema, rows []uint32, build func(rows []uint32) (vec.Batch, error), emit func(Chunk) error) error {
	for len(rows) > 0 {
		n := min(len(rows), s.chunkRows)
		b, err := build(rows[:n])
		if err != nil {
			return err
		}
		size := sizeOf(b.Cols)
		if size > maxChunk && n > 1 {
			b.Release()
			s.chunkRows = max(1, n*(maxChunk*7/8)/size)
			continue
		}
		if n == s.chunkRows && size < maxChunk/2 {
			s.chunkRows = n * 3 / 2
		}
		if err := emit(newChunk(s.checkpoint, schema, b)); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// copyOut keeps the rows of those groups that are still pending, which are about to change.
func (t *Table) copyOut(groups []uint32) error {
	s := &t.snapshot
	var early []uint32
	for _, g := range groups {
		if s.pending.has(g) {
			s.pending.unset(g)
			early = append(early, g)
		}
	}
	if len(early) == 0 {
		return nil
	}
	b, err := t.rowBatch(early)
	if err != nil {
		return err
	}
	s.sweep.early = append(s.sweep.early, b)
	s.sweep.earlyRows += len(early)
	return nil
}

// sweepEarly writes the rows that have been copied out.
func (t *Table) sweepEarly(s *sweep, emit func(Chunk) error) error {
	parts := s.early
	s.early, s.earlyRows = nil, 0
	return t.writeParts(s, t.rowSchema, parts, emit)
}

func (t *Table) sweepGraves(s *sweep, emit func(Chunk) error) error {
	parts := s.graves.parts
	s.graves = graves{}
	return t.writeParts(s, t.deletedSchema, parts, emit)
}

// writeParts emits chunks of the rows of parts together, in the order of their hashes. It consumes the parts.
func (t *Table) writeParts(s *sweep, schema *arrow.Schema, parts []vec.Batch, emit func(Chunk) error) error {
	if len(parts) == 0 {
		return nil
	}
	all := vec.Concat(t.mem, parts)
	defer all.Release()
	order := inHashOrder(vec.Values[uint64](all.Cols[0]))
	return s.write(schema, order, func(rows []uint32) (vec.Batch, error) {
		b := vec.Batch{Rows: len(rows)}
		for _, c := range all.Cols {
			b.Cols = append(b.Cols, vec.Take(t.mem, c, rows))
		}
		return b, nil
	}, emit)
}

// inHashOrder is the rows of hashes in the order of their upper bits.
func inHashOrder(hashes []uint64) []uint32 {
	const shift = 52
	var starts [1<<(64-shift) + 1]uint32
	for _, h := range hashes {
		starts[h>>shift+1]++
	}
	for i := range starts[1:] {
		starts[i+1] += starts[i]
	}
	rows := make([]uint32, len(hashes))
	for i, h := range hashes {
		rows[starts[h>>shift]] = uint32(i)
		starts[h>>shift]++
	}
	return rows
}

// release gives up the arrays that were to be written.
func (s *sweep) release() {
	s.graves.release()
	for _, b := range s.early {
		b.Release()
	}
	s.graves, s.early = graves{}, nil
}
