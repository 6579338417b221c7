package planner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"pgregory.net/rapid"

	"streamsql/exec/expr"
)

// The rules must not change what a plan yields: random plans are evaluated row by row, before and after.

const (
	propertyRows    = 6
	propertyColumns = 3
)

func TestRulesKeepTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := New(nil, Settings{})
		n := drawTree(t, 4)
		better := p.optimize(n)
		if got, want := multiset(t, better), multiset(t, n); got != want {
			t.Fatalf("plan:\n%sgives\n%s\nafter the rules:\n%sgives\n%s", treeText(n), want, treeText(better), got)
		}
		if len(better.columns()) != len(n.columns()) {
			t.Fatalf("%d columns became %d", len(n.columns()), len(better.columns()))
		}
		for i, c := range n.columns() {
			if !arrow.TypeEqual(c.typ, better.columns()[i].typ) {
				t.Fatalf("column %d was %s and became %s", i, c.typ, better.columns()[i].typ)
			}
		}
	})
}

func treeText(n node) string {
	var b strings.Builder
	drawNode(&b, n, 0)
	return b.String()
}

// drawTree draws a plan of at most so many operators on top of each other.
func drawTree(t *rapid.T, depth int) node {
	kind := "values"
	if depth > 0 {
		kind = rapid.SampledFrom([]string{"values", "filter", "filter", "project", "project", "union", "aggregate"}).Draw(t, "operator")
	}
	switch kind {
	case "filter":
		in := drawTree(t, depth-1)
		return &filter{in, drawCondition(t, in.columns(), 2)}
	case "project":
		in := drawTree(t, depth-1)
		var exprs []expr.Expr
		var names []string
		for i := range rapid.IntRange(1, propertyColumns).Draw(t, "width") {
			exprs = append(exprs, drawNumber(t, in.columns(), 2))
			names = append(names, fmt.Sprintf("p%d", i))
		}
		return newProject(in, exprs, names)
	case "union":
		left, right := drawTree(t, depth-1), drawTree(t, depth-1)
		width := min(len(left.columns()), len(right.columns()))
		return newUnion([]node{firstColumns(left, width), firstColumns(right, width)})
	case "aggregate":
		in := drawTree(t, depth-1)
		keys := rapid.Permutation(firstN(len(in.columns()))).Draw(t, "keys")
		return newAggregate(in, keys[:rapid.IntRange(1, len(keys)).Draw(t, "key count")], nil, place{})
	}
	return drawValues(t)
}

func drawValues(t *rapid.T) node {
	v := &values{}
	for i := range propertyColumns {
		v.cols = append(v.cols, column{name: fmt.Sprintf("c%d", i), typ: expr.Int, nullable: true})
	}
	for range rapid.IntRange(0, propertyRows).Draw(t, "rows") {
		row := make([]expr.Expr, propertyColumns)
		for i := range row {
			row[i] = drawLiteral(t)
		}
		v.rows = append(v.rows, row)
	}
	return v
}

func drawLiteral(t *rapid.T) expr.Expr {
	if rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return expr.NewNull(expr.Int)
	}
	return expr.NewInt(rapid.Int32Range(-3, 3).Draw(t, "number"))
}

func drawNumber(t *rapid.T, cols []column, depth int) expr.Expr {
	switch kind := rapid.IntRange(0, 5).Draw(t, "number kind"); {
	case depth == 0 && kind > 2 || kind < 2:
		i := rapid.IntRange(0, len(cols)-1).Draw(t, "column")
		return cols[i].ref(i)
	case kind == 2:
		return drawLiteral(t)
	case kind == 3:
		x, err := expr.NewCase(nil, []expr.When{{Cond: drawCondition(t, cols, depth-1), Then: drawNumber(t, cols, depth-1)}},
			drawNumber(t, cols, depth-1), expr.Settings{})
		return must(x, err)
	}
	op := rapid.SampledFrom([]string{"+", "-", "*"}).Draw(t, "operator")
	return must(expr.NewCall(op, []expr.Expr{drawNumber(t, cols, depth-1), drawNumber(t, cols, depth-1)}, expr.Settings{}))
}

func drawCondition(t *rapid.T, cols []column, depth int) expr.Expr {
	switch rapid.IntRange(0, 5).Draw(t, "condition kind") {
	case 0:
		return expr.NewBool(rapid.Bool().Draw(t, "constant"))
	case 1:
		if depth > 0 {
			return and(drawCondition(t, cols, depth-1), drawCondition(t, cols, depth-1))
		}
	case 2:
		if depth > 0 {
			return must(expr.Or(drawCondition(t, cols, depth-1), drawCondition(t, cols, depth-1)))
		}
	case 3:
		return must(expr.NewCall("IS NULL", []expr.Expr{drawNumber(t, cols, 1)}, expr.Settings{}))
	}
	op := rapid.SampledFrom([]string{"=", "<>", "<", ">="}).Draw(t, "comparison")
	return must(expr.NewCall(op, []expr.Expr{drawNumber(t, cols, 1), drawNumber(t, cols, 1)}, expr.Settings{}))
}

func must(x expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return x
}

// multiset is the rows of a plan as text, sorted.
func multiset(t *rapid.T, n node) string {
	var rows []string
	for _, row := range evaluate(t, n) {
		rows = append(rows, rowText(row))
	}
	slices.Sort(rows)
	return strings.Join(rows, "\n")
}

func rowText(row []expr.Expr) string {
	cells := make([]string, len(row))
	for i, x := range row {
		cells[i] = x.String()
	}
	return strings.Join(cells, ",")
}

// evaluate is a plan's rows, of literals, by the meaning of its operators and nothing else.
func evaluate(t *rapid.T, n node) [][]expr.Expr {
	var rows [][]expr.Expr
	switch n := n.(type) {
	case *values:
		for _, row := range n.rows {
			rows = append(rows, literals(t, row, nil))
		}
	case *filter:
		for _, row := range evaluate(t, n.input) {
			if literals(t, []expr.Expr{n.condition}, row)[0].(*expr.Literal).V == true {
				rows = append(rows, row)
			}
		}
	case *project:
		for _, row := range evaluate(t, n.input) {
			rows = append(rows, literals(t, n.exprs, row))
		}
	case *union:
		for _, in := range n.ins {
			rows = append(rows, evaluate(t, in)...)
		}
	case *aggregate:
		seen := map[string]bool{}
		for _, row := range evaluate(t, n.input) {
			key := make([]expr.Expr, len(n.keys))
			for i, k := range n.keys {
				key[i] = row[k]
			}
			if text := rowText(key); !seen[text] {
				seen[text] = true
				rows = append(rows, key)
			}
		}
	default:
		t.Fatalf("no meaning for %T", n)
	}
	return rows
}

// literals are the values of expressions for a row.
func literals(t *rapid.T, xs []expr.Expr, row []expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(xs))
	for i, x := range xs {
		l, err := expr.Evaluate(substitute(x, row), expr.Settings{})
		if err != nil {
			t.Fatalf("%s: %v", x, err)
		}
		out[i] = l
	}
	return out
}
