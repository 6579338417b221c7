package exec

import (
	"context"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/agg"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// kept is an Emitter that keeps what it is given.
type kept struct{ batches []vec.Batch }

func (k *kept) Emit(b vec.Batch) error {
	k.batches = append(k.batches, b)
	return nil
}

func (k *kept) release() {
	for _, b := range k.batches {
		b.Release()
	}
	k.batches = nil
}

// rawPlan is COUNT(*), SUM(n) FILTER (wanted), MAX(k) BY k over columns wanted, n, k in one phase.
func rawPlan(t *testing.T) plan.Aggregate {
	bigint := arrow.PrimitiveTypes.Int64
	op := plan.Aggregate{Keys: []int{2}, Emit: plan.EmitFinal}
	for _, c := range []struct {
		name   string
		args   []int
		filter int
	}{{"COUNT", nil, -1}, {"SUM", []int{1}, 0}, {"MAX", []int{2}, -1}} {
		call, err := agg.Resolve(c.name, slices.Repeat([]arrow.DataType{bigint}, len(c.args)), agg.Options{})
		if err != nil {
			t.Fatal(err)
		}
		op.Calls = append(op.Calls, plan.AggregateCall{Call: call, Args: c.args, Filter: c.filter})
	}
	return op
}

// rawInput is batches of wanted, n and k in which every key from 0 to keys-1 occurs twice, far apart; every third row is not
// selected.
func rawInput(mem memory.Allocator, keys int) (batches []vec.Batch) {
	for from := 0; from < 2*keys; from += vec.DefaultRows {
		wanted, n, k := array.NewBooleanBuilder(mem), array.NewInt64Builder(mem), array.NewInt64Builder(mem)
		b := vec.Batch{Rows: vec.DefaultRows}
		for row := range b.Rows {
			wanted.Append(row%2 == 0)
			n.Append(int64(from + row))
			k.Append(int64((from + row) % keys))
			if row%3 > 0 {
				b.Sel = append(b.Sel, uint32(row))
			}
		}
		b.Cols = []arrow.Array{wanted.NewArray(), n.NewArray(), k.NewArray()}
		wanted.Release()
		n.Release()
		k.Release()
		batches = append(batches, b)
	}
	return batches
}

// runAggregate feeds batches, which it consumes, to an operator of the op and keeps its output.
func runAggregate(t *testing.T, mem memory.Allocator, op plan.Aggregate, batches []vec.Batch) *kept {
	in := arrow.NewSchema(slices.Repeat([]arrow.Field{{Type: arrow.PrimitiveTypes.Int64}}, op.Keys[0]+1), nil)
	a, out := newAggregate(&op, in, nil), &kept{}
	c := &Context{Context: context.Background(), Alloc: mem, Rows: vec.DefaultRows, KeyGroups: vec.AllKeyGroups, Counters: newCounters()}
	if err := a.Open(c); err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := a.Process(0, b, out); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Watermark(vec.MaxTime, out); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// results is the rows of batches by key.
func results(batches []vec.Batch) map[int64][3]int64 {
	rows := map[int64][3]int64{}
	for _, b := range batches {
		for i := range b.Rows {
			var values [3]int64
			for c := range values {
				if values[c] = -1; b.Cols[c+1].IsValid(i) {
					values[c] = vec.Values[int64](b.Cols[c+1])[i]
				}
			}
			rows[vec.Values[int64](b.Cols[0])[i]] = values
		}
	}
	return rows
}

// TestRawRows: a partial aggregate to which hardly two rows are of a group passes rows on raw, and the final one makes the same of
// them as of states.
func TestRawRows(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	op := rawPlan(t)
	single := runAggregate(t, mem, op, rawInput(mem, 2*partialGroups))
	defer single.release()

	partial, final := op, op
	partial.Phase, final.Phase = plan.Partial, plan.Final
	final.Keys = []int{0}
	passed := runAggregate(t, mem, partial, rawInput(mem, 2*partialGroups))
	raw := 0
	for _, b := range passed.batches {
		if b.Raw {
			raw++
		}
	}
	if raw == 0 || raw == len(passed.batches) {
		t.Errorf("%d of %d batches are raw, want some and not all", raw, len(passed.batches))
	}
	both := runAggregate(t, mem, final, passed.batches)
	defer both.release()

	want, got := results(single.batches), results(both.batches)
	if len(want) < partialGroups || len(got) != len(want) {
		t.Fatalf("%d groups in two phases, %d in one", len(got), len(want))
	}
	for k, v := range want {
		if got[k] != v {
			t.Fatalf("group %d is %v in two phases, %v in one", k, got[k], v)
		}
	}
}

func TestThrift(t *testing.T) {
	var a thrift
	feed := func(rows int) bool { return a.pass(rows) }
	if feed(1000) {
		t.Error("rows are passed on before anything is known")
	}
	a.full(100)
	if a.rows = 0; feed(150) {
		t.Error("rows are passed on although ten of them made a group")
	}
	a.full(100)
	a.rows = 0
	for range thriftPause {
		if !feed(150) {
			t.Error("rows are grouped although nearly each is a group of its own")
		}
	}
	if feed(150) {
		t.Error("grouping is not tried again")
	}
}
