package exec

import (
	"sync"
	"testing"
	"testing/synctest"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/checkpoint"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

// ints is a batch of one BIGINT column.
func ints(values ...int64) vec.Batch {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues(values, nil)
	return vec.NewBatch(len(values), []arrow.Array{b.NewArray()})
}

func TestGateServesControlFirstAndInputsInTurn(t *testing.T) {
	g := newGate(2, 100)
	for i := range 2 {
		for v := range int64(2) {
			if err := g.send(i, data{ints(v)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	g.post(tick{})
	var order []int
	for {
		input, _, ok := g.poll(false)
		if !ok {
			break
		}
		order = append(order, input)
	}
	want := []int{control, 0, 1, 0, 1}
	for i, w := range want {
		if order[i] != w {
			t.Fatalf("served %v, want %v", order, want)
		}
	}
}

func TestGateBoundsRowsPerInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1, 4)
		var sent int
		var wait sync.WaitGroup
		wait.Go(func() {
			for range 3 {
				if g.send(0, data{ints(1, 2, 3)}) != nil {
					return
				}
				sent++
			}
		})
		synctest.Wait()
		if sent != 2 { // the second fits while fewer than four rows wait
			t.Fatalf("%d batches of 3 rows sent into room for 4", sent)
		}
		if _, _, ok := g.poll(false); !ok {
			t.Fatal("nothing to serve")
		}
		synctest.Wait()
		if sent != 3 {
			t.Fatalf("sender still waits after %d", sent)
		}
		g.close()
		wait.Wait()
	})
}

func TestGateKeepsBlockedInput(t *testing.T) {
	g := newGate(2, 100)
	g.block(0, true)
	_ = g.send(0, data{ints(1)})
	_ = g.send(1, data{ints(2)})
	if input, _, _ := g.poll(false); input != 1 {
		t.Fatalf("served input %d", input)
	}
	if _, _, ok := g.poll(false); ok {
		t.Fatal("a blocked input was served")
	}
	g.block(0, false)
	if input, _, ok := g.poll(false); !ok || input != 0 {
		t.Fatal("the buffered batch is gone")
	}
}

func TestClosedGateRefusesAndFrees(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch := func() vec.Batch {
		b := array.NewInt64Builder(mem)
		defer b.Release()
		b.Append(1)
		return vec.NewBatch(1, []arrow.Array{b.NewArray()})
	}
	g := newGate(1, 10)
	_ = g.send(0, data{batch()})
	g.close()
	if err := g.send(0, data{batch()}); err != errClosed {
		t.Fatalf("got %v", err)
	}
}

func TestAlignment(t *testing.T) {
	bar := func(id checkpoint.ID) checkpoint.Barrier { return checkpoint.Barrier{ID: id} }
	blocked := func(g *gate) (s string) {
		for i := range g.inputs {
			s += map[bool]string{true: "b", false: "-"}[g.inputs[i].blocked]
		}
		return s
	}
	g := newGate(3, 30)
	a := newAligner(g, 3)
	steps := []struct {
		input   int
		id      checkpoint.ID
		aligned bool
		blocked string
	}{
		{0, 1, false, "b--"},
		{2, 1, false, "b-b"},
		{1, 1, true, "---"},
		{1, 2, false, "-b-"},
		{0, 3, false, "b--"}, // the newer supersedes
		{2, 2, false, "b--"}, // what is left of the older is ignored
		{1, 3, false, "bb-"},
		{2, 3, true, "---"},
		{0, 3, false, "---"},
	}
	for i, s := range steps {
		if aligned, _ := a.barrier(s.input, bar(s.id)); aligned != s.aligned || blocked(g) != s.blocked {
			t.Fatalf("step %d: aligned %v, inputs %s", i, aligned, blocked(g))
		}
	}
	a.barrier(0, bar(4))
	a.finish(4)
	if blocked(g) != "---" {
		t.Fatal("an aborted checkpoint keeps its inputs blocked")
	}
	if aligned, _ := a.barrier(1, bar(4)); aligned || blocked(g) != "---" {
		t.Fatal("a barrier of an aborted checkpoint counts")
	}
}

func TestWatermarksAreTheMinimumOfActiveInputs(t *testing.T) {
	w := newWatermarks(3)
	steps := []struct {
		input   int
		in      Watermark
		want    Watermark
		changed bool
	}{
		{0, Watermark{Time: 10}, Watermark{Time: vec.MinTime}, false},
		{1, Watermark{Time: 20}, Watermark{Time: vec.MinTime}, false},
		{2, Watermark{Time: vec.MinTime, Idle: true}, Watermark{Time: 10}, true},
		{0, Watermark{Time: 30}, Watermark{Time: 20}, true},
		{2, Watermark{Time: 5}, Watermark{Time: 20}, false}, // never falls
		{0, Watermark{Time: 30, Idle: true}, Watermark{Time: 20}, false},
		{1, Watermark{Time: 20, Idle: true}, Watermark{Time: 20}, false},
		{2, Watermark{Time: 5, Idle: true}, Watermark{Time: 30, Idle: true}, true}, // as far as input 0 had come
		{2, Watermark{Time: 15}, Watermark{Time: 30}, true},                        // active again
		{2, Watermark{Time: vec.MaxTime}, Watermark{Time: 30, Idle: true}, true},   // the others may go on
		{0, Watermark{Time: 31}, Watermark{Time: 31}, true},
		{0, Watermark{Time: vec.MaxTime}, Watermark{Time: 31, Idle: true}, true},
		{1, Watermark{Time: vec.MaxTime}, Watermark{Time: vec.MaxTime}, true},
	}
	for i, s := range steps {
		if got, changed := w.set(s.input, s.in); got != s.want || changed != s.changed {
			t.Fatalf("step %d: got %v %v, want %v %v", i, got, changed, s.want, s.changed)
		}
	}
}
