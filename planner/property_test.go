package planner

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"pgregory.net/rapid"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/plan"
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
		better, err := p.optimize(n)
		if err != nil {
			t.Fatal(err)
		}
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
		kind = rapid.SampledFrom([]string{"values", "filter", "filter", "project", "project", "union", "aggregate", "join", "join", "lateral", "top"}).Draw(t, "operator")
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
	case "join":
		return drawJoin(t, drawTree(t, depth-1), drawTree(t, depth-1), drawJoinKind(t), false)
	case "top":
		return drawTop(t, drawTree(t, depth-1))
	case "lateral":
		left := drawTree(t, depth-1)
		right := drawDependent(t, drawTree(t, depth-1), left)
		kind := rapid.SampledFrom([]plan.JoinKind{plan.Inner, plan.Left, plan.Mark}).Draw(t, "kind")
		return drawJoin(t, left, right, kind, hasOuter(right))
	case "aggregate":
		in := drawTree(t, depth-1)
		keys := rapid.Permutation(firstN(len(in.columns()))).Draw(t, "keys")
		return newAggregate(in, keys[:rapid.IntRange(1, len(keys)).Draw(t, "key count")], nil, place{})
	}
	return drawValues(t)
}

func drawJoinKind(t *rapid.T) plan.JoinKind {
	return rapid.SampledFrom([]plan.JoinKind{
		plan.Inner, plan.Left, plan.Right, plan.Full, plan.Semi, plan.Anti, plan.Mark,
	}).Draw(t, "kind")
}

// drawJoin joins two plans; the columns of a mark join are cut to those of numbers.
func drawJoin(t *rapid.T, left, right node, kind plan.JoinKind, lateral bool) node {
	both := slices.Concat(left.columns(), right.columns())
	on := drawCondition(t, both, 2)
	j := newJoin(join{kind: kind, left: left, right: right, on: on, lateral: lateral})
	if kind != plan.Mark {
		return j
	}
	mark := j.cols[j.width()].ref(j.width())
	if rapid.Bool().Draw(t, "filter by mark") {
		var x expr.Expr = mark
		if rapid.Bool().Draw(t, "not") {
			x = must(expr.Not(mark, expr.Settings{}))
		}
		return firstColumns(&filter{j, and(x, drawCondition(t, left.columns(), 1))}, j.width())
	}
	exprs, names := passed(left.columns())
	shown := must(expr.NewCase(nil, []expr.When{{Cond: mark, Then: expr.NewInt(1)}, {
		Cond: must(expr.NewCall("IS NULL", []expr.Expr{mark}, expr.Settings{})), Then: expr.NewInt(2),
	}}, expr.NewInt(3), expr.Settings{}))
	return newProject(j, append(exprs, shown), append(names, "mark"))
}

// drawDependent draws operators over a plan that refer to the columns of another one around it.
func drawDependent(t *rapid.T, in, around node) node {
	outer := func() expr.Expr {
		cols := around.columns()
		i := rapid.IntRange(0, len(cols)-1).Draw(t, "outer column")
		return outerRef(cols[i].ref(i))
	}
	own := drawNumber(t, in.columns(), 1)
	in = &filter{in, must(expr.NewCall("=", []expr.Expr{own, outer()}, expr.Settings{}))}
	switch rapid.IntRange(0, 4).Draw(t, "dependent") {
	case 0:
		op := rapid.SampledFrom([]string{"<", "IS NOT DISTINCT FROM"}).Draw(t, "comparison")
		in = &filter{in, must(expr.NewCall(op, []expr.Expr{drawNumber(t, in.columns(), 1), outer()}, expr.Settings{}))}
	case 1:
		in = newAggregate(in, []int{0}, nil, place{})
	case 2:
		in = newAggregate(in, nil, []call{countAll()}, place{})
		if rapid.Bool().Draw(t, "having") {
			in = &filter{in, must(expr.NewCall(">", []expr.Expr{in.columns()[0].ref(0), expr.NewInt(1)}, expr.Settings{}))}
		}
		in = newProject(in, []expr.Expr{must(expr.NewCast(in.columns()[0].ref(0), expr.Int, false, expr.Settings{}))}, []string{"n"})
	case 3:
		in = newProject(in, []expr.Expr{must(expr.NewCall("+", []expr.Expr{drawNumber(t, in.columns(), 1), outer()}, expr.Settings{}))}, []string{"sum"})
	}
	return in
}

// drawTop numbers rows by RANK or DENSE_RANK, which do not depend on how equal rows are ordered, and filters by the number.
func drawTop(t *rapid.T, in node) node {
	n := len(in.columns())
	o := over{input: in, calls: []overCall{{
		function: rapid.SampledFrom([]string{"RANK", "DENSE_RANK"}).Draw(t, "function"), result: expr.BigInt, filter: -1, name: "number",
	}}}
	columns := rapid.Permutation(firstN(n)).Draw(t, "columns")
	split := rapid.IntRange(0, n).Draw(t, "partition")
	o.partition = columns[:split]
	for _, c := range columns[split:] {
		o.order = append(o.order, plan.SortKey{Column: c, Descending: rapid.Bool().Draw(t, "descending"), NullsFirst: rapid.Bool().Draw(t, "nulls first")})
	}
	numbered := o.complete()
	number := numbered.cols[n].ref(n)
	bound := expr.NewBigInt(rapid.Int64Range(0, 4).Draw(t, "bound"))
	op := rapid.SampledFrom([]string{"<=", "<", "=", ">"}).Draw(t, "comparison")
	x := and(must(expr.NewCall(op, []expr.Expr{number, bound}, expr.Settings{})), drawCondition(t, in.columns(), 1))
	exprs, names := passed(in.columns())
	exprs = append(exprs, must(expr.NewCast(number, expr.Int, false, expr.Settings{})))
	return newProject(&filter{numbered, x}, exprs, append(names, "number"))
}

func countAll() call {
	c, err := agg.Resolve("COUNT", nil, agg.Options{})
	if err != nil {
		panic(err)
	}
	return call{Call: c, filter: -1, name: "COUNT(*)"}
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
			rows = append(rows, literals(t, n.values, row))
		}
	case *union:
		for _, in := range n.ins {
			rows = append(rows, evaluate(t, in)...)
		}
	case *over:
		for _, r := range numberRows(evaluate(t, n.input), n.partition, n.order, n.calls[0].function == "DENSE_RANK") {
			rows = append(rows, append(slices.Clone(r.row), expr.NewBigInt(r.number)))
		}
	case *topN:
		for _, r := range numberRows(evaluate(t, n.input), n.partition, n.order, n.rank == plan.DenseRank) {
			if r.number < n.from || n.to >= 0 && r.number > n.to {
				continue
			}
			row := slices.Clone(r.row)
			if n.number != "" {
				row = append(row, expr.NewBigInt(r.number))
			}
			rows = append(rows, row)
		}
	case *join:
		return evaluateJoin(t, n)
	case *aggregate:
		return evaluateCounts(t, n)
	default:
		t.Fatalf("no meaning for %T", n)
	}
	return rows
}

// evaluateCounts groups the rows and counts those of each group, or those that the FILTER of the count takes.
func evaluateCounts(t *rapid.T, n *aggregate) [][]expr.Expr {
	groups := map[string][][]expr.Expr{}
	var order []string
	if len(n.keys) == 0 {
		order = []string{""}
	}
	for _, row := range evaluate(t, n.input) {
		key := rowText(cells(row, n.keys))
		if groups[key] == nil && len(n.keys) > 0 {
			order = append(order, key)
		}
		groups[key] = append(groups[key], row)
	}
	var rows [][]expr.Expr
	for _, key := range order {
		var out []expr.Expr
		if len(n.keys) > 0 {
			out = cells(groups[key][0], n.keys)
		}
		for _, c := range n.calls {
			count := int64(0)
			for _, row := range groups[key] {
				if c.filter < 0 || row[c.filter].(*expr.Literal).V == true {
					count++
				}
			}
			out = append(out, expr.NewBigInt(count))
		}
		rows = append(rows, out)
	}
	return rows
}

// numberedRow is a row with its RANK or DENSE_RANK.
type numberedRow struct {
	row    []expr.Expr
	number int64
}

// numberRows counts, for each row, the rows of its partition that sort before it, or their different keys.
func numberRows(all [][]expr.Expr, partition []int, order []plan.SortKey, dense bool) []numberedRow {
	out := make([]numberedRow, len(all))
	for i, row := range all {
		before := map[string]bool{}
		for k, other := range all {
			if rowText(cells(row, partition)) != rowText(cells(other, partition)) || !sortsBefore(other, row, order) {
				continue
			}
			key := fmt.Sprint(k)
			if dense {
				key = ""
				for _, o := range order {
					key += other[o.Column].String() + ","
				}
			}
			before[key] = true
		}
		out[i] = numberedRow{row, int64(len(before)) + 1}
	}
	return out
}

func cells(row []expr.Expr, at []int) []expr.Expr {
	picked := make([]expr.Expr, len(at))
	for i, a := range at {
		picked[i] = row[a]
	}
	return picked
}

// sortsBefore compares rows of integers.
func sortsBefore(a, b []expr.Expr, order []plan.SortKey) bool {
	for _, k := range order {
		x, y := a[k.Column].(*expr.Literal), b[k.Column].(*expr.Literal)
		switch {
		case x.V == nil && y.V == nil:
			continue
		case x.V == nil || y.V == nil:
			return (x.V == nil) == k.NullsFirst
		}
		if n, m := x.V.(int32), y.V.(int32); n != m {
			return (n < m) != k.Descending
		}
	}
	return false
}

// evaluateJoin compares every pair of rows.
func evaluateJoin(t *rapid.T, j *join) [][]expr.Expr {
	var rows [][]expr.Expr
	rights := [][]expr.Expr{}
	if !j.lateral {
		rights = evaluate(t, j.right)
	}
	partners := make([]int, len(rights))
	nulls := func(cols []column) (row []expr.Expr) {
		for _, c := range cols {
			row = append(row, expr.NewNull(c.typ))
		}
		return row
	}
	for _, left := range evaluate(t, j.left) {
		if j.lateral {
			rights = evaluate(t, mapOuter(j.right, func(c *expr.Column) expr.Expr { return left[c.Index-outerLevel] }))
			partners = make([]int, len(rights))
		}
		found, unknown := 0, false
		for r, right := range rights {
			row := slices.Concat(left, right)
			match := literals(t, []expr.Expr{j.on}, row)[0].(*expr.Literal).V
			unknown = unknown || match == nil
			if match == true {
				found++
				partners[r]++
				if j.givesRight() {
					rows = append(rows, row)
				}
			}
		}
		switch {
		case j.kind == plan.Semi && found > 0, j.kind == plan.Anti && found == 0:
			rows = append(rows, left)
		case j.kind == plan.Mark && found == 0 && unknown:
			rows = append(rows, append(slices.Clone(left), expr.NewNull(expr.Boolean)))
		case j.kind == plan.Mark:
			rows = append(rows, append(slices.Clone(left), expr.NewBool(found > 0)))
		case j.maybeNoRight() && found == 0:
			rows = append(rows, slices.Concat(left, nulls(j.right.columns())))
		}
	}
	for r, n := range partners {
		if j.maybeNoLeft() && n == 0 {
			rows = append(rows, slices.Concat(nulls(j.left.columns()), rights[r]))
		}
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
