package expr

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

// The oracle evaluates random expressions row by row in the most obvious way; a program must agree with it, in every row and on
// whether there is an error.

var errOracle = errors.New("no value")

// node is an expression in both forms. Values are nil, bool or *big.Int.
type node struct {
	expr Expr
	eval func(row []any) (any, error)
}

// oracle draws nodes over integers of one type.
type oracle struct {
	t        *rapid.T
	typ      arrow.DataType
	lo, hi   *big.Int
	columns  []*Column
	settings Settings
}

func newOracle(t *rapid.T) *oracle {
	o := &oracle{t: t, typ: rapid.SampledFrom([]arrow.DataType{TinyInt, Int, BigInt}).Draw(t, "type")}
	width := uint(o.typ.(arrow.FixedWidthDataType).BitWidth() - 1)
	o.hi = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), width), big.NewInt(1))
	o.lo = new(big.Int).Not(o.hi)
	for i, name := range []string{"a", "b", "c"} {
		o.columns = append(o.columns, &Column{i, name, o.typ, true})
	}
	for i, name := range []string{"p", "q"} {
		o.columns = append(o.columns, &Column{3 + i, name, Boolean, true})
	}
	if rapid.Bool().Draw(t, "null on error") {
		o.settings.EvalErrors = Null
	}
	return o
}

func (o *oracle) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(o.t, what) }

func (o *oracle) value() *big.Int {
	if o.pick(8, "extreme") == 0 {
		return []*big.Int{o.lo, o.hi}[o.pick(2, "which")]
	}
	return big.NewInt(int64(rapid.IntRange(-3, 12).Draw(o.t, "value")))
}

func (o *oracle) typed(v *big.Int) any {
	switch o.typ {
	case TinyInt:
		return int8(v.Int64())
	case Int:
		return int32(v.Int64())
	}
	return v.Int64()
}

func (o *oracle) column(i int) node {
	return node{o.columns[i], func(row []any) (any, error) { return row[i], nil }}
}

// node makes both forms of a call. A NULL literal among the arguments makes NULL of a call that propagates it, without looking
// at the others.
func (o *oracle) node(e Expr, err error, args []node, eval func(row []any) (any, error)) node {
	if err != nil {
		o.t.Fatal(err)
	}
	if isNull(e) && slices.ContainsFunc(args, func(n node) bool { return isNull(n.expr) }) {
		return node{e, func([]any) (any, error) { return nil, nil }}
	}
	return node{e, eval}
}

func (o *oracle) call(name string, args []node, eval func(row []any) (any, error)) node {
	e, err := NewCall(name, exprsOf(args), o.settings)
	return o.node(e, err, args, eval)
}

func exprsOf(nodes []node) []Expr {
	exprs := make([]Expr, len(nodes))
	for i, n := range nodes {
		exprs[i] = n.expr
	}
	return exprs
}

// strict applies f to the values of args unless one is NULL.
func (o *oracle) strict(name string, args []node, f func(v []any) (any, error)) node {
	return o.call(name, args, func(row []any) (any, error) {
		values, err := evalAll(args, row)
		if err != nil || slices.Contains(values, nil) {
			return nil, err
		}
		v, err := f(values)
		if err != nil && o.settings.EvalErrors == Null {
			return nil, nil
		}
		return v, err
	})
}

func evalAll(args []node, row []any) ([]any, error) {
	values := make([]any, len(args))
	for i, a := range args {
		var err error
		if values[i], err = a.eval(row); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// number draws an integer expression.
func (o *oracle) number(depth int) node {
	if depth == 0 {
		if o.pick(2, "leaf") == 0 {
			return o.column(o.pick(3, "column"))
		}
		if o.pick(8, "null") == 0 {
			return node{NewNull(o.typ), func([]any) (any, error) { return nil, nil }}
		}
		v := o.value()
		return node{NewLiteral(o.typ, o.typed(v)), func([]any) (any, error) { return v, nil }}
	}
	switch o.pick(9, "number") {
	case 0, 1, 2, 3:
		return o.arithmetic(depth)
	case 4:
		x := o.number(depth - 1)
		return o.strict("-", []node{x}, func(v []any) (any, error) { return o.checked(new(big.Int).Neg(v[0].(*big.Int))) })
	case 5:
		return o.coalesce(o.number(depth-1), o.number(depth-1), o.number(depth-1))
	case 6:
		return o.nullIf(o.number(depth-1), o.number(depth-1))
	case 7:
		return o.caseOf(o.boolean(depth-1), o.number(depth-1), o.boolean(depth-1), o.number(depth-1), o.number(depth-1))
	}
	return o.ifElse(o.boolean(depth-1), o.number(depth-1), o.number(depth-1))
}

func (o *oracle) checked(v *big.Int) (any, error) {
	if v.Cmp(o.lo) < 0 || v.Cmp(o.hi) > 0 {
		return nil, errOracle
	}
	return v, nil
}

func (o *oracle) arithmetic(depth int) node {
	op := []string{"+", "-", "*", "/", "%"}[o.pick(5, "op")]
	return o.strict(op, []node{o.number(depth - 1), o.number(depth - 1)}, func(v []any) (any, error) {
		x, y, z := v[0].(*big.Int), v[1].(*big.Int), new(big.Int)
		switch op {
		case "+":
			return o.checked(z.Add(x, y))
		case "-":
			return o.checked(z.Sub(x, y))
		case "*":
			return o.checked(z.Mul(x, y))
		}
		if y.Sign() == 0 {
			return nil, errOracle
		}
		if op == "/" {
			return o.checked(z.Quo(x, y))
		}
		return o.checked(z.Rem(x, y))
	})
}

func (o *oracle) coalesce(args ...node) node {
	return o.call("COALESCE", args, func(row []any) (any, error) {
		for _, a := range args {
			if v, err := a.eval(row); v != nil || err != nil {
				return v, err
			}
		}
		return nil, nil
	})
}

func (o *oracle) nullIf(x, y node) node {
	return o.call("NULLIF", []node{x, y}, func(row []any) (any, error) {
		equal, err := compared("=", x, y).eval(row)
		if err != nil || equal == true {
			return nil, err
		}
		return x.eval(row)
	})
}

func (o *oracle) ifElse(c, x, y node) node {
	return o.call("IF", []node{c, x, y}, func(row []any) (any, error) {
		v, err := c.eval(row)
		switch {
		case err != nil:
			return nil, err
		case v == true:
			return x.eval(row)
		}
		return y.eval(row)
	})
}

func (o *oracle) caseOf(c1, x1, c2, x2, els node) node {
	e, err := NewCase(nil, []When{{c1.expr, x1.expr}, {c2.expr, x2.expr}}, els.expr, o.settings)
	return o.node(e, err, nil, func(row []any) (any, error) {
		for _, branch := range [][2]node{{c1, x1}, {c2, x2}} {
			v, err := branch[0].eval(row)
			if err != nil {
				return nil, err
			}
			if v == true {
				return branch[1].eval(row)
			}
		}
		return els.eval(row)
	})
}

// boolean draws a condition.
func (o *oracle) boolean(depth int) node {
	if depth == 0 {
		return o.column(3 + o.pick(2, "column"))
	}
	switch o.pick(10, "boolean") {
	case 0, 1:
		return o.comparison(depth)
	case 2, 3:
		return o.logic(o.boolean(depth-1), o.boolean(depth-1), o.boolean(depth-1))
	case 4:
		return o.strict("NOT", []node{o.boolean(depth - 1)}, func(v []any) (any, error) { return !v[0].(bool), nil })
	case 5:
		return o.test(o.boolean(depth - 1))
	case 6:
		return o.between(o.number(depth-1), o.number(depth-1), o.number(depth-1))
	case 7:
		return o.in(o.number(depth-1), o.number(0), o.number(0), o.number(depth-1))
	case 8:
		return o.distinct(o.number(depth-1), o.number(depth-1))
	}
	return o.caseOf(o.boolean(depth-1), o.boolean(depth-1), o.boolean(depth-1), o.boolean(depth-1), o.boolean(depth-1))
}

var orders = map[string]func(c int) bool{
	"=": func(c int) bool { return c == 0 }, "<>": func(c int) bool { return c != 0 }, "<": func(c int) bool { return c < 0 },
	"<=": func(c int) bool { return c <= 0 }, ">": func(c int) bool { return c > 0 }, ">=": func(c int) bool { return c >= 0 },
}

func (o *oracle) comparison(depth int) node {
	op := []string{"=", "<>", "<", "<=", ">", ">="}[o.pick(6, "comparison")]
	return o.strict(op, []node{o.number(depth - 1), o.number(depth - 1)}, func(v []any) (any, error) {
		return orders[op](v[0].(*big.Int).Cmp(v[1].(*big.Int))), nil
	})
}

func (o *oracle) logic(terms ...node) node {
	combine, decisive := And, false
	if rapid.Bool().Draw(o.t, "or") {
		combine, decisive = Or, true
	}
	e, err := combine(exprsOf(terms)...)
	return o.node(e, err, nil, func(row []any) (any, error) { return decide(terms, decisive, row) })
}

// decide evaluates terms until one is decisive; without one the result is NULL if any is.
func decide(terms []node, decisive bool, row []any) (any, error) {
	result := any(!decisive)
	for _, t := range terms {
		v, err := t.eval(row)
		switch {
		case err != nil:
			return nil, err
		case v == decisive:
			return decisive, nil
		case v == nil:
			result = nil
		}
	}
	return result, nil
}

func (o *oracle) test(x node) node {
	tests := map[string]func(v any) bool{
		"IS NULL": func(v any) bool { return v == nil }, "IS NOT NULL": func(v any) bool { return v != nil },
		"IS TRUE": func(v any) bool { return v == true }, "IS NOT TRUE": func(v any) bool { return v != true },
		"IS FALSE": func(v any) bool { return v == false }, "IS NOT FALSE": func(v any) bool { return v != false },
	}
	names := []string{"IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE"}
	name := names[o.pick(len(names), "test")]
	return o.call(name, []node{x}, func(row []any) (any, error) {
		v, err := x.eval(row)
		return tests[name](v), err
	})
}

// compared is a comparison that the expansion of another operator makes.
func compared(op string, x, y node) node {
	if isNull(x.expr) || isNull(y.expr) {
		return node{nil, func([]any) (any, error) { return nil, nil }}
	}
	return node{nil, func(row []any) (any, error) {
		v, err := evalAll([]node{x, y}, row)
		if err != nil || slices.Contains(v, nil) {
			return nil, err
		}
		return orders[op](v[0].(*big.Int).Cmp(v[1].(*big.Int))), nil
	}}
}

func (o *oracle) between(x, lo, hi node) node {
	return o.call("BETWEEN", []node{x, lo, hi}, func(row []any) (any, error) {
		return decide([]node{compared(">=", x, lo), compared("<=", x, hi)}, false, row)
	})
}

// in compares with constants first.
func (o *oracle) in(x node, list ...node) node {
	var terms []node
	for _, constants := range []bool{true, false} {
		for _, e := range list {
			if l, ok := e.expr.(*Literal); (ok && l.V != nil) == constants {
				terms = append(terms, compared("=", x, e))
			}
		}
	}
	return o.call("IN", append([]node{x}, list...), func(row []any) (any, error) { return decide(terms, true, row) })
}

func (o *oracle) distinct(x, y node) node {
	return o.call("IS DISTINCT FROM", []node{x, y}, func(row []any) (any, error) {
		v, err := evalAll([]node{x, y}, row)
		if err != nil {
			return nil, err
		}
		if slices.Contains(v, nil) {
			return v[0] != nil || v[1] != nil, nil
		}
		return v[0].(*big.Int).Cmp(v[1].(*big.Int)) != 0, nil
	})
}

// rows draws values for the columns and the batch that has them.
func (o *oracle) rows(mem memory.Allocator, n int) ([][]any, vec.Batch) {
	rows := make([][]any, n)
	builders := make([]array.Builder, len(o.columns))
	for i, c := range o.columns {
		builders[i] = array.NewBuilder(mem, c.T)
	}
	for r := range rows {
		rows[r] = make([]any, len(o.columns))
		for i, b := range builders {
			if rapid.IntRange(0, 5).Draw(o.t, "null") == 0 {
				b.AppendNull()
				continue
			}
			v := any(o.value())
			if i >= 3 {
				v = rapid.Bool().Draw(o.t, "bool")
			}
			rows[r][i] = v
			if err := b.AppendValueFromString(fmt.Sprint(v)); err != nil {
				o.t.Fatal(err)
			}
		}
	}
	cols := make([]arrow.Array, len(builders))
	for i, b := range builders {
		cols[i] = b.NewArray()
		b.Release()
	}
	return rows, vec.NewBatch(n, cols)
}

func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		o := newOracle(t)
		n := o.number(3)
		if rapid.Bool().Draw(t, "condition") {
			n = o.boolean(3)
		}
		rows, batch := o.rows(mem, rapid.SampledFrom([]int{1, 2, 70}).Draw(t, "rows"))
		want, wantErr := evalRows(n, rows)
		p, err := Compile(mem, []Expr{n.expr}, o.settings)
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Eval(batch)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%s: error %v, want %v", n.expr, err, wantErr)
		}
		if err == nil {
			if got := texts(out[0]); !slices.Equal(got, want) {
				t.Fatalf("%s: got %v, want %v", n.expr, got, want)
			}
			out[0].Release()
		}
		batch.Release()
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%s: %d bytes left", n.expr, mem.CurrentAlloc())
		}
	})
}

func evalRows(n node, rows [][]any) ([]string, error) {
	var out []string
	for _, row := range rows {
		v, err := n.eval(row)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case nil:
			out = append(out, "NULL")
		case bool:
			out = append(out, map[bool]string{true: "TRUE", false: "FALSE"}[v])
		case *big.Int:
			out = append(out, v.String())
		}
	}
	return out, nil
}
