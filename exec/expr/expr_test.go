package expr

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

func ints(mem memory.Allocator, v []int64, valid []bool) arrow.Array {
	b := array.NewInt64Builder(mem)
	defer b.Release()
	b.AppendValues(v, valid)
	return b.NewArray()
}

func must(e Expr, err error) Expr {
	if err != nil {
		panic(err)
	}
	return e
}

func call(name string, args ...Expr) Expr { return must(NewCall(name, args, Settings{})) }

func TestBasics(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	a := &Column{0, "a", BigInt, true}
	b := &Column{1, "b", BigInt, true}
	batch := vec.NewBatch(4, []arrow.Array{ints(mem, []int64{1, 2, 3, 4}, []bool{true, false, true, true}), ints(mem, []int64{0, 5, 7, 2}, nil)})
	defer batch.Release()
	exprs := []Expr{
		call("+", a, b),
		call(">", call("*", a, NewInt(2)), b),
		must(NewCase(nil, []When{{call("=", b, NewInt(0)), NewString("zero")}}, must(NewCast(call("/", a, b), String, false, Settings{})), Settings{})),
		call("BETWEEN", a, NewInt(2), NewInt(3)),
		call("IN", a, NewInt(1), NewInt(4), b),
		call("COALESCE", a, b, NewInt(9)),
		a,
		call("+", NewInt(1), NewInt(2)),
	}
	for _, e := range exprs {
		t.Log(e)
		for _, sel := range [][]uint32{nil, {0, 2}, {}} {
			p, err := Compile(mem, []Expr{e}, Settings{})
			if err != nil {
				t.Fatal(err)
			}
			out, err := p.Eval(batch.Select(sel))
			if err != nil {
				t.Fatal(err)
			}
			t.Log(out[0])
			out[0].Release()
		}
	}
	p, _ := Compile(mem, []Expr{call("/", a, b)}, Settings{})
	_, err := p.Eval(batch)
	t.Log(err)
	pr, _ := NewPredicate(mem, call(">", a, b), Settings{})
	t.Log(pr.Select(batch))
	_ = text.SQL
}
