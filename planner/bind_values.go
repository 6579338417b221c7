package planner

import (
	"strconv"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// bindValues binds VALUES: the rows' expressions have no columns of their own to refer to.
func (b *binder) bindValues(v *parser.Values) (node, error) {
	width := len(v.Rows[0].Exprs)
	rows := make([][]expr.Expr, len(v.Rows))
	queries := make([]*subqueries, len(v.Rows))
	computed := false
	for i, row := range v.Rows {
		if len(row.Exprs) != width {
			return nil, b.errorf(row, "this row has %s, the first has %d", count(len(row.Exprs), "value"), width)
		}
		queries[i] = b.newSubqueries(0)
		in := exprs{binder: b, scope: &scope{clause: "VALUES", outer: b.outer}, subqueries: queries[i]}
		for _, x := range row.Exprs {
			bound, err := in.bind(x)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], bound)
		}
		computed = computed || len(queries[i].list) > 0 || anyOuter(rows[i]...)
	}
	bound := &values{rows: rows}
	for c := range width {
		col, err := b.unifyColumn(v, rows, c)
		if err != nil {
			return nil, err
		}
		bound.cols = append(bound.cols, col)
	}
	if computed {
		return bound.computed(queries)
	}
	return bound, nil
}

// computed is the rows as projections of one row each, to which the queries are joined that they use.
func (v *values) computed(queries []*subqueries) (node, error) {
	rows := make([]node, len(v.rows))
	for i, row := range v.rows {
		in, err := queries[i].join(oneRow(), same)
		if err != nil {
			return nil, err
		}
		rows[i] = newProject(in, row, columnNames(v.cols))
	}
	if len(rows) == 1 {
		return rows[0], nil
	}
	return newUnion(rows), nil
}

// unifyColumn brings one column of VALUES to a common type.
func (b *binder) unifyColumn(v *parser.Values, rows [][]expr.Expr, c int) (column, error) {
	all := make([]expr.Expr, len(rows))
	for i, row := range rows {
		all[i] = row[c]
	}
	t, misfit, ok := expr.CommonTypeOf(all)
	if !ok {
		before, _, _ := expr.CommonTypeOf(all[:misfit])
		return column{}, b.errorf(v.Rows[misfit].Exprs[c], "column %d of VALUES is %s in the rows before, and %s here",
			c+1, expr.TypeName(before), expr.TypeName(all[misfit].Type()))
	}
	col := column{name: "EXPR$" + strconv.Itoa(c), typ: t}
	for i, row := range rows {
		x, err := expr.Coerce(row[c], t, b.settings.Expr)
		if err != nil {
			return column{}, b.errorf(v.Rows[i].Exprs[c], "%s", err)
		}
		row[c] = x
		col.nullable = col.nullable || x.Nullable()
	}
	return col, nil
}
