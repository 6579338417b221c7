package expr

import (
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

// TestColumnsPassThrough: a bare column of an unselected batch is the same array.
func TestColumnsPassThrough(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch, columns := table(t, mem, "a BIGINT, s STRING", "1|x", "NULL|NULL", "3|z")
	defer batch.Release()
	p, err := Compile(mem, []Expr{columns[1], columns[0], columns[1]}, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Eval(batch)
	if err != nil {
		t.Fatal(err)
	}
	if out[0] != batch.Cols[1] || out[1] != batch.Cols[0] || out[2] != batch.Cols[1] {
		t.Error("a column was copied")
	}
	release(out)
	if out, err = p.Eval(batch.Select([]uint32{0, 2})); err != nil {
		t.Fatal(err)
	}
	if got := texts(out[0]); !slices.Equal(got, []string{"x", "z"}) {
		t.Errorf("selected rows are %v", got)
	}
	release(out)
}

func release(arrs []arrow.Array) {
	for _, a := range arrs {
		a.Release()
	}
}

// TestSelect covers selections, constants and empty batches.
func TestSelect(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch, columns := table(t, mem, "a BIGINT, p BOOLEAN", "1|true", "2|NULL", "NULL|false", "4|true")
	defer batch.Release()
	tests := []struct {
		sql  string
		sel  []uint32
		want []uint32
	}{
		{"a > 1", nil, []uint32{1, 3}},
		{"a > 1", []uint32{0, 3}, []uint32{3}},
		{"p", nil, []uint32{0, 3}},
		{"NOT p", nil, []uint32{2}},
		{"TRUE", nil, []uint32{0, 1, 2, 3}},
		{"TRUE", []uint32{1}, []uint32{1}},
		{"FALSE", nil, []uint32{}},
		{"a > 1", []uint32{}, []uint32{}},
		{"a > NULL", nil, []uint32{}},
		{"p IS NULL OR a IS NULL", nil, []uint32{1, 2}},
	}
	for _, test := range tests {
		p, err := NewPredicate(mem, mustBind(t, test.sql, columns...), Settings{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := p.Select(batch.Select(test.sel))
			if err != nil || got == nil || !slices.Equal(got, test.want) {
				t.Errorf("%s of %v: %v, %v, want %v", test.sql, test.sel, got, err, test.want)
			}
		}
	}
	p, err := NewPredicate(mem, mustBind(t, "a IS NULL OR a > 0", columns...), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if all, err := p.Filter(batch); err != nil || all.Sel != nil {
		t.Errorf("filtering nothing out selects %v, %v", all.Sel, err)
	}
	if _, err := NewPredicate(mem, columns[0], Settings{}); err == nil {
		t.Error("a number was taken for a condition")
	}
}

// TestNestedValues: values of nested types pass through CASE and COALESCE, and can be asked whether they are NULL.
func TestNestedValues(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch, columns := table(t, mem, "p BOOLEAN", "true", "false", "NULL")
	list := arrow.ListOf(BigInt)
	batch.Cols = append(batch.Cols, listArray(mem, [][]int64{{1, 2}, nil, {3}}), listArray(mem, [][]int64{nil, {4}, {5, 6}}))
	defer batch.Release()
	a, b := &Column{1, "a", list, true}, &Column{2, "b", list, true}
	tests := []struct {
		e    Expr
		want []string
	}{
		{must(NewCall("IF", []Expr{columns[0], a, b}, Settings{})), []string{"[1, 2]", "[4]", "[5, 6]"}},
		{must(NewCall("COALESCE", []Expr{a, b}, Settings{})), []string{"[1, 2]", "[4]", "[3]"}},
		{must(NewCall("IF", []Expr{columns[0], a, NewNull(Unknown)}, Settings{})), []string{"[1, 2]", "NULL", "NULL"}},
		{must(NewCall("IS NULL", []Expr{a}, Settings{})), []string{"FALSE", "TRUE", "FALSE"}},
		{a, []string{"[1, 2]", "NULL", "[3]"}},
	}
	for _, test := range tests {
		for _, sel := range [][]uint32{nil, {0, 2}, {}} {
			got, err := evalTexts(t, mem, test.e, Settings{}, batch.Select(sel))
			want := test.want
			if sel != nil {
				want = nil
				for _, row := range sel {
					want = append(want, test.want[row])
				}
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s of %v is %v, %v, want %v", test.e, sel, got, err, want)
			}
		}
	}
}

// TestSteadyState: evaluating a batch again allocates a fixed number of objects, whatever its rows.
func TestSteadyState(t *testing.T) {
	batch, columns := benchBatch()
	defer batch.Release()
	mem := vec.NewPool(0, nil)
	for _, sql := range benchExpressions {
		p, err := Compile(mem, []Expr{mustBind(t, sql, columns...)}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		eval := func() {
			out, err := p.Eval(batch)
			if err != nil {
				t.Fatal(err)
			}
			release(out)
		}
		eval()
		if n := testing.AllocsPerRun(5, eval); n > 20 {
			t.Errorf("%s: %v allocations for a batch of %d rows", sql, n, batch.Rows)
		}
	}
	if mem.InUse() != 0 {
		t.Errorf("%d bytes left", mem.InUse())
	}
}

func listArray(mem memory.Allocator, rows [][]int64) arrow.Array {
	b := array.NewListBuilder(mem, BigInt)
	defer b.Release()
	values := b.ValueBuilder().(*array.Int64Builder)
	for _, row := range rows {
		b.Append(row != nil)
		values.AppendValues(row, nil)
	}
	return b.NewArray()
}
