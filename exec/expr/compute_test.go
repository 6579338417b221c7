package expr

import (
	"context"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/compute"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
	"streamsql/internal/dirty"
)

// computed are operators and the function of Arrow's compute package that does the same.
var computed = []struct {
	op, function string
	types        []arrow.DataType
}{
	{"+", "add", []arrow.DataType{TinyInt, SmallInt, Int, BigInt, Float, Double}},
	{"-", "subtract", []arrow.DataType{TinyInt, SmallInt, Int, BigInt, Float, Double}},
	{"*", "multiply", []arrow.DataType{TinyInt, SmallInt, Int, BigInt, Float, Double}},
	{"/", "divide", []arrow.DataType{TinyInt, SmallInt, Int, BigInt}},
	{"=", "equal", comparedTypes},
	{"<>", "not_equal", comparedTypes},
	{"<", "less", comparedTypes},
	{"<=", "less_equal", comparedTypes},
	{">", "greater", comparedTypes},
	{">=", "greater_equal", comparedTypes},
	{"AND", "and_kleene", []arrow.DataType{Boolean}},
	{"OR", "or_kleene", []arrow.DataType{Boolean}},
}

var comparedTypes = []arrow.DataType{TinyInt, SmallInt, Int, BigInt, Float, Double, String, Bytes, Timestamp(3), Date}

// TestAgainstArrowCompute compares whole columns with Arrow's own functions, errors included.
func TestAgainstArrowCompute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		c := rapid.SampledFrom(computed).Draw(t, "operator")
		typ := rapid.SampledFrom(c.types).Draw(t, "type")
		n := rapid.IntRange(1, 100).Draw(t, "rows")
		batch := vec.NewBatch(n, []arrow.Array{vectest.Array(t, mem, typ, n), vectest.Array(t, mem, typ, n)})
		want, wantErr := callCompute(mem, c.function, batch.Cols)

		args := []Expr{&Column{0, "a", typ, true}, &Column{1, "b", typ, true}}
		var e Expr
		var err error
		switch c.op {
		case "AND":
			e, err = And(args...)
		case "OR":
			e, err = Or(args...)
		default:
			e, err = NewCall(c.op, args, Settings{})
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(mem, []Expr{e}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Eval(batch)
		looksAtNulls := wantErr != nil && batch.Cols[0].NullN()+batch.Cols[1].NullN() > 0 // Arrow fails for what is in place of NULL
		if (err != nil) != (wantErr != nil) && !looksAtNulls {
			t.Fatalf("%s: %v, Arrow says %v", e, err, wantErr)
		}
		if err == nil && wantErr == nil {
			for row, got := range texts(out[0]) {
				if got != want[row] && !slices.Contains(rowText(batch, row), "NaN") { // which Arrow takes to be equal to itself
					t.Fatalf("%s of %v is %s, Arrow says %s", e, rowText(batch, row), got, want[row])
				}
			}
		}
		release(out)
		batch.Release()
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes left", mem.CurrentAlloc())
		}
	})
}

func callCompute(mem memory.Allocator, function string, args []arrow.Array) ([]string, error) {
	ctx := compute.WithAllocator(context.Background(), mem)
	whole := vec.Compact(mem, vec.NewBatch(args[0].Len(), args).Retain().Select(allRows(args[0].Len()))) // it is not safe with slices
	defer whole.Release()
	x, y := compute.NewDatum(whole.Cols[0]), compute.NewDatum(whole.Cols[1])
	defer x.Release()
	defer y.Release()
	out, err := compute.CallFunction(ctx, function, nil, x, y)
	if err != nil {
		return nil, err
	}
	defer out.Release()
	arr := out.(*compute.ArrayDatum).MakeArray()
	defer arr.Release()
	return texts(arr), nil
}

func allRows(n int) []uint32 {
	rows := make([]uint32, n)
	for i := range rows {
		rows[i] = uint32(i)
	}
	return rows
}
