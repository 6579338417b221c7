package exec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/checkpoint"
	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

// keySets is an operator whose state is a set of numbers, with the chunks it has written and how often each has been read.
type keySets struct {
	t        *rapid.T
	mem      *memory.CheckedAllocator
	subtasks []*keyedState
	chunks   map[string][]byte
	reads    map[string]int
	next     checkpoint.ID
}

func (s *keySets) Write(id checkpoint.ID, groups vec.KeyGroupRange, rows int, data []byte) checkpoint.Chunk {
	key := fmt.Sprintf("%04d", len(s.chunks))
	s.chunks[key] = data
	return checkpoint.Chunk{Key: key, Checkpoint: id, KeyGroups: [2]int{groups.Lo, groups.Hi}, Rows: rows}
}

// start makes the subtasks, from the state of former ones if there is some.
func (s *keySets) start(parallelism int, restored []checkpoint.OperatorState) {
	s.subtasks = nil
	for i := range parallelism {
		c := &Context{
			Alloc: s.mem, KeyGroups: vec.OwnedBy(i, parallelism), Chunks: s, Restored: restored,
			Read: func(c checkpoint.Chunk) ([]byte, error) {
				s.reads[fmt.Sprint(i, " ", c.Key)]++
				return s.chunks[c.Key], nil
			},
		}
		table, err := state.New(state.Config{Keys: []arrow.DataType{arrow.PrimitiveTypes.Int64}, KeyGroups: c.KeyGroups, Mem: s.mem})
		if err != nil {
			s.t.Fatal(err)
		}
		k := &keyedState{context: c, table: table}
		if err := k.restore(); err != nil {
			s.t.Fatal(err)
		}
		s.subtasks = append(s.subtasks, k)
	}
}

// change adds numbers to the sets or takes them out.
func (s *keySets) change(numbers []int64, in bool) {
	col := ints(numbers...).Cols[0]
	defer col.Release()
	hashes := vec.Hash([]arrow.Array{col}, len(numbers), nil, nil)
	shares := make([][]uint32, len(s.subtasks))
	vec.Partition(hashes, vec.Batch{Rows: len(numbers)}, len(shares), shares)
	for i, sel := range shares {
		table := s.subtasks[i].table
		var err error
		if in {
			err = table.BeforeWrite(table.Assign([]arrow.Array{col}, len(numbers), sel, nil, nil))
		} else {
			groups, _ := table.Touched(table.Lookup([]arrow.Array{col}, len(numbers), sel, nil, nil), nil, nil)
			err = table.Delete(groups)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// checkpoint takes a checkpoint of every subtask.
func (s *keySets) checkpoint() (states []checkpoint.OperatorState) {
	s.next++
	for _, k := range s.subtasks {
		snapshot, err := k.freeze(s.next)
		if err != nil {
			s.t.Fatal(err)
		}
		for done := false; !done; {
			if done, err = snapshot.Sweep(1000); err != nil {
				s.t.Fatal(err)
			}
		}
		k.written(s.next)
		states = append(states, snapshot.State())
	}
	return states
}

func (s *keySets) content() string {
	var numbers []int64
	for _, k := range s.subtasks {
		keys := k.table.Keys(k.table.Groups(nil))[0].(*array.Int64)
		numbers = append(numbers, keys.Int64Values()...)
		keys.Release()
	}
	slices.Sort(numbers)
	return fmt.Sprint(numbers)
}

// TestKeyedStateIsRescaled restores state at other parallelisms, again and again: it stays what it was, each subtask reads a chunk
// once, and what several former subtasks refer to is referred to once unless one of them has dropped its share.
func TestKeyedStateIsRescaled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &keySets{t: t, mem: memory.NewCheckedAllocator(new(dirty.Allocator)), chunks: map[string][]byte{}, reads: map[string]int{}}
		s.start(rapid.IntRange(1, 5).Draw(t, "parallelism"), nil)
		numbers := rapid.SliceOfN(rapid.Int64Range(0, 60), 1, 30)
		var model []int64
		for range rapid.IntRange(1, 8).Draw(t, "restores") {
			var states []checkpoint.OperatorState
			for range rapid.IntRange(1, 3).Draw(t, "checkpoints") {
				added, taken := numbers.Draw(t, "added"), numbers.Draw(t, "taken")
				s.change(added, true)
				s.change(taken, false)
				model = append(model, added...)
				model = slices.DeleteFunc(model, func(n int64) bool { return slices.Contains(taken, n) })
				states = s.checkpoint()
			}
			for _, k := range s.subtasks {
				k.table.Release()
			}
			clear(s.reads)
			s.start(rapid.IntRange(1, 5).Draw(t, "parallelism"), states)
			slices.Sort(model)
			model = slices.Compact(model)
			if got, want := s.content(), fmt.Sprint(model); got != want {
				t.Fatalf("the state is %s, want %s", got, want)
			}
			for chunk, n := range s.reads {
				if n != 1 {
					t.Fatalf("subtask and chunk %s: read %d times", chunk, n)
				}
			}
		}
		for _, k := range s.subtasks {
			k.table.Release()
		}
		if s.mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", s.mem.CurrentAlloc())
		}
	})
}

func TestJoined(t *testing.T) {
	ref := func(id checkpoint.ID, key string, lo, hi int) checkpoint.Chunk {
		return checkpoint.Chunk{Key: key, Checkpoint: id, KeyGroups: [2]int{lo, hi}}
	}
	var got []string
	for _, c := range joined([]checkpoint.Chunk{
		ref(2, "b", 0, 9), ref(3, "a", 32, 64), ref(1, "c", 96, 128), ref(1, "c", 0, 32), ref(3, "a", 0, 32), ref(1, "c", 32, 64), ref(3, "d", 64, 99),
	}) {
		got = append(got, fmt.Sprint(c.Checkpoint, c.Key, c.KeyGroups))
	}
	if got, want := strings.Join(got, ", "), "1c[0 64], 1c[96 128], 2b[0 9], 3a[0 64], 3d[64 99]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
