package vec_test

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
	"streamsql/internal/dirty"
)

// naiveTake concatenates one-row slices with Arrow's own code.
func naiveTake(t *rapid.T, mem memory.Allocator, arr arrow.Array, idx []uint32) arrow.Array {
	rows := []arrow.Array{array.NewSlice(arr, 0, 0)}
	for _, x := range idx {
		rows = append(rows, array.NewSlice(arr, int64(x), int64(x)+1))
	}
	out, err := array.Concatenate(rows, mem)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		r.Release()
	}
	return out
}

func requireEqual(t *rapid.T, got, want arrow.Array) {
	t.Helper()
	if !array.ApproxEqual(got, want, array.WithNaNsEqual(true)) || got.NullN() != want.NullN() {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
}

func TestTake(t *testing.T) {
	for _, dt := range vectest.All {
		t.Run(dt.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				mem := memory.NewCheckedAllocator(vec.NewPool(0, nil))
				n := rapid.IntRange(0, 30).Draw(t, "rows")
				arr := vectest.Array(t, mem, dt, n)
				idx := []uint32{}
				if n > 0 {
					idx = rapid.SliceOfN(rapid.Uint32Range(0, uint32(n-1)), 0, 40).Draw(t, "idx")
				}
				got, want := vec.Take(mem, arr, idx), naiveTake(t, mem, arr, idx)
				requireEqual(t, got, want)
				for _, a := range []arrow.Array{got, want, arr} {
					a.Release()
				}
				if mem.CurrentAlloc() != 0 {
					t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
				}
			})
		})
	}
}

func TestConcat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		types := rapid.SliceOfN(rapid.SampledFrom(vectest.All), 1, 4).Draw(t, "types")
		var batches []vec.Batch
		var want [][]arrow.Array
		var kinds []vec.Kind
		var marks []int64
		for range rapid.IntRange(1, 4).Draw(t, "batches") {
			n := rapid.IntRange(0, 20).Draw(t, "rows")
			b := vec.NewBatch(n, vectest.Columns(t, mem, types, n))
			b.Sel = vectest.Selection(t, n)
			if rapid.Bool().Draw(t, "kinds") {
				b.Kinds = rapid.SliceOfN(rapid.Map(rapid.Uint8Range(0, 3), func(k uint8) vec.Kind { return vec.Kind(k) }), n, n).Draw(t, "kind")
			}
			if rapid.Bool().Draw(t, "marks") {
				b.Marks = rapid.SliceOfN(rapid.Int64(), n, n).Draw(t, "mark")
			}
			rows := []uint32{}
			for i := range b.Len() {
				rows = append(rows, uint32(b.Row(i)))
				kinds = append(kinds, b.Kind(b.Row(i)))
				if b.Marks != nil {
					marks = append(marks, b.Marks[b.Row(i)])
				} else {
					marks = append(marks, vec.MinTime)
				}
			}
			taken := make([]arrow.Array, len(types))
			for c := range types {
				taken[c] = naiveTake(t, mem, b.Cols[c], rows)
			}
			want = append(want, taken)
			batches = append(batches, b)
		}
		got := vec.Concat(mem, batches)
		if got.Sel != nil || got.Rows != len(kinds) {
			t.Fatalf("got %d rows, selection %v", got.Rows, got.Sel)
		}
		for i := range kinds {
			if got.Kind(i) != kinds[i] || got.Marks != nil && got.Marks[i] != marks[i] {
				t.Fatalf("row %d: kind %v mark %v", i, got.Kind(i), got.Marks)
			}
		}
		for c := range types {
			var all []arrow.Array
			for _, w := range want {
				all = append(all, w[c])
			}
			whole, err := array.Concatenate(all, mem)
			if err != nil {
				t.Fatal(err)
			}
			requireEqual(t, got.Cols[c], whole)
			whole.Release()
			for _, a := range all {
				a.Release()
			}
		}
		got.Release()
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
		}
	})
}

func TestCompactWithoutSelectionIsFree(t *testing.T) {
	b := vec.NewBatch(3, nil)
	if got := vec.Compact(memory.DefaultAllocator, b); got.Rows != 3 || got.Sel != nil {
		t.Fatalf("got %+v", got)
	}
	if got := vec.Compact(memory.DefaultAllocator, b.Select([]uint32{1, 2})); got.Rows != 2 || got.Sel != nil {
		t.Fatalf("a batch without columns lost its rows: %+v", got)
	}
}

func TestStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(vec.NewPool(0, nil))
		values := rapid.SliceOf(rapid.Ptr(rapid.String(), true)).Draw(t, "values")
		s := vec.NewStrings(mem, len(values), 0)
		for i, v := range values {
			switch {
			case v == nil:
				s.AppendNull()
			case i%2 == 0:
				s.Append(*v)
			default:
				s.AppendBytes([]byte(*v))
			}
		}
		if s.Len() != len(values) {
			t.Fatalf("length %d", s.Len())
		}
		if rapid.Bool().Draw(t, "dropped") {
			s.Release()
		} else {
			arr := s.Array(arrow.BinaryTypes.String).(*array.String)
			for i, v := range values {
				if arr.IsNull(i) != (v == nil) || v != nil && arr.Value(i) != *v {
					t.Fatalf("value %d is %q", i, arr.Value(i))
				}
			}
			arr.Release()
		}
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes leaked", mem.CurrentAlloc())
		}
	})
}
