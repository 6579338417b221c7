package planner

import (
	"strconv"

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
	emit   emission
	// spans is where each column of the result was written; nil for a query that is no SELECT.
	spans []parser.Span
}

// bindQuery binds a whole query.
func (b *binder) bindQuery(q *parser.Query) (*query, error) {
	if err := b.checkCommonNames(q.With); err != nil {
		return nil, err
	}
	b = b.with(q.With)
	bound, err := b.bindBody(q.Body, q.OrderBy)
	if err != nil {
		return nil, err
	}
	if bound.emit, err = b.bindEmit(q.Emit); err != nil {
		return nil, err
	}
	if bound.offset, err = b.count(q.Offset, "OFFSET", 0); err != nil {
		return nil, err
	}
	bound.limit, err = b.count(q.Limit, "LIMIT", -1)
	return bound, err
}

// checkCommonNames makes sure that WITH gives each name once.
func (b *binder) checkCommonNames(ctes []parser.CTE) error {
	for i, c := range ctes {
		for _, other := range ctes[:i] {
			if equalNames(c.Name.Name, other.Name.Name) {
				return b.at(c.Name).error("WITH has two queries called '"+c.Name.Name+"'", "give one of them another name")
			}
		}
	}
	return nil
}

// count binds the number of LIMIT or OFFSET.
func (b *binder) count(x parser.Expr, clause string, none int64) (int64, error) {
	if x == nil {
		return none, nil
	}
	const takes = "%s takes a whole number from 0 on"
	switch x.(type) {
	case *parser.ColumnRef, *parser.Subquery:
		return 0, b.errorf(x, takes, clause)
	}
	bound, err := b.scalar(&scope{clause: clause}, x)
	if err != nil {
		return 0, err
	}
	bound, err = expr.Coerce(bound, expr.BigInt, b.settings.Expr)
	literal, ok := bound.(*expr.Literal)
	if err != nil || !ok || literal.V == nil || literal.V.(int64) < 0 {
		return 0, b.errorf(x, takes, clause)
	}
	return literal.V.(int64), nil
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
	if q.Emit != nil {
		return nil, b.errorf(q.Emit, "EMIT belongs to the end of the whole query")
	}
	return b.concrete(b.cut(bound, q))
}

// cut keeps the rows that LIMIT and OFFSET say, in the order of ORDER BY, and the columns that are shown.
func (b *binder) cut(bound *query, q *parser.Query) node {
	root := bound.root
	if bound.limit >= 0 || bound.offset > 0 {
		root = topN{input: root, order: bound.sort, from: bound.offset + 1, to: bound.last(), at: b.cutPlace(q)}.complete()
	}
	return firstColumns(root, bound.shown)
}

// last is the number of the last row that is kept, -1 if all behind the offset are.
func (q *query) last() int64 {
	if q.limit < 0 {
		return -1
	}
	return q.offset + q.limit
}

// cutPlace is where LIMIT or OFFSET is written.
func (b *binder) cutPlace(q *parser.Query) place {
	if q.Limit != nil {
		return b.at(q.Limit)
	}
	return b.at(q.Offset)
}

// firstColumns drops the columns behind the first n.
func firstColumns(in node, n int) node {
	if len(in.columns()) == n {
		return in
	}
	return choose(in, firstN(n))
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
		found := scopeOf("", cols).find(x.Name.Parts[0].Name, firstN(len(cols)))
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
