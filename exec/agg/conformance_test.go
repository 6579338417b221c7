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

// sample is a call to test.
type sample struct {
	function *Function
	options  Options
	Call
}

// conformance runs a property over every registered function with every option, each time with a list of argument types that it
// takes as they are.
func conformance(t *testing.T, options []Options, property func(t *rapid.T, mem memory.Allocator, s sample)) {
	for _, f := range Functions() {
		for _, opt := range variants(f, options) {
			calls := resolvable(f, opt)
			if len(calls) == 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s%+v", f.Name, opt), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
					property(t, mem, sample{f, opt, rapid.SampledFrom(calls).Draw(t, "call")})
					if mem.CurrentAlloc() != 0 {
						t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
					}
				})
			})
		}
	}
}

// resolvable is the calls of a function whose arguments need no cast.
func resolvable(f *Function, opt Options) (calls []Call) {
	for _, types := range signatures() {
		for i := range opt.Order {
			types = append(types[:len(types):len(types)], []arrow.DataType{double, bigint}[i])
		}
		if call, err := Resolve(f.Name, types, opt); err == nil && fmt.Sprint(call.Args) == fmt.Sprint(types) {
			calls = append(calls, call)
		}
	}
	return calls
}

// variants is the options with every treatment of order and of NULLs that the function takes.
func variants(f *Function, options []Options) []Options {
	all := options
	if f.Sortable {
		for _, opt := range options {
			opt.Order = []SortKey{{Descending: opt.Retract}}
			all = append(all[:len(all):len(all)], opt)
		}
	}
	if f.TreatsNulls {
		for _, opt := range options {
			opt.Nulls = IgnoreNulls
			if opt.Retract {
				opt.Nulls = RespectNulls
			}
			all = append(all[:len(all):len(all)], opt)
		}
	}
	return all
}

func signatures() [][]arrow.DataType {
	str, num, real, truth := arrow.BinaryTypes.String, bigint, double, arrow.FixedWidthTypes.Boolean
	all := [][]arrow.DataType{
		nil,
		{str, num},
		{real, real},
		{real, num},
		{arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Float32},
		{num, truth},
		{real, truth},
		{str, str},
		{num, real},
		{num, str},
		{vectest.Scalars[len(vectest.Scalars)-1], truth},
		{arrow.ListOf(str), num},
		{num, arrow.ListOf(real)},
		{real, real, num},
	}
	for _, dt := range append(vectest.Scalars[:len(vectest.Scalars):len(vectest.Scalars)], vectest.Nested...) {
		if dt.ID() != arrow.NULL {
			all = append(all, []arrow.DataType{dt})
		}
	}
	return all
}

var (
	appending  = []Options{{}, {Distinct: true}}
	retracting = []Options{{Retract: true}, {Retract: true, Distinct: true}}
	everything = append(append([]Options{}, appending...), retracting...)
)

// TestMerging: an input gives the same results whole and in two parts that are merged, and merging a state into nothing restores
// it. Where order matters the second part comes after the first.
func TestMerging(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, s sample) {
		if !s.Mergeable {
			return
		}
		d := newDrawing(t, mem, s.Call)
		whole, left, right := newGroups(t, mem, s.Call), newGroups(t, mem, s.Call), newGroups(t, mem, s.Call)
		toLeft := true
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			b := d.batch()
			whole.update(b)
			if stays := rapid.Bool().Draw(t, "left"); s.Ordered {
				toLeft = toLeft && stays
			} else {
				toLeft = stays
			}
			if toLeft {
				left.update(b)
			} else {
				right.update(b)
			}
			b.release()
		}
		restored := newGroups(t, mem, s.Call)
		restored.merge(whole)
		whole.requireSameResults(restored)
		left.merge(right)
		whole.requireSameResults(left)
		again := newGroups(t, mem, s.Call)
		again.merge(left)
		whole.requireSameResults(again)
		for _, g := range []*groupsOf{whole, left, right, restored, again} {
			g.close()
		}
	})
}

// TestRetractionUndoes: rows that are put in and taken out again leave no trace in the results, nor in restored ones. Where order
// matters they come before all others, since of equal rows the first is taken out; of DISTINCT they are all or none, since a value
// keeps its first place.
func TestRetractionUndoes(t *testing.T) {
	conformance(t, retracting, func(t *rapid.T, mem memory.Allocator, s sample) {
		d := newDrawing(t, mem, s.Call)
		kept, both := newGroups(t, mem, s.Call), newGroups(t, mem, s.Call)
		keep := s.Ordered && s.options.Distinct && rapid.Bool().Draw(t, "all")
		add := rapid.SampledFrom([]vec.Kind{vec.Insert, vec.UpdateAfter})
		remove := rapid.SampledFrom([]vec.Kind{vec.Delete, vec.UpdateBefore})
		var undo []batch
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			b := d.batch()
			b.kind = rapid.SliceOfN(add, b.key.Len(), b.key.Len()).Draw(t, "kinds")
			both.update(b)
			if !s.Ordered || !s.options.Distinct {
				keep = rapid.Bool().Draw(t, "kept") || s.Ordered && keep
			}
			if keep {
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
				restored := newGroups(t, mem, s.Call)
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
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, s sample) {
		if len(s.Args) == 0 || s.function.TreatsNulls || len(s.options.Order) > 0 {
			return
		}
		all, some := newGroups(t, mem, s.Call), newGroups(t, mem, s.Call)
		b := newDrawing(t, mem, s.Call).batch()
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

// TestFolding: a Folder that gets the rows of each group by themselves ends with the results of Update.
func TestFolding(t *testing.T) {
	folders := 0
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, s sample) {
		updated, folded := newGroups(t, mem, s.Call), newGroups(t, mem, s.Call)
		folder, ok := folded.acc.(Folder)
		if !ok {
			return
		}
		folders++
		d := newDrawing(t, mem, s.Call)
		for range rapid.IntRange(0, 3).Draw(t, "batches") {
			b := d.batch()
			updated.update(b)
			selections := map[uint32][]uint32{}
			for i, g := range folded.assign(b.key, b.sel) {
				selections[g] = append(selections[g], b.rows()[i])
			}
			for g, sel := range selections {
				if len(sel) == b.key.Len() && rapid.Bool().Draw(t, "without a selection") {
					sel = nil
				}
				if err := folder.Fold(folded.table.Rows(), g, Input{Args: b.args, Rows: b.key.Len(), Sel: sel}); err != nil {
					t.Fatal(err)
				}
			}
			b.release()
		}
		updated.requireSameResults(folded)
		updated.close()
		folded.close()
	})
	if folders == 0 {
		t.Error("nothing has been folded")
	}
}

func TestNoInput(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, s sample) {
		g := newGroups(t, mem, s.Call)
		key := drawKeys(t, mem, 1)
		g.assign(key, nil)
		keys, result := g.results()
		if result.Len() != 1 || s.Nullable != result.IsNull(0) {
			t.Fatalf("no input gives %v", result)
		}
		vec.Batch{Cols: []arrow.Array{key, keys, result}}.Release()
		g.close()
	})
}

// TestAgainstModel compares with the definition of the function, applied to the list of a group's values.
func TestAgainstModel(t *testing.T) {
	conformance(t, everything, func(t *rapid.T, mem memory.Allocator, s sample) {
		model, ok := models[s.Name]
		if !ok || len(s.Args) > 1 || len(s.Args) == 1 && arrow.IsNested(s.Args[0].ID()) ||
			s.options.Nulls != NullsAsUsual || len(s.options.Order) > 0 {
			return
		}
		d := newDrawing(t, mem, s.Call)
		g := newGroups(t, mem, s.Call)
		rows := map[int32][]value{}
		for range rapid.IntRange(0, 3).Draw(t, "batches") {
			b := d.batch()
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
			want := model(values, s.Result)
			got := "NULL"
			if result.IsValid(i) {
				got = result.ValueStr(i)
			}
			if got == "-0" {
				got = "0"
			}
			if got != want && !sameDigits(got, want) {
				t.Fatalf("%s(%v) is %s, want %s", s.Name, values, got, want)
			}
		}
		keys.Release()
		result.Release()
		g.close()
	})
}

// TestEveryFunctionConforms wants a function to be in the tests above with every option it takes.
func TestEveryFunctionConforms(t *testing.T) {
	for _, f := range Functions() {
		for _, opt := range variants(f, appending) {
			if len(resolvable(f, opt)) == 0 {
				t.Errorf("%s%+v is in no test", f.Name, opt)
			}
		}
	}
}
