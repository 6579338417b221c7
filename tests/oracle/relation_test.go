package oracle

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// relation is something to select from: its text in FROM, and the rows it stands for.
type relation struct {
	from  string
	scope scope
	rows  []event
	time  int // the column that is the event time, -1 without one
}

// event is a row with the watermark of its source as it was just before it.
type event struct {
	row       row
	watermark time.Time // zero: no window has closed yet
}

func (r relation) bag() []string {
	out := make([]string, len(r.rows))
	for i, e := range r.rows {
		out[i] = canonical(e.row)
	}
	slices.Sort(out)
	return out
}

// query draws queries on top of each other. Statements that must come before the last one are collected in views.
type query struct {
	*rapid.T
	views  []string
	levels int
}

func (q *query) pick(label string, n int) int { return rapid.IntRange(0, n-1).Draw(q.T, label) }

func (q *query) over(r relation) generator { return generator{q.T, r.scope} }

// draw puts one to three queries on top of a relation and returns the text of the last.
func (q *query) draw(base relation) (sql string, result relation) {
	r := base
	for i := range 1 + q.pick("levels", 3) {
		if i > 0 {
			r.from = q.named(sql)
		}
		q.levels++
		sql, r = q.level(r)
	}
	return sql, r
}

// named makes a query something to select from: a query in brackets or a view.
func (q *query) named(sql string) string {
	name := fmt.Sprintf("r%d", q.levels)
	if q.pick("view", 2) == 0 {
		return "(" + sql + ") AS " + name
	}
	q.views = append(q.views, fmt.Sprintf("CREATE VIEW %s AS %s;\n", name, sql))
	return name
}

// level draws one SELECT.
func (q *query) level(r relation) (string, relation) {
	switch q.pick("query", 6) {
	case 0:
		return q.distinct(r)
	case 1, 2:
		return q.aggregate(r)
	case 3:
		if r.time >= 0 {
			return q.window(r)
		}
	case 4:
		return q.union(r)
	}
	return q.project(r)
}

// outputs names the columns of a level by its number, so that no name means a column of one level and an alias of the next.
func (q *query) outputs(list []expression) (items []string, out scope) {
	for i, e := range list {
		name := fmt.Sprintf("c%d_%d", q.levels, i)
		items = append(items, e.sql+" AS "+name)
		out = append(out, column{name, e.kind})
	}
	return items, out
}

// where draws a condition and the rows it leaves.
func (q *query) where(r relation) (clause string, rows []event) {
	if q.pick("where", 2) == 0 {
		return "", r.rows
	}
	condition := q.over(r).expr(boolean, 2)
	for _, e := range r.rows {
		if condition.eval(e.row) == true {
			rows = append(rows, e)
		}
	}
	return " WHERE " + condition.sql, rows
}

// project draws expressions over a relation. Its event time goes along if there is one.
func (q *query) project(r relation) (string, relation) {
	g := q.over(r)
	var list []expression
	for range 1 + q.pick("columns", 4) {
		list = append(list, g.expr(kind(q.pick("kind", 5)), 3))
	}
	at := -1
	if r.time >= 0 {
		at = len(list)
		list = append(list, expression{kind: timestamp, sql: r.scope[r.time].name, eval: func(x row) value { return x[r.time] }})
	}
	items, scope := q.outputs(list)
	clause, rows := q.where(r)
	out := relation{scope: scope, time: at}
	for _, e := range rows {
		out.rows = append(out.rows, event{evalAll(list, e.row), e.watermark})
	}
	return "SELECT " + strings.Join(items, ", ") + " FROM " + r.from + clause, out
}

func (q *query) distinct(r relation) (string, relation) {
	sql, out := q.project(r)
	seen := map[string]bool{}
	out.rows = slices.DeleteFunc(out.rows, func(e event) bool {
		key := canonical(e.row)
		defer func() { seen[key] = true }()
		return seen[key]
	})
	out.time = -1
	return strings.Replace(sql, "SELECT", "SELECT DISTINCT", 1), out
}

// union draws two projections of the same types.
func (q *query) union(r relation) (string, relation) {
	g := q.over(r)
	kinds := []kind{kind(q.pick("kind", 5)), kind(q.pick("kind", 5))}
	var sides []string
	out := relation{time: -1}
	for range 2 {
		list := []expression{g.expr(kinds[0], 2), g.expr(kinds[1], 2)}
		items, scope := q.outputs(list)
		clause, rows := q.where(r)
		for _, e := range rows {
			out.rows = append(out.rows, event{row: evalAll(list, e.row)})
		}
		out.scope = scope
		sides = append(sides, "SELECT "+strings.Join(items, ", ")+" FROM "+r.from+clause)
	}
	return strings.Join(sides, " UNION ALL "), out
}
