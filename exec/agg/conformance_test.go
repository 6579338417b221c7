package agg

import (
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

// conformance runs a property over every registered function, with every list of argument types it takes as they are.
func conformance(t *testing.T, options []Options, property func(t *rapid.T, mem memory.Allocator, call Call)) {
	for _, f := range Functions() {
		for _, args := range signatures() {
			for _, opt := range options {
				call, err := Resolve(f.Name, args, opt)
				if err != nil || fmt.Sprint(call.Args) != fmt.Sprint(args) {
					continue
				}
				t.Run(fmt.Sprintf("%s%v%+v", f.Name, args, opt), func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
						property(t, mem, call)
						if mem.CurrentAlloc() != 0 {
							t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
						}
					})
				})
			}
		}
	}
}

func signatures() [][]arrow.DataType {
	all := [][]arrow.DataType{nil, {arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64}}
	for _, dt := range vectest.Scalars {
		all = append(all, []arrow.DataType{dt})
	}
	return all
}

var (
	appending  = []Options{{}, {Distinct: true}}
	retracting = []Options{{Retract: true}, {Retract: true, Distinct: true}}
	everything = append(append([]Options{}, appending...), retracting...)
)

// TestMerging: an input gives the same results whole and in two parts that are merged, and merging a state into nothing restores it.
func TestMerging(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, call Call) {
		whole, left, right := newGroups(t, mem, call), newGroups(t, mem, call), newGroups(t, mem, call)
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			b := drawBatch(t, mem, call.Args)
			whole.update(b)
			if rapid.Bool().Draw(t, "left") {
				left.update(b)
			} else {
				right.update(b)
			}
			b.release()
		}
		if !call.Mergeable {
			return
		}
		restored := newGroups(t, mem, call)
		restored.merge(whole)
		whole.requireSameResults(restored)
		left.merge(right)
		whole.requireSameResults(left)
		again := newGroups(t, mem, call)
		again.merge(left)
		whole.requireSameResults(again)
		for _, g := range []*groupsOf{whole, left, right, restored, again} {
			g.close()
		}
	})
}

// TestRetractionUndoes: rows that are put in and taken out again leave no trace in the results, nor in restored ones.
func TestRetractionUndoes(t *testing.T) {
	conformance(t, retracting, func(t *rapid.T, mem memory.Allocator, call Call) {
		kept, both := newGroups(t, mem, call), newGroups(t, mem, call)
		add := rapid.SampledFrom([]vec.Kind{vec.Insert, vec.UpdateAfter})
		remove := rapid.SampledFrom([]vec.Kind{vec.Delete, vec.UpdateBefore})
		var undo []batch
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			b := drawBatch(t, mem, call.Args)
			b.kind = rapid.SliceOfN(add, b.key.Len(), b.key.Len()).Draw(t, "kinds")
			both.update(b)
			if rapid.Bool().Draw(t, "kept") {
				kept.update(b)
				b.release()
				continue
			}
			kept.assign(b.key, b.sel)
			b.kind = rapid.SliceOfN(remove, b.key.Len(), b.key.Len()).Draw(t, "kinds")
			undo = append(undo, b)
		}
		for i, b := range undo {
			if i == 0 && rapid.Bool().Draw(t, "restored") {
				restored := newGroups(t, mem, call)
				restored.merge(both)
				both.close()
				both = restored
			}
			both.update(b)
			b.release()
		}
		kept.requireSameResults(both)
		kept.close()
		both.close()
	})
}

// TestNullsDoNotCount: a row with a NULL argument changes nothing, and no input gives NULL or, if the result cannot be NULL, some
// value.
func TestNullsDoNotCount(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, call Call) {
		if len(call.Args) == 0 {
			return
		}
		all, some := newGroups(t, mem, call), newGroups(t, mem, call)
		b := drawBatch(t, mem, call.Args)
		defer b.release()
		all.update(b)
		some.assign(b.key, b.sel)
		sel := []uint32{}
		for _, row := range b.rows() {
			null := false
			for _, a := range b.args {
				null = null || a.IsNull(int(row))
			}
			if !null {
				sel = append(sel, row)
			}
		}
		b.sel = sel
		some.update(b)
		all.requireSameResults(some)
		all.close()
		some.close()
	})
}

func TestNoInput(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, call Call) {
		g := newGroups(t, mem, call)
		key := drawKeys(t, mem, 1)
		g.assign(key, nil)
		keys, result := g.results()
		if result.Len() != 1 || call.Nullable != result.IsNull(0) {
			t.Fatalf("no input gives %v", result)
		}
		vec.Batch{Cols: []arrow.Array{key, keys, result}}.Release()
		g.close()
	})
}

// TestAgainstModel compares with the definition of the function, applied to the list of a group's values.
func TestAgainstModel(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, call Call) {
		model, ok := models[call.Name]
		if !ok || len(call.Args) > 1 {
			return
		}
		g := newGroups(t, mem, call)
		rows := map[int32][]value{}
		for range rapid.IntRange(0, 3).Draw(t, "batches") {
			b := drawBatch(t, mem, call.Args)
			g.update(b)
			for _, row := range b.rows() {
				k := b.key.(*array.Int32).Value(int(row))
				rows[k] = append(rows[k], valueOf(b.args, int(row)))
			}
			b.release()
		}
		keys, result := g.results()
		for i := range keys.Len() {
			values := rows[keys.(*array.Int32).Value(i)]
			if _, ok := g.acc.(*distinct); ok {
				values = deduplicated(values)
			}
			want := model(values, call.Result)
			got := "NULL"
			if result.IsValid(i) {
				got = result.ValueStr(i)
			}
			if got == "-0" {
				got = "0"
			}
			if got != want {
				t.Fatalf("%s(%v) is %s, want %s", call.Name, values, got, want)
			}
		}
		keys.Release()
		result.Release()
		g.close()
	})
}
