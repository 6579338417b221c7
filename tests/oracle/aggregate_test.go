package oracle

import (
	"fmt"
	"strings"
	"time"
)

// aggregation is a call of an aggregate function.
type aggregation struct {
	kind kind
	sql  string
	eval func([]row) value
}

// aggregateCall draws a call over a relation.
func (q *query) aggregateCall(r relation) aggregation {
	g := q.over(r)
	k := kind(q.pick("kind", 5))
	numeric := integer + kind(q.pick("numeric", 2))
	var a aggregation
	switch q.pick("aggregate", 8) {
	case 0:
		a = aggregation{integer, "COUNT(*)", func(rows []row) value { return int64(len(rows)) }}
	case 1:
		a = over("COUNT(%s)", g.expr(k, 2), integer, func(vs []value) value { return int64(len(vs)) })
	case 2:
		a = over("COUNT(DISTINCT %s)", g.expr(k, 2), integer, func(vs []value) value { return int64(len(distinct(vs))) })
	case 3:
		a = over("SUM(%s)", g.expr(numeric, 2), numeric, sum)
	case 4:
		a = over("SUM(DISTINCT %s)", g.expr(numeric, 2), numeric, func(vs []value) value { return sum(distinct(vs)) })
	case 5:
		a = over("AVG(%s)", g.expr(numeric, 2), double, average)
	case 6:
		a = over("MIN(%s)", g.expr(k, 2), k, func(vs []value) value { return best(vs, -1) })
	case 7:
		a = over("MAX(%s)", g.expr(k, 2), k, func(vs []value) value { return best(vs, 1) })
	}
	if q.pick("filter", 4) > 0 {
		return a
	}
	condition := g.expr(boolean, 2)
	return aggregation{a.kind, fmt.Sprintf("%s FILTER (WHERE %s)", a.sql, condition.sql), func(rows []row) value {
		var kept []row
		for _, x := range rows {
			if condition.eval(x) == true {
				kept = append(kept, x)
			}
		}
		return a.eval(kept)
	}}
}

// over is an aggregate of the values of an argument that are not NULL.
func over(format string, arg expression, result kind, of func([]value) value) aggregation {
	return aggregation{result, fmt.Sprintf(format, arg.sql), func(rows []row) value {
		var vs []value
		for _, x := range rows {
			if v := arg.eval(x); v != nil {
				vs = append(vs, v)
			}
		}
		return of(vs)
	}}
}

func distinct(vs []value) (out []value) {
	seen := map[string]bool{}
	for _, v := range vs {
		if key := canonical(row{v}); !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

func sum(vs []value) value {
	if len(vs) == 0 {
		return nil
	}
	if _, ok := vs[0].(int64); ok {
		return total[int64](vs)
	}
	return total[float64](vs)
}

func total[T int64 | float64](vs []value) (s T) {
	for _, v := range vs {
		s += v.(T)
	}
	return s
}

func average(vs []value) value {
	switch s := sum(vs).(type) {
	case int64:
		return float64(s) / float64(len(vs))
	case float64:
		return s / float64(len(vs))
	}
	return nil
}

func best(vs []value, sign int) value {
	var found value
	for _, v := range vs {
		if found == nil || sign*compare(v, found) > 0 {
			found = v
		}
	}
	return found
}

// groups are rows by key, in the order of their first ones.
type groups struct {
	order []string
	keys  map[string]row
	rows  map[string][]row
}

func (g *groups) add(key, r row) {
	text := canonical(key)
	if g.keys == nil {
		g.keys, g.rows = map[string]row{}, map[string][]row{}
	}
	if _, ok := g.keys[text]; !ok {
		g.order = append(g.order, text)
		g.keys[text] = key
	}
	if r != nil {
		g.rows[text] = append(g.rows[text], r)
	}
}

// aggregate draws a GROUP BY, or aggregates of all rows.
func (q *query) aggregate(r relation) (string, relation) {
	var keys []expression
	for range q.pick("keys", 3) {
		keys = append(keys, q.key(r))
	}
	clause, rows := q.where(r)
	var grouped groups
	if len(keys) == 0 {
		grouped.add(row{}, nil)
	}
	for _, e := range rows {
		grouped.add(evalAll(keys, e.row), e.row)
	}
	sql := " FROM " + r.from + clause
	if len(keys) > 0 {
		sql += " GROUP BY " + strings.Join(sqlTexts(keys), ", ")
	}
	items, having, out := q.above(r, keys, &grouped)
	out.time = -1
	return "SELECT " + items + sql + having, out
}

// key draws an expression to group by, which is not a literal.
func (q *query) key(r relation) expression {
	g := q.over(r)
	i := q.pick("key", len(r.scope))
	plain := expression{r.scope[i].kind, r.scope[i].name, func(x row) value { return x[i] }}
	if q.pick("computed", 2) == 0 {
		return plain
	}
	other := g.expr(plain.kind, 1)
	return expression{plain.kind, fmt.Sprintf("COALESCE(%s, %s)", plain.sql, other.sql), func(x row) value {
		if v := plain.eval(x); v != nil {
			return v
		}
		return other.eval(x)
	}}
}

// above draws what a SELECT makes of its groups: aggregates, expressions of them and of the keys, and HAVING.
func (q *query) above(r relation, keys []expression, grouped *groups) (items, having string, out relation) {
	var calls []aggregation
	for range 1 + q.pick("calls", 3) {
		calls = append(calls, q.aggregateCall(r))
	}
	var inner scope
	for _, k := range keys {
		inner = append(inner, column{k.sql, k.kind})
	}
	for _, c := range calls {
		inner = append(inner, column{c.sql, c.kind})
	}
	g := generator{q.T, inner}
	list := make([]expression, 0, len(inner))
	for i, c := range inner {
		list = append(list, expression{c.kind, c.name, func(x row) value { return x[i] }})
	}
	if q.pick("computed", 2) == 0 {
		list = append(list, g.expr(kind(q.pick("kind", 5)), 2))
	}
	keep := expression{eval: func(row) value { return true }}
	if q.pick("having", 3) == 0 {
		keep = g.expr(boolean, 2)
		having = " HAVING " + keep.sql
	}
	for _, text := range grouped.order {
		x := append(row{}, grouped.keys[text]...)
		for _, c := range calls {
			x = append(x, c.eval(grouped.rows[text]))
		}
		if keep.eval(x) == true {
			out.rows = append(out.rows, event{row: evalAll(list, x)})
		}
	}
	texts, scope := q.outputs(list)
	out.scope = scope
	return strings.Join(texts, ", "), having, out
}

// window draws a GROUP BY of a tumbling window, in either form.
func (q *query) window(r relation) (string, relation) {
	size := time.Duration(1+q.pick("size", 5)) * time.Second
	offset := time.Duration(q.pick("offset", 3)) * time.Second
	var keys []expression
	if q.pick("keyed", 2) == 0 {
		keys = append(keys, q.key(r))
	}
	clause, rows := q.where(r)
	var grouped groups
	for _, e := range rows {
		begin := windowStart(e.row[r.time].(time.Time), size, offset)
		if !e.watermark.IsZero() && !begin.Add(size).After(e.watermark) {
			continue // late
		}
		grouped.add(append(row{begin, begin.Add(size), begin.Add(size - time.Millisecond)}, evalAll(keys, e.row)...), e.row)
	}
	from, by, bounds := q.windowForm(r, size, offset, clause)
	all := append(bounds, keys...)
	items, having, out := q.above(r, all, &grouped)
	out.time = 2
	return "SELECT " + items + from + " GROUP BY " + strings.Join(append(by, sqlTexts(keys)...), ", ") + having, out
}

func windowStart(t time.Time, size, offset time.Duration) time.Time {
	ms := t.Add(-offset).UnixMilli()
	n := ms / size.Milliseconds()
	if ms%size.Milliseconds() < 0 {
		n--
	}
	return time.UnixMilli(n * size.Milliseconds()).Add(offset).UTC()
}

// windowForm writes a window as a table function or as a function of GROUP BY, and names its three bounds.
func (q *query) windowForm(r relation, size, offset time.Duration, where string) (from string, by []string, bounds []expression) {
	ts := r.scope[r.time].name
	args := interval(size)
	if offset > 0 {
		args += ", " + interval(offset)
	}
	names := []string{"window_start", "window_end", "window_time"}
	if strings.HasPrefix(r.from, "(") || q.pick("form", 2) == 0 {
		call := fmt.Sprintf("TUMBLE(%s, %s)", ts, args)
		by = []string{call}
		for i, suffix := range []string{"START", "END", "ROWTIME"} {
			names[i] = fmt.Sprintf("TUMBLE_%s(%s, %s)", suffix, ts, args)
		}
		from = " FROM " + r.from + where
	} else {
		by = names
		from = fmt.Sprintf(" FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(%s), %s))%s", r.from, ts, args, where)
	}
	for i, n := range names {
		bounds = append(bounds, expression{timestamp, n, func(x row) value { return x[i] }})
	}
	return from, by, bounds
}

func interval(d time.Duration) string { return fmt.Sprintf("INTERVAL '%d' SECOND", int(d.Seconds())) }
