package state

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// numbers is a table from BIGINT keys to a BIGINT, with its chain of chunks.
type numbers struct {
	*Table
	chunks []Chunk
}

// number is the value of such a table.
type number struct{}

func (number) Width() int              { return 8 }
func (number) Types() []arrow.DataType { return []arrow.DataType{arrow.PrimitiveTypes.Int64} }
func (number) Free(Rows, []uint32)     {}
func (number) Bytes() int64            { return 0 }

func (number) State(rows Rows, groups []uint32) ([]arrow.Array, error) {
	buf, values := vec.NewFixed[int64](memory.DefaultAllocator, len(groups))
	for i, g := range groups {
		values[i] = *At[int64](rows, g)
	}
	return []arrow.Array{vec.MakeArray(arrow.PrimitiveTypes.Int64, len(groups), 0, nil, buf)}, nil
}

func (number) Merge(rows Rows, groups []uint32, state []arrow.Array) error {
	for i, v := range vec.Values[int64](state[0]) {
		*At[int64](rows, groups[i]) += v
	}
	return nil
}

func newNumbers(t testing.TB) *numbers {
	table, err := New(Config{Keys: []arrow.DataType{arrow.PrimitiveTypes.Int64}, Value: number{}, Mem: memory.DefaultAllocator})
	if err != nil {
		t.Fatal(err)
	}
	return &numbers{Table: table}
}

// add adds one to the number of each key.
func (n *numbers) add(t testing.TB, keys []int64) {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(keys, nil)
	cols := []arrow.Array{b.NewArray()}
	groups := n.Assign(cols, len(keys), nil, vec.Hash(cols, len(keys), nil, nil), nil)
	if err := n.BeforeWrite(groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		*At[int64](n.Rows(), g)++
	}
}

func (n *numbers) checkpoint(t testing.TB, id uint64) Frozen {
	f, err := n.Freeze(id)
	if err != nil {
		t.Fatal(err)
	}
	for done := false; !done; {
		if done, err = n.Sweep(1000, n.keep); err != nil {
			t.Fatal(err)
		}
	}
	n.Written(id)
	n.chunks = slices.DeleteFunc(n.chunks, func(c Chunk) bool { return c.Checkpoint < f.LiveFrom })
	return f
}

func (n *numbers) keep(c Chunk) error {
	n.chunks = append(n.chunks, c)
	return nil
}

func (n *numbers) restored(t testing.TB) *numbers {
	r := newNumbers(t)
	r.chunks = n.chunks
	err := r.Load(0, func(yield func(Chunk, error) bool) {
		for _, c := range slices.Backward(n.chunks) {
			c.Record.Retain()
			if !yield(c, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content is the table as sorted text.
func (n *numbers) content(t testing.TB) string {
	groups := n.Groups(nil)
	keys := n.Keys(groups)[0].(*array.Int64)
	var lines []string
	for i, g := range groups {
		lines = append(lines, fmt.Sprint(keys.Value(i), "=", *At[int64](n.Rows(), g)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestChainStaysShort runs many checkpoints and some restores: what is needed never exceeds the bounds of the rolling base.
func TestChainStaysShort(t *testing.T) {
	const n = 3000
	for _, dirty := range []int{n / 100, n / 10, n / 4, n} {
		t.Run(fmt.Sprint(dirty), func(t *testing.T) {
			r := rand.New(rand.NewPCG(7, uint64(dirty)))
			table := newNumbers(t)
			all := make([]int64, n)
			for i := range all {
				all[i] = int64(i)
			}
			table.add(t, all)
			for id := uint64(1); id <= 120; id++ {
				keys := make([]int64, dirty)
				for i := range keys {
					keys[i] = r.Int64N(n)
				}
				table.add(t, keys)
				table.checkpoint(t, id)
				if id%7 == 0 {
					want := table.content(t)
					table = table.restored(t)
					if got := table.content(t); got != want {
						t.Fatalf("checkpoint %d restores to\n%s\nwant\n%s", id, got, want)
					}
				}
				if id > 2*rollCheckpoints {
					checkBounds(t, table, id, n, dirty)
				}
			}
		})
	}
}

func checkBounds(t *testing.T, table *numbers, id uint64, n, dirty int) {
	t.Helper()
	rows := 0
	for _, c := range table.chunks {
		rows += int(c.Record.NumRows())
	}
	limit := min(n+(rollCheckpoints+2)*dirty, 3*n+2*dirty) + 2*n/rollCheckpoints
	if rows > limit {
		t.Fatalf("checkpoint %d needs %d rows, limit %d", id, rows, limit)
	}
	if age := id - table.chunks[0].Checkpoint; age > rollCheckpoints+1 {
		t.Fatalf("checkpoint %d needs a chunk of checkpoint %d", id, table.chunks[0].Checkpoint)
	}
}

// TestCheckpointsAreIncremental: a checkpoint writes what has changed and a twentieth of the rest, and nothing if nothing has.
func TestCheckpointsAreIncremental(t *testing.T) {
	table := newNumbers(t)
	all := make([]int64, 2000)
	for i := range all {
		all[i] = int64(i)
	}
	table.add(t, all)
	if f := table.checkpoint(t, 1); f.Rows != 2000 || f.LiveFrom != 1 {
		t.Fatalf("the first checkpoint: %+v", f)
	}
	if f := table.checkpoint(t, 2); f.Rows != 0 || f.LiveFrom != 1 {
		t.Fatalf("an idle checkpoint: %+v", f)
	}
	table.add(t, []int64{1, 2, 3})
	if f := table.checkpoint(t, 3); f.Rows != 100+3 || f.LiveFrom != 1 {
		t.Fatalf("a checkpoint with 3 of 2000 dirty: %+v", f)
	}
}

// TestChunksAreCut: a chunk is at most 256 KiB when encoded, and its rows are of few key groups, also when they were copied out.
func TestChunksAreCut(t *testing.T) {
	keys := []arrow.DataType{arrow.BinaryTypes.String}
	table, err := New(Config{Keys: keys, Mem: memory.DefaultAllocator})
	if err != nil {
		t.Fatal(err)
	}
	const n = 100_000
	b := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range n {
		b.Append(fmt.Sprint(i, strings.Repeat("x", i%200)))
	}
	cols := []arrow.Array{b.NewArray()}
	groups := table.Assign(cols, n, nil, vec.Hash(cols, n, nil, nil), nil)
	if _, err := table.Freeze(1); err != nil {
		t.Fatal(err)
	}
	if err := table.BeforeWrite(groups[:n/2]); err != nil {
		t.Fatal(err)
	}
	rows, chunks := 0, 0
	emit := func(c Chunk) error {
		data, err := vec.EncodeRecord(c.Record)
		if width := c.KeyGroups.Hi - c.KeyGroups.Lo; len(data) > 256<<10 || width > 16 {
			t.Fatalf("a chunk of %d bytes and %d key groups", len(data), width)
		}
		rows += int(c.Record.NumRows())
		chunks++
		return err
	}
	for done := false; !done; {
		if done, err = table.Sweep(5000, emit); err != nil {
			t.Fatal(err)
		}
	}
	if rows != n || chunks > 120 {
		t.Fatalf("%d rows in %d chunks", rows, chunks)
	}
}

func TestSweepFails(t *testing.T) {
	table := newNumbers(t)
	table.add(t, []int64{1, 2, 3})
	if _, err := table.Freeze(1); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if _, err := table.Sweep(10, func(c Chunk) error { return full }); !errors.Is(err, full) {
		t.Fatalf("got %v", err)
	}
	table.Abort(1)
	if f := table.checkpoint(t, 2); f.Rows != 3 {
		t.Fatalf("the checkpoint after it: %+v", f)
	}
}

func TestLoadRefuses(t *testing.T) {
	texts, err := New(Config{Keys: []arrow.DataType{arrow.BinaryTypes.String}, Mem: memory.DefaultAllocator})
	if err != nil {
		t.Fatal(err)
	}
	table := newNumbers(t)
	table.add(t, []int64{1})
	table.checkpoint(t, 1)
	table.add(t, []int64{2})
	table.checkpoint(t, 2)
	one, two := table.chunks[0], table.chunks[1]
	load := func(t *Table, chunks ...Chunk) error {
		return t.Load(0, func(yield func(Chunk, error) bool) {
			for _, c := range chunks {
				c.Record.Retain()
				if !yield(c, nil) {
					return
				}
			}
		})
	}
	cases := []struct {
		err  error
		want string
	}{
		{load(texts, one), "restore a chunk of checkpoint 1: it has 3 columns, the operator's state has 2"},
		{load(table.Table, one), "state can only be restored into an empty table"},
		{load(newNumbers(t).Table, one, two), "restore a chunk of checkpoint 2: it comes after one of checkpoint 1"},
		{newNumbers(t).Load(0, func(yield func(Chunk, error) bool) { yield(Chunk{}, errors.New("no such chunk")) }), "no such chunk"},
	}
	for _, c := range cases {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("got %v, want %s", c.err, c.want)
		}
	}
}
