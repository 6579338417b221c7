package planner

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"streamsql/catalog"
	"streamsql/parser"
)

// Queries used as values mean the same as conditions on the list of their rows, wherever they stand: random statements are written in
// both ways, bound, and evaluated row by row, before the rules and behind them.

func TestQueriesAsValues(t *testing.T) {
	p := New(catalog.New(nil), Settings{})
	rapid.Check(t, func(t *rapid.T) {
		d := &queryDrawing{T: t, tables: []string{literalTable(t, "t"), literalTable(t, "u")}}
		asked, listed := d.statement()
		want := d.rows(p, listed, false)
		for _, optimized := range []bool{false, true} {
			if got := d.rows(p, asked, optimized); got != want {
				t.Fatalf("%s\ngives\n%s\n%s\ngives\n%s", asked, got, listed, want)
			}
		}
	})
}

// literalTable draws a table of two columns of literal rows: (VALUES (1, 2), (NULL, 3)) AS t (a, b).
func literalTable(t *rapid.T, name string) string {
	rows := make([]string, rapid.IntRange(1, 4).Draw(t, "rows"))
	for i := range rows {
		rows[i] = fmt.Sprintf("(%s, %s)", drawCell(t), drawCell(t))
	}
	return fmt.Sprintf("(VALUES %s, (1, CAST(NULL AS INT)), (CAST(NULL AS INT), 2)) AS %s (a, b)", strings.Join(rows, ", "), name)
}

func drawCell(t *rapid.T) string {
	return rapid.SampledFrom([]string{"CAST(NULL AS INT)", "0", "1", "2", "3"}).Draw(t, "cell")
}

type queryDrawing struct {
	*rapid.T
	tables []string
}

// statement draws a statement in both ways.
func (d *queryDrawing) statement() (asked, listed string) {
	t, u := d.tables[0], d.tables[1]
	one, other := d.condition([]string{"t.a", "t.b"}, 2)
	switch rapid.IntRange(0, 5).Draw(d.T, "statement") {
	case 0:
		return d.both("SELECT a, b FROM "+t+" WHERE %s", one, other)
	case 1:
		return d.both("SELECT a, CASE WHEN %s THEN 1 ELSE 2 END AS c FROM "+t, one, other)
	case 2:
		return d.both("SELECT a, COUNT(*) FILTER (WHERE %s) AS n FROM "+t+" GROUP BY a", one, other)
	case 3:
		return d.both("SELECT %s AS k, COUNT(*) AS n FROM "+t+" GROUP BY k", one, other)
	case 4:
		one, other = d.condition([]string{"t.a", "t.b", "u.a", "u.b"}, 2)
		return d.both("SELECT t.a AS x, t.b AS y, u.a AS v, u.b AS w FROM "+t+" JOIN "+u+" ON %s", one, other)
	}
	right, listedRight := d.condition([]string{"u.a", "u.b"}, 1)
	kind := rapid.SampledFrom([]string{"LEFT", "RIGHT", "FULL"}).Draw(d.T, "kind")
	form := "SELECT t.a AS x, t.b AS y, u.a AS v, u.b AS w FROM " + t + " " + kind + " JOIN " + u + " ON t.a = u.a AND (%s)"
	return fmt.Sprintf(form, one+" OR "+right), fmt.Sprintf(form, other+" OR "+listedRight)
}

func (d *queryDrawing) both(form, asked, listed string) (string, string) {
	return fmt.Sprintf(form, asked), fmt.Sprintf(form, listed)
}

// condition draws a condition about columns, with queries and with the lists they stand for.
func (d *queryDrawing) condition(columns []string, depth int) (asked, listed string) {
	if depth > 0 {
		switch rapid.IntRange(0, 3).Draw(d.T, "condition") {
		case 0:
			a, la := d.condition(columns, depth-1)
			b, lb := d.condition(columns, depth-1)
			op := rapid.SampledFrom([]string{"AND", "OR"}).Draw(d.T, "operator")
			return "(" + a + " " + op + " " + b + ")", "(" + la + " " + op + " " + lb + ")"
		case 1:
			a, la := d.condition(columns, depth-1)
			return "NOT (" + a + ")", "NOT (" + la + ")"
		}
	}
	return d.atom(rapid.SampledFrom(columns).Draw(d.T, "column"))
}

// atom draws a question about one column.
func (d *queryDrawing) atom(x string) (asked, listed string) {
	items := make([]string, rapid.IntRange(1, 3).Draw(d.T, "items"))
	for i := range items {
		items[i] = drawCell(d.T)
	}
	list := strings.Join(items, ", ")
	rows := "(VALUES (" + strings.Join(items, "), (") + ")) AS w (v)"
	if rapid.Bool().Draw(d.T, "grouped") { // so that they are no literal rows any more
		rows = "(SELECT v FROM " + rows + " GROUP BY v) AS w"
	}
	switch rapid.IntRange(0, 8).Draw(d.T, "question") {
	case 0:
		return x + " IN (SELECT v FROM " + rows + ")", x + " IN (" + list + ")"
	case 1:
		return x + " NOT IN (SELECT v FROM " + rows + ")", x + " NOT IN (" + list + ")"
	case 2:
		return "EXISTS (SELECT 1 FROM " + rows + " WHERE w.v = " + x + ")", x + " IN (" + list + ") IS TRUE"
	case 3:
		return "NOT EXISTS (SELECT 1 FROM " + rows + " WHERE w.v = " + x + ")", x + " IN (" + list + ") IS NOT TRUE"
	case 4:
		return x + " = ANY (SELECT v FROM " + rows + ")", x + " IN (" + list + ")"
	case 5:
		return x + " <> ALL (SELECT v FROM " + rows + ")", x + " NOT IN (" + list + ")"
	case 6:
		return "(SELECT COUNT(*) FROM " + rows + " WHERE w.v = " + x + ") > 0", x + " IN (" + list + ") IS TRUE"
	case 7:
		union := rapid.SampledFrom([]string{"UNION", "UNION ALL"}).Draw(d.T, "union")
		other := drawCell(d.T)
		return "EXISTS (SELECT v FROM " + rows + " WHERE w.v = " + x + " " + union + " SELECT z FROM (VALUES (" + other + ")) AS y (z) WHERE y.z = " + x + ")",
			x + " IN (" + list + ", " + other + ") IS TRUE"
	}
	return x + " = (SELECT v FROM (VALUES (" + items[0] + ")) AS w (v))", x + " = " + items[0]
}

// rows are the rows of a query, by the meaning of its operators.
func (d *queryDrawing) rows(p *Planner, sql string, optimized bool) string {
	stmts, err := parser.Parse("", sql)
	if err != nil {
		d.Fatal(detail(err))
	}
	bound, err := p.newBinder(catalog.Script{Text: sql}).bindQuery(stmts[0].(*parser.QueryStmt).Query)
	if err != nil {
		d.Fatal(detail(err))
	}
	n := bound.root
	if optimized {
		if n, err = p.optimize(n); err != nil {
			d.Fatal(detail(err))
		}
	}
	return multiset(d.T, n)
}
