package planner

import (
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// query is a bound query: a plan, and what becomes of its result.
type query struct {
	root node
	// shown is how many of the columns are the result; those behind are there to sort by.
	shown  int
	sort   []plan.SortKey
	offset int64
	limit  int64 // -1 for all
	emit   *parser.Emit
	// spans is where each column of the result was written; nil for a query that is no SELECT.
	spans []parser.Span
}

// bindQuery binds a whole query.
func (b *binder) bindQuery(q *parser.Query) (*query, error) {
	b = b.with(q.With)
	bound, err := b.bindBody(q.Body, q.OrderBy)
	if err != nil {
		return nil, err
	}
	if q.Emit != nil {
		if err := b.checkEmit(q.Emit); err != nil {
			return nil, err
		}
		bound.emit = q.Emit
	}
	if bound.offset, err = b.count(q.Offset, "OFFSET", 0); err != nil {
		return nil, err
	}
	bound.limit, err = b.count(q.Limit, "LIMIT", -1)
	return bound, err
}

// count binds the number of LIMIT or OFFSET.
func (b *binder) count(x parser.Expr, clause string, none int64) (int64, error) {
	if x == nil {
		return none, nil
	}
	bound, err := b.scalar(&scope{clause: clause}, x)
	if err != nil {
		return 0, err
	}
	bound, err = expr.Coerce(bound, expr.BigInt, b.settings.Expr)
	literal, ok := bound.(*expr.Literal)
	if err != nil || !ok || literal.V == nil || literal.V.(int64) < 0 {
		return 0, b.errorf(x, "%s takes a whole number from 0 on", clause)
	}
	return literal.V.(int64), nil
}

// checkEmit refuses the modes that have no operators.
func (b *binder) checkEmit(e *parser.Emit) error {
	switch e.Mode {
	case parser.EmitChanges, parser.EmitFinal:
		return nil
	}
	return b.notYet(e, "EMIT "+string(e.Mode))
}

// bindBody binds what yields the rows, and the keys they are sorted by.
func (b *binder) bindBody(body parser.Body, order []parser.Order) (*query, error) {
	if s, ok := body.(*parser.Select); ok {
		return b.bindSelect(s, order)
	}
	root, err := b.bindRows(body)
	if err != nil {
		return nil, err
	}
	cols := root.columns()
	bound := &query{root: root, shown: len(cols)}
	for _, o := range order {
		i, err := b.outputColumn(cols, o.X)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			return nil, b.errorf(o.X, "ORDER BY behind a set operation or VALUES takes a column of the result")
		}
		bound.sort = append(bound.sort, sortKey(i, o))
	}
	return bound, nil
}

// bindRows binds a body other than a SELECT.
func (b *binder) bindRows(body parser.Body) (node, error) {
	switch body := body.(type) {
	case *parser.Values:
		return b.bindValues(body)
	case *parser.SetOp:
		return b.bindSetOp(body)
	case *parser.Paren:
		return b.subquery(body.Query)
	}
	return nil, b.errorf(body, "this is no query")
}

// subquery binds a query whose rows another one reads. They have no order, so ORDER BY alone does nothing.
func (b *binder) subquery(q *parser.Query) (node, error) {
	bound, err := b.bindQuery(q)
	if err != nil {
		return nil, err
	}
	switch {
	case q.Emit != nil:
		return nil, b.errorf(q.Emit, "EMIT belongs to the end of the whole query")
	case q.Limit != nil:
		return nil, b.notYet(q.Limit, "LIMIT inside a subquery")
	case q.Offset != nil:
		return nil, b.notYet(q.Offset, "OFFSET inside a subquery")
	}
	return b.concrete(firstColumns(bound.root, bound.shown))
}

// firstColumns drops the columns behind the first n.
func firstColumns(in node, n int) node {
	cols := in.columns()
	if len(cols) == n {
		return in
	}
	exprs := make([]expr.Expr, n)
	names := make([]string, n)
	for i := range n {
		exprs[i], names[i] = cols[i].ref(i), cols[i].name
	}
	return newProject(in, exprs, names)
}

// outputColumn finds the column of the result that a sort key means: by its name, or its number from 1. It is -1 if the key is
// no such thing.
func (b *binder) outputColumn(cols []column, x parser.Expr) (int, error) {
	switch x := x.(type) {
	case *parser.Literal:
		n, err := strconv.Atoi(x.Text)
		if x.Kind != parser.LitInt || err != nil || n < 1 || n > len(cols) {
			return 0, b.errorf(x, "ORDER BY takes an expression, or the number of a column from 1 to %d", len(cols))
		}
		return n - 1, nil
	case *parser.ColumnRef:
		if len(x.Name.Parts) > 1 {
			return -1, nil
		}
		found := scopeOf("", cols).find(x.Name.Parts[0].Name, 0, len(cols))
		if len(found) > 1 {
			return 0, b.errorf(x, "column '%s' is ambiguous: the result has it %d times", x.Name.Parts[0].Name, len(found))
		}
		if len(found) == 1 {
			return found[0], nil
		}
	}
	return -1, nil
}

// sortKey is a sort key over column i. Where it is not said, NULL is the smallest value.
func sortKey(i int, o parser.Order) plan.SortKey {
	first := o.Nulls == parser.NullsFirst || o.Nulls == parser.NullsDefault && !o.Desc
	return plan.SortKey{Column: i, Descending: o.Desc, NullsFirst: first}
}

// bindValues binds VALUES: the rows' expressions have no columns to refer to.
func (b *binder) bindValues(v *parser.Values) (node, error) {
	width := len(v.Rows[0].Exprs)
	rows := make([][]expr.Expr, len(v.Rows))
	for i, row := range v.Rows {
		if len(row.Exprs) != width {
			return nil, b.errorf(row, "this row has %s, the first has %d", count(len(row.Exprs), "value"), width)
		}
		for _, x := range row.Exprs {
			bound, err := b.scalar(&scope{clause: "VALUES"}, x)
			if err != nil {
				return nil, err
			}
			rows[i] = append(rows[i], bound)
		}
	}
	bound := &values{rows: rows}
	for c := range width {
		col, err := b.unifyColumn(v, rows, c)
		if err != nil {
			return nil, err
		}
		bound.cols = append(bound.cols, col)
	}
	return bound, nil
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

// bindSetOp binds UNION ALL; a UNION removes duplicates behind it.
func (b *binder) bindSetOp(s *parser.SetOp) (node, error) {
	if s.Op != parser.Union {
		return nil, b.notYet(s.OpPos, string(s.Op))
	}
	left, err := b.bindBranch(s.L)
	if err != nil {
		return nil, err
	}
	right, err := b.bindBranch(s.R)
	if err != nil {
		return nil, err
	}
	both, err := b.unify(s, left, right)
	if err != nil || s.All {
		return both, err
	}
	return b.distinct(both, place{b.script, s.OpPos})
}

func (b *binder) bindBranch(body parser.Body) (node, error) {
	bound, err := b.bindBody(body, nil)
	if err != nil {
		return nil, err
	}
	return bound.root, nil
}

// unify brings the columns of both branches to common types.
func (b *binder) unify(s *parser.SetOp, left, right node) (node, error) {
	l, r := left.columns(), right.columns()
	if len(l) != len(r) {
		return nil, b.errorf(s.OpPos, "the queries around %s have %d and %d columns", s.Op, len(l), len(r))
	}
	types := make([]arrow.DataType, len(l))
	for i := range l {
		t, ok := expr.CommonType(l[i].typ, r[i].typ)
		if !ok {
			return nil, b.errorf(s.OpPos, "column %d ('%s') is %s before %s and %s behind it; CAST one of them",
				i+1, l[i].name, expr.TypeName(l[i].typ), s.Op, expr.TypeName(r[i].typ))
		}
		types[i] = t
	}
	left, err := b.convert(left, types)
	if err != nil {
		return nil, err
	}
	if right, err = b.convert(right, types); err != nil {
		return nil, err
	}
	return newUnion([]node{left, right}), nil
}

// convert casts the columns that are not of the wanted types.
func (b *binder) convert(in node, types []arrow.DataType) (node, error) {
	cols := in.columns()
	exprs := make([]expr.Expr, len(cols))
	names := make([]string, len(cols))
	changed := false
	for i, c := range cols {
		x, err := b.coerceColumn(c, i, types[i])
		if err != nil {
			return nil, err
		}
		exprs[i], names[i] = x, c.name
		changed = changed || !arrow.TypeEqual(c.typ, types[i])
	}
	if !changed {
		return in, nil
	}
	return newProject(in, exprs, names), nil
}

// coerceColumn is column i as a value of the type. A column of bare NULLs takes any.
func (b *binder) coerceColumn(c column, i int, t arrow.DataType) (expr.Expr, error) {
	if c.typ.ID() == arrow.NULL {
		return expr.NewNull(t), nil
	}
	return expr.Coerce(c.ref(i), t, b.settings.Expr)
}

// concrete gives columns of bare NULLs a type.
func (b *binder) concrete(in node) (node, error) {
	cols := in.columns()
	types := make([]arrow.DataType, len(cols))
	for i, c := range cols {
		types[i] = concreteType(c.typ)
	}
	return b.convert(in, types)
}

// concreteType is STRING for a bare NULL.
func concreteType(t arrow.DataType) arrow.DataType {
	if t.ID() == arrow.NULL {
		return expr.String
	}
	return t
}

// count is a number of things in words: 1 row, 2 rows.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// unique gives the columns of a result different names: the second of a name gets a number behind it.
func unique(names []string) []string {
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	seen := map[string]bool{}
	result := slices.Clone(names)
	for i, n := range names {
		for k := 0; seen[n]; k++ {
			if next := n + strconv.Itoa(k); !taken[next] {
				taken[next], result[i] = true, next
				break
			}
		}
		seen[n] = true
	}
	return result
}
