package checkpoint

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/internal/chunk"
)

// A record of merged rows has at most maxMergedRows, and at least minMergedRows but for the last of a task's.
const (
	minMergedRows = 4 << 10
	maxMergedRows = 64 << 10
)

// mergeChain gives emit the live rows of a task's chain of chunks, in the order of their hash: for each key the newest row, unless
// that is a deletion. Each record covers a range of key groups of its own and is only valid during the call.
// The memory needed, taken from mem, is that of the chunks that overlap in one range.
func mergeChain(mem memory.Allocator, chain []Chunk, r ChunkReader, emit func(rec arrow.Record, keyGroups [2]int) error) error {
	m := merger{mem: mem, reader: r, emit: emit}
	defer m.close(chunk.KeyGroups)
	m.waiting = slices.Clone(chain)
	slices.SortStableFunc(m.waiting, func(a, b Chunk) int { return cmp.Compare(a.KeyGroups[0], b.KeyGroups[0]) })
	for group := range chunk.KeyGroups {
		if err := m.open(group); err != nil {
			return err
		}
		m.mergeGroup(group)
		if len(m.picks) >= minMergedRows || group == chunk.KeyGroups-1 {
			if err := m.flush(group + 1); err != nil {
				return err
			}
			m.close(group + 1)
		}
	}
	return nil
}

// merger merges the chunks of a chain, key group by key group.
type merger struct {
	mem     memory.Allocator
	reader  ChunkReader
	emit    func(arrow.Record, [2]int) error
	waiting []Chunk       // by the key group they begin with
	chunks  []*openChunk  // nil once closed; picks refer to them by index
	schema  *arrow.Schema // of the live rows
	rows    []mergeRow    // of the current group
	picks   []pick        // rows to be emitted
	from    int           // first key group of picks
}

// mergeRow is a candidate: of those with the same key, the highest rank wins.
type mergeRow struct {
	hash uint64
	rank rank
	pick pick
}

// rank orders the rows of a key: a newer checkpoint's above an older one's, a row above a tombstone of the same checkpoint.
type rank uint64

func rankOf(id ID, kind chunk.Kind) rank {
	if kind == chunk.Tombstones {
		return rank(2 * id)
	}
	return rank(2*id + 1)
}

// open reads the chunks that begin with the key group.
func (m *merger) open(group int) error {
	for len(m.waiting) > 0 && m.waiting[0].KeyGroups[0] <= group {
		c, err := m.read(m.waiting[0])
		if err != nil {
			return err
		}
		m.chunks = append(m.chunks, c)
		m.waiting = m.waiting[1:]
		if c.kind == chunk.Tombstones {
			continue
		}
		if m.schema == nil {
			m.schema = c.rec.Schema()
		}
		if !m.schema.Equal(c.rec.Schema()) {
			return fmt.Errorf("chunk %s has other columns than the chunks before it", c.ref.Key)
		}
	}
	return nil
}

// close releases the chunks that end with the key group.
func (m *merger) close(group int) {
	for i, c := range m.chunks {
		if c != nil && c.ref.KeyGroups[1] <= group {
			c.rec.Release()
			m.chunks[i] = nil
		}
	}
}

// mergeGroup picks the live rows of a key group.
func (m *merger) mergeGroup(group int) {
	m.rows = m.rows[:0]
	for i, c := range m.chunks {
		if c != nil && c.ref.KeyGroups[0] <= group && group < c.ref.KeyGroups[1] {
			m.rows = c.appendRows(m.rows, uint32(i), group)
		}
	}
	slices.SortFunc(m.rows, func(a, b mergeRow) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(b.rank, a.rank))
	})
	for from := 0; from < len(m.rows); {
		to := from + 1
		for to < len(m.rows) && m.rows[to].hash == m.rows[from].hash {
			to++
		}
		m.mergeRun(m.rows[from:to])
		from = to
	}
}

// mergeRun picks the live rows of the same hash, given newest first.
func (m *merger) mergeRun(run []mergeRow) {
	for i, r := range run {
		superseded := slices.ContainsFunc(run[:i], func(newer mergeRow) bool { return m.sameKey(newer.pick, r.pick) })
		if !superseded && m.chunks[r.pick.chunk].kind == chunk.Rows {
			m.picks = append(m.picks, r.pick)
		}
	}
}

func (m *merger) sameKey(a, b pick) bool {
	x, y := m.chunks[a.chunk], m.chunks[b.chunk]
	if x.keys != y.keys {
		return false
	}
	for i := 1; i <= x.keys; i++ {
		if !equalCells(&x.cols[i], int(a.row), &y.cols[i], int(b.row)) {
			return false
		}
	}
	return true
}

// flush emits what has been picked for the key groups below to.
func (m *merger) flush(to int) error {
	for picks := range slices.Chunk(m.picks, maxMergedRows) {
		rec, err := m.record(picks)
		if err != nil {
			return err
		}
		err = m.emit(rec, [2]int{m.from, to})
		rec.Release()
		if err != nil {
			return err
		}
	}
	m.picks, m.from = m.picks[:0], to
	return nil
}

func (m *merger) record(picks []pick) (arrow.Record, error) {
	cols := make([]arrow.Array, 0, m.schema.NumFields())
	defer func() {
		for _, c := range cols {
			c.Release()
		}
	}()
	from := make([]*cells, len(m.chunks))
	for i := range m.schema.NumFields() {
		for j, c := range m.chunks {
			if from[j] = nil; c != nil && c.kind == chunk.Rows {
				from[j] = &c.cols[i]
			}
		}
		col, err := gather(m.mem, from, picks)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", m.schema.Field(i).Name, err)
		}
		cols = append(cols, col)
	}
	return array.NewRecord(m.schema, cols, int64(len(picks))), nil
}

// openChunk is a decoded chunk.
type openChunk struct {
	ref    Chunk
	rec    arrow.Record
	kind   chunk.Kind
	keys   int
	hashes []uint64
	order  []uint32 // the rows by hash; nil if that is how they lie
	cols   []cells
}

// read reads and decodes a chunk.
func (m *merger) read(ref Chunk) (*openChunk, error) {
	data, err := m.reader.Read(ref)
	if err != nil {
		return nil, err
	}
	c := &openChunk{ref: ref}
	if c.rec, err = decodeChunk(m.mem, data); err != nil {
		return nil, fmt.Errorf("%w: chunk %s: %w", ErrDamaged, ref.Key, err)
	}
	if err := c.index(); err != nil {
		c.rec.Release()
		return nil, fmt.Errorf("%w: chunk %s: %w", ErrDamaged, ref.Key, err)
	}
	return c, nil
}

// decodeChunk returns the record of a chunk.
func decodeChunk(mem memory.Allocator, data []byte) (rec arrow.Record, err error) {
	defer func() {
		if p := recover(); p != nil { // Arrow's reader panics on streams that no writer makes
			rec, err = nil, fmt.Errorf("malformed Arrow stream: %v", p)
		}
	}()
	stream, err := ipc.NewReader(bytes.NewReader(data), ipc.WithAllocator(mem))
	if err != nil {
		return nil, err
	}
	defer stream.Release()
	rec, err = stream.Read()
	if err != nil {
		return nil, fmt.Errorf("no record: %w", err)
	}
	rec.Retain()
	return rec, nil
}

// index prepares the columns and the order of the rows.
func (c *openChunk) index() error {
	var err error
	if c.kind, c.keys, err = chunk.Shape(c.rec.Schema()); err != nil {
		return err
	}
	c.hashes = c.rec.Column(0).(*array.Uint64).Uint64Values()
	for _, col := range c.rec.Columns() {
		c.cols = append(c.cols, cellsOf(col))
	}
	if !slices.IsSorted(c.hashes) {
		c.order = make([]uint32, len(c.hashes))
		for i := range c.order {
			c.order[i] = uint32(i)
		}
		slices.SortFunc(c.order, func(a, b uint32) int { return cmp.Compare(c.hashes[a], c.hashes[b]) })
	}
	return nil
}

// row is the i-th row by hash.
func (c *openChunk) row(i int) uint32 {
	if c.order != nil {
		return c.order[i]
	}
	return uint32(i)
}

// appendRows appends the rows of a key group.
func (c *openChunk) appendRows(rows []mergeRow, number uint32, group int) []mergeRow {
	rank := rankOf(c.ref.Checkpoint, c.kind)
	first := sort.Search(len(c.hashes), func(i int) bool { return chunk.KeyGroup(c.hashes[c.row(i)]) >= group })
	for i := first; i < len(c.hashes); i++ {
		row := c.row(i)
		hash := c.hashes[row]
		if chunk.KeyGroup(hash) != group {
			break
		}
		rows = append(rows, mergeRow{hash, rank, pick{number, row}})
	}
	return rows
}
