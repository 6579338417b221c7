package state

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

// record is the value of a test table: a number in the row and a text in an arena beside it.
type record struct {
	mem   memory.Allocator
	texts Arena
	kept  int
}

type recordRow struct {
	number int64
	ref    Ref
	size   uint32 // one more than the text's bytes
}

func (*record) Width() int { return 16 }

func (*record) Types() []arrow.DataType {
	return []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String}
}

func (v *record) set(rows Rows, group uint32, number int64, text string) {
	v.Free(rows, []uint32{group})
	*At[recordRow](rows, group) = recordRow{number, v.texts.Put([]byte(text)), uint32(len(text)) + 1}
	v.kept++
}

func (v *record) State(rows Rows, groups []uint32) ([]arrow.Array, error) {
	numbers := array.NewInt64Builder(v.mem)
	defer numbers.Release()
	texts := vec.NewStrings(v.mem, len(groups), 0)
	for _, g := range groups {
		r := At[recordRow](rows, g)
		numbers.Append(r.number)
		if r.size == 0 {
			texts.AppendNull()
		} else {
			texts.AppendBytes(v.texts.Get(r.ref, int(r.size)-1))
		}
	}
	return []arrow.Array{numbers.NewArray(), texts.Array(arrow.BinaryTypes.String)}, nil
}

func (v *record) Merge(rows Rows, groups []uint32, state []arrow.Array) error {
	for i, g := range groups {
		v.set(rows, g, state[0].(*array.Int64).Value(i), state[1].(*array.String).Value(i))
	}
	return nil
}

func (v *record) Free(rows Rows, groups []uint32) {
	for _, g := range groups {
		if r := At[recordRow](rows, g); r.size > 0 {
			v.texts.Free(r.ref, int(r.size)-1)
			v.kept--
		}
	}
}

func (v *record) Bytes() int64 { return v.texts.Bytes() }

// subtask is a table, its share of the checkpoints and the chunks of its chain.
type subtask struct {
	*Table
	value  *record
	chunks []stored
}

type stored struct {
	checkpoint uint64
	groups     vec.KeyGroupRange
	data       []byte
}

// job is a keyed operator of several subtasks over BIGINT, STRING and ARRAY keys, and what its state should be.
type job struct {
	t        *rapid.T
	mem      *memory.CheckedAllocator
	subtasks []*subtask
	model    map[string]string

	checkpoint uint64
	frozen     map[string]string // the model at the barrier of the checkpoint that has begun
	liveFrom   []uint64

	complete map[string]string // at the newest complete checkpoint
	manifest [][]stored
}

var jobKeys = []arrow.DataType{
	arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String, arrow.ListOf(arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Float32)),
}

func (j *job) newSubtask(i, parallelism int) *subtask {
	value := &record{mem: j.mem}
	table, err := New(Config{Keys: jobKeys, Value: value, KeyGroups: vec.OwnedBy(i, parallelism), Mem: j.mem})
	if err != nil {
		j.t.Fatal(err)
	}
	return &subtask{Table: table, value: value}
}

// keys makes n key columns out of a small space.
func (j *job) keys(n int) []arrow.Array {
	ints, strs := array.NewInt64Builder(j.mem), array.NewStringBuilder(j.mem)
	defer ints.Release()
	defer strs.Release()
	lists := array.NewBuilder(j.mem, jobKeys[2]).(*array.ListBuilder)
	defer lists.Release()
	for range n {
		k := rapid.IntRange(0, 60).Draw(j.t, "key")
		ints.Append(int64(k % 7))
		strs.Append(fmt.Sprintf("key number %d", k))
		lists.Append(true)
		for i := range k % 3 {
			entry := lists.ValueBuilder().(*array.MapBuilder)
			entry.Append(true)
			entry.KeyBuilder().(*array.Int32Builder).Append(int32(i))
			entry.ItemBuilder().(*array.Float32Builder).Append(float32(k))
		}
	}
	return []arrow.Array{ints.NewArray(), strs.NewArray(), lists.NewArray()}
}

// each gives every subtask its share of n random keys.
func (j *job) each(n int, do func(s *subtask, keys []arrow.Array, sel []uint32, hashes []uint64)) {
	keys := j.keys(n)
	defer vec.Batch{Cols: keys}.Release()
	hashes := vec.Hash(keys, n, nil, nil)
	shares := make([][]uint32, len(j.subtasks))
	vec.Partition(hashes, vec.Batch{Rows: n}, len(j.subtasks), shares)
	for i, sel := range shares {
		var own []uint64
		for _, row := range sel {
			own = append(own, hashes[row])
		}
		do(j.subtasks[i], keys, sel, own)
	}
}

func (j *job) write() {
	n := rapid.IntRange(1, 20).Draw(j.t, "rows")
	j.each(n, func(s *subtask, keys []arrow.Array, sel []uint32, hashes []uint64) {
		groups := s.Assign(keys, n, sel, hashes, nil)
		if err := s.BeforeWrite(groups); err != nil {
			j.t.Fatal(err)
		}
		for i, g := range groups {
			v := rapid.Int64Range(0, 1000).Draw(j.t, "value")
			text := fmt.Sprint("text ", v%10)
			s.value.set(s.Rows(), g, v, text)
			j.model[keyText(keys, int(sel[i]))] = fmt.Sprintf("%d %s", v, text)
		}
	})
}

func (j *job) delete() {
	n := rapid.IntRange(1, 10).Draw(j.t, "rows")
	j.each(n, func(s *subtask, keys []arrow.Array, sel []uint32, hashes []uint64) {
		groups, _ := s.Touched(s.Lookup(keys, n, sel, hashes, nil), nil, nil)
		if err := s.Delete(groups); err != nil {
			j.t.Fatal(err)
		}
		for _, row := range sel {
			delete(j.model, keyText(keys, int(row)))
		}
	})
}

func (j *job) freeze() {
	if j.frozen != nil {
		j.finish()
	}
	j.checkpoint++
	j.frozen = maps.Clone(j.model)
	j.liveFrom = nil
	for _, s := range j.subtasks {
		f, err := s.Freeze(j.checkpoint)
		if err != nil {
			j.t.Fatal(err)
		}
		if f.Rows > 0 {
			if _, err := s.Freeze(j.checkpoint); err == nil {
				j.t.Fatal("a checkpoint began within another")
			}
		}
		j.liveFrom = append(j.liveFrom, f.LiveFrom)
	}
}

// sweep writes some rows of the checkpoint that has begun.
func (j *job) sweep(maxRows int) (done bool) {
	done = true
	for _, s := range j.subtasks {
		d, err := s.Sweep(maxRows, func(c Chunk) error {
			defer c.Record.Release()
			j.checkChunk(c)
			data, err := vec.EncodeRecord(c.Record)
			s.chunks = append(s.chunks, stored{c.Checkpoint, c.KeyGroups, data})
			return err
		})
		if err != nil {
			j.t.Fatal(err)
		}
		done = done && d
	}
	return done
}

func (j *job) checkChunk(c Chunk) {
	hashes := vec.Values[uint64](c.Record.Column(0))
	keys := c.Record.Columns()[1 : 1+len(jobKeys)]
	if c.Checkpoint != j.checkpoint || c.Record.NumRows() == 0 || !slices.Equal(hashes, vec.Hash(keys, len(hashes), nil, nil)) {
		j.t.Fatalf("chunk %+v", c)
	}
	for _, h := range hashes {
		if !c.KeyGroups.Contains(vec.KeyGroup(h)) {
			j.t.Fatalf("key group %d is not in %v", vec.KeyGroup(h), c.KeyGroups)
		}
	}
}

// finish completes the checkpoint that has begun.
func (j *job) finish() {
	if j.frozen == nil {
		return
	}
	for !j.sweep(rapid.IntRange(1, 40).Draw(j.t, "max rows")) {
	}
	j.manifest = nil
	for i, s := range j.subtasks {
		s.Written(j.checkpoint)
		s.chunks = slices.DeleteFunc(slices.Clone(s.chunks), func(c stored) bool { return c.checkpoint < j.liveFrom[i] })
		j.manifest = append(j.manifest, slices.Clone(s.chunks))
	}
	j.complete, j.frozen = j.frozen, nil
}

// abort gives the checkpoint that has begun up, after any part of it was written.
func (j *job) abort() {
	if j.frozen == nil {
		return
	}
	for _, s := range j.subtasks {
		s.Abort(j.checkpoint)
		if rapid.Bool().Draw(j.t, "chunks dropped") {
			s.chunks = slices.DeleteFunc(slices.Clone(s.chunks), func(c stored) bool { return c.checkpoint == j.checkpoint })
		}
	}
	j.frozen = nil
}

// restore starts the job anew from its newest complete checkpoint, at any parallelism.
func (j *job) restore() {
	if j.complete == nil {
		return
	}
	for _, s := range j.subtasks {
		s.Release()
	}
	parallelism := rapid.IntRange(1, 4).Draw(j.t, "parallelism")
	var all []stored
	for _, chunks := range j.manifest {
		all = append(all, chunks...)
	}
	if len(all) > 1 {
		all = rapid.Permutation(all).Draw(j.t, "order")
	}
	slices.SortStableFunc(all, func(a, b stored) int { return int(b.checkpoint) - int(a.checkpoint) })
	j.subtasks = nil
	for i := range parallelism {
		s := j.newSubtask(i, parallelism)
		var own []stored
		for _, c := range all {
			if c.groups = intersection(c.groups, vec.OwnedBy(i, parallelism)); c.groups.Lo < c.groups.Hi {
				own = append(own, c)
			}
		}
		if err := s.Load(rapid.IntRange(0, 5000).Draw(j.t, "expected groups"), j.decode(own)); err != nil {
			j.t.Fatal(err)
		}
		slices.Reverse(own)
		s.chunks = own
		j.subtasks = append(j.subtasks, s)
	}
	j.model, j.frozen = maps.Clone(j.complete), nil
	j.checkModel()
	j.restoredIsClean()
}

func (j *job) decode(chunks []stored) iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for _, c := range chunks {
			rec, err := vec.DecodeRecord(j.mem, c.data)
			if !yield(Chunk{c.checkpoint, c.groups, rec}, err) {
				return
			}
		}
	}
}

// restoredIsClean: a checkpoint right after a restore writes nothing, and needs what the restored one needed or less.
func (j *job) restoredIsClean() {
	j.manifest = nil
	for _, s := range j.subtasks {
		f, err := s.Freeze(j.checkpoint)
		if err != nil || f.Rows+f.Tombstones > 0 {
			j.t.Fatalf("after a restore %+v, %v", f, err)
		}
		s.chunks = slices.DeleteFunc(s.chunks, func(c stored) bool { return c.checkpoint < f.LiveFrom })
		j.manifest = append(j.manifest, slices.Clone(s.chunks))
	}
}

func (j *job) checkModel() {
	got := map[string]string{}
	for _, s := range j.subtasks {
		groups := s.Groups(nil)
		cols := s.Keys(groups)
		states, err := s.value.State(s.Rows(), groups)
		if err != nil {
			j.t.Fatal(err)
		}
		for i := range groups {
			got[keyText(cols, i)] = states[0].ValueStr(i) + " " + states[1].ValueStr(i)
		}
		if s.value.kept != len(groups) {
			j.t.Fatalf("%d texts are kept for %d groups", s.value.kept, len(groups))
		}
		vec.Batch{Cols: append(cols, states...)}.Release()
	}
	want := map[string]string{}
	for k, v := range j.model {
		want[k] = v
	}
	if len(got) != len(want) {
		j.t.Fatalf("%d keys, want %d", len(got), len(want))
	}
	for k, v := range want {
		if got[k] != v {
			j.t.Fatalf("%s is %q, want %q", k, got[k], v)
		}
	}
}

// TestSnapshots writes, deletes, takes checkpoints, sweeps them in pieces between other steps, fails some of them and restores,
// all at random: what is restored is always the state at the barrier.
func TestSnapshots(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := &job{t: t, mem: memory.NewCheckedAllocator(new(dirty.Allocator)), model: map[string]string{}}
		j.subtasks = []*subtask{j.newSubtask(0, 1)}
		t.Repeat(map[string]func(*rapid.T){
			"write":   func(*rapid.T) { j.write() },
			"write 2": func(*rapid.T) { j.write() },
			"delete":  func(*rapid.T) { j.delete() },
			"freeze":  func(*rapid.T) { j.freeze() },
			"sweep":   func(t *rapid.T) { j.sweep(rapid.IntRange(1, 10).Draw(t, "max rows")) },
			"finish":  func(*rapid.T) { j.finish() },
			"abort":   func(*rapid.T) { j.abort() },
			"restore": func(*rapid.T) { j.restore() },
			"forget": func(*rapid.T) {
				for _, s := range j.subtasks {
					s.Forget()
				}
			},
			"": func(*rapid.T) { j.checkModel() },
		})
		j.restore()
		for _, s := range j.subtasks {
			s.Release()
		}
		if j.mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", j.mem.CurrentAlloc())
		}
	})
}
