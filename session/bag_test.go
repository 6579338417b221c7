package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
	"streamsql/plan"
)

// change is one row of a changelog of (n BIGINT, s STRING), where n = 0 stands for NULL.
type change struct {
	kind vec.Kind
	n    int64
	s    string
}

// batchOf builds a batch. Rows that are not selected are put before, between and behind the changes.
func batchOf(alloc memory.Allocator, selected bool, changes ...change) vec.Batch {
	n, s := array.NewInt64Builder(alloc), array.NewStringBuilder(alloc)
	defer n.Release()
	defer s.Release()
	var b vec.Batch
	junk := func() {
		n.Append(-1)
		s.Append("junk")
		b.Kinds = append(b.Kinds, vec.Delete)
	}
	for _, c := range changes {
		if selected {
			junk()
			b.Sel = append(b.Sel, uint32(n.Len()))
		}
		if c.n == 0 {
			n.AppendNull()
		} else {
			n.Append(c.n)
		}
		s.Append(c.s)
		b.Kinds = append(b.Kinds, c.kind)
	}
	b.Rows = n.Len()
	b.Cols = []arrow.Array{n.NewArray(), s.NewArray()}
	if !slices.ContainsFunc(b.Kinds, func(k vec.Kind) bool { return k != vec.Insert }) {
		b.Kinds = nil
	}
	return b
}

// texts returns the rows of the bag, "n s" each.
func texts(g *Bag, sort *plan.Sort) []string {
	var rows []string
	for b := range g.Rows(sort) {
		for i := range b.Rows {
			cells := make([]string, len(b.Cols))
			for c := range b.Cols {
				cells[c] = b.Cols[c].ValueStr(i)
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		b.Release()
	}
	return rows
}

func TestBagKeepsPlaces(t *testing.T) {
	alloc := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer alloc.AssertSize(t, 0)
	g := NewBag(alloc)
	defer g.Release()
	apply := func(selected bool, changes ...change) {
		g.Apply(batchOf(alloc, selected, changes...))
	}
	apply(false, change{vec.Insert, 1, "a"}, change{vec.Insert, 2, "b"}, change{vec.Insert, 0, "c"})
	apply(true, change{vec.UpdateBefore, 1, "a"}, change{vec.UpdateAfter, 10, "a"}, change{vec.Insert, 2, "b"})
	apply(false, change{vec.Delete, 2, "b"}, change{vec.UpdateBefore, 0, "c"}, change{vec.UpdateAfter, 30, "c"})
	apply(true, change{vec.UpdateBefore, 10, "a"}, change{vec.UpdateAfter, 11, "a"})
	if got := texts(g, nil); !slices.Equal(got, []string{"11 a", "30 c", "2 b"}) && !slices.Equal(got, []string{"11 a", "2 b", "30 c"}) {
		t.Errorf("got %q", got)
	}
	if g.Len() != 3 {
		t.Errorf("%d rows", g.Len())
	}
	// A row that is taken back before it comes does not show.
	apply(false, change{vec.Delete, 99, "z"}, change{vec.UpdateBefore, 98, "y"}, change{vec.UpdateAfter, 97, "y"})
	apply(true, change{vec.Insert, 98, "y"}, change{vec.UpdateBefore, 97, "y"}, change{vec.UpdateAfter, 99, "z"})
	if got := texts(g, nil); len(got) != 3 {
		t.Errorf("got %q", got)
	}
}

func TestBagCut(t *testing.T) {
	alloc := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer alloc.AssertSize(t, 0)
	g := NewBag(alloc)
	defer g.Release()
	for _, batch := range [][]change{
		{{n: 3, s: "x"}, {n: 0, s: "y"}, {n: 1, s: "x"}},
		{{n: 2, s: "z"}, {n: 1, s: "a"}},
	} {
		g.Apply(batchOf(alloc, true, batch...))
	}
	cases := []struct {
		sort *plan.Sort
		want string
	}{
		{nil, "3 x|(null) y|1 x|2 z|1 a"},
		{&plan.Sort{Limit: 2, Columns: 2}, "3 x|(null) y"},
		{&plan.Sort{Limit: -1, Offset: 4, Columns: 2}, "1 a"},
		{&plan.Sort{Limit: 3, Offset: 9, Columns: 2}, ""},
		{&plan.Sort{Limit: 0, Columns: 2}, ""},
		{&plan.Sort{Keys: []plan.SortKey{{Column: 0}}, Limit: -1, Columns: 2}, "1 x|1 a|2 z|3 x|(null) y"},
		{&plan.Sort{Keys: []plan.SortKey{{Column: 0, Descending: true, NullsFirst: true}}, Limit: 3, Columns: 2}, "(null) y|3 x|2 z"},
		{&plan.Sort{Keys: []plan.SortKey{{Column: 0}, {Column: 1}}, Limit: 2, Offset: 1, Columns: 2}, "1 x|2 z"},
		{&plan.Sort{Keys: []plan.SortKey{{Column: 1, Descending: true}}, Limit: 2, Columns: 1}, "2|(null)"},
	}
	for _, c := range cases {
		if got := strings.Join(texts(g, c.sort), "|"); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.sort, got, c.want)
		}
	}
}

// TestBagIsAMultiset compares a bag with counted rows over random changelogs, cut into random batches.
func TestBagIsAMultiset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alloc := memory.NewCheckedAllocator(new(dirty.Allocator))
		g := NewBag(alloc)
		want := map[change]int{}
		for range rapid.IntRange(1, 30).Draw(t, "batches") {
			var batch []change
			for range rapid.IntRange(0, 40).Draw(t, "rows") {
				row := change{n: rapid.Int64Range(0, 4).Draw(t, "n"), s: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "s")}
				if rapid.IntRange(0, 2).Draw(t, "take back") > 1 {
					want[row]--
					batch = append(batch, change{vec.UpdateBefore, row.n, row.s})
					if rapid.Bool().Draw(t, "update") {
						row.n = 4 - row.n
						want[row]++
						batch = append(batch, change{vec.UpdateAfter, row.n, row.s})
					}
					continue
				}
				want[row]++
				batch = append(batch, row)
			}
			g.Apply(batchOf(alloc, rapid.Bool().Draw(t, "selected"), batch...))
			if rapid.IntRange(0, 5).Draw(t, "rebuild") == 0 && g.hashed {
				g.rebuild()
			}
		}
		var wanted []string
		for row, n := range want {
			n = max(n, 0)
			cell := fmt.Sprint(row.n)
			if row.n == 0 {
				cell = "(null)"
			}
			wanted = append(wanted, slices.Repeat([]string{cell + " " + row.s}, n)...)
		}
		got := texts(g, nil)
		slices.Sort(got)
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Fatalf("got %q, want %q", got, wanted)
		}
		g.Release()
		alloc.AssertSize(t, 0)
	})
}

func TestBagStaysSmall(t *testing.T) {
	alloc := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer alloc.AssertSize(t, 0)
	g := NewBag(alloc)
	defer g.Release()
	const groups = 10
	for i := range int64(groups) {
		g.Apply(batchOf(alloc, false, change{n: 1, s: fmt.Sprint(i)}))
	}
	for n := int64(1); n < 2000; n++ {
		s := fmt.Sprint(n % groups)
		count := (n-1)/groups + 1
		if n%groups == 0 {
			count = n / groups
		}
		g.Apply(batchOf(alloc, false, change{vec.UpdateBefore, count, s}, change{vec.UpdateAfter, count + 1, s}))
	}
	if len(g.batches) > smallBatches+1 || g.Len() != groups {
		t.Errorf("%d batches, %d rows", len(g.batches), g.Len())
	}
	if got := texts(g, nil); len(got) != groups || !strings.HasSuffix(got[3], " 3") {
		t.Errorf("got %q", got)
	}
}
