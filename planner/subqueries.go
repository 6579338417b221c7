package planner

import (
	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// subqueries are the queries that the expressions of a clause use as values. Each becomes a join of the clause's input, which adds
// one column to it; until then, the value is a column from base on.
type subqueries struct {
	*binder
	base  int
	list  []subquery
	trees []parser.Expr // where each was written
}

// newSubqueries is for the queries of one clause, whose values are columns from base on.
func (b *binder) newSubqueries(base int) *subqueries { return &subqueries{binder: b, base: base} }

// subquery is one query used as a value: the value itself of a Left join, or what a Mark join says.
type subquery struct {
	kind  plan.JoinKind
	query node // its columns of the query around are those of the clause
	// on is over the columns of the clause, and those of the query from queryColumns on.
	on expr.Expr
	at place
}

// find is the value of a tree that has been bound already; nil if it has not.
func (s *subqueries) find(x parser.Expr) expr.Expr {
	for i, t := range s.trees {
		if t == x {
			return s.value(i)
		}
	}
	return nil
}

// add takes a query and returns the column that stands for its value.
func (s *subqueries) add(x parser.Expr, q subquery) expr.Expr {
	s.list, s.trees = append(s.list, q), append(s.trees, x)
	return s.value(len(s.list) - 1)
}

func (s *subqueries) value(i int) *expr.Column {
	c := s.list[i].column()
	return c.ref(s.base + i)
}

// column is the column that the join adds.
func (q subquery) column() column {
	if q.kind == plan.Mark {
		return column{name: "matches", typ: expr.Boolean, nullable: q.on.Nullable()}
	}
	c := q.query.columns()[0]
	c.nullable, c.role = true, role{}
	return c
}

// join joins the queries to the clause's input. over turns an expression over the clause's columns into one over the input's. The
// values come behind the columns of the input, in order.
func (s *subqueries) join(in node, over func(expr.Expr) (expr.Expr, error)) (node, error) {
	width := len(in.columns())
	for _, q := range s.list {
		on, err := over(q.on)
		if err != nil {
			return nil, err
		}
		right, err := s.connect(q.query, over)
		if err != nil {
			return nil, err
		}
		on = relocate(relocate(on, s.base, width), queryColumns, len(in.columns()))
		in = newJoin(join{kind: q.kind, left: in, right: right, on: on, lateral: hasOuter(right), single: q.kind == plan.Left, at: q.at})
	}
	return in, nil
}

// relocate moves the columns that are somewhere behind the virtual position from to places behind position to.
func relocate(x expr.Expr, from, to int) expr.Expr {
	return rewriteColumns(x, func(c *expr.Column) expr.Expr {
		if c.Index < from || c.Index >= from+virtual {
			return c
		}
		moved := *c
		moved.Index += to - from
		return &moved
	})
}

// connect lets what a query says of the columns of the clause be about those of the input.
func (s *subqueries) connect(query node, over func(expr.Expr) (expr.Expr, error)) (node, error) {
	var failed error
	connected := mapOuter(query, func(c *expr.Column) expr.Expr {
		level, index := levelOf(c)
		if level > 1 {
			return c
		}
		own := *c
		own.Index = index
		s.spans[&own] = s.spans[c]
		moved, err := over(&own)
		column, ok := moved.(*expr.Column)
		switch {
		case err != nil:
			failed = err
			return c
		case !ok:
			failed = place{s.script, s.spans[c]}.error("column '" + c.Name + "' has no value of its own behind GROUP BY")
			return c
		}
		return outerRef(column)
	})
	return connected, failed
}

// same is the identity, for clauses whose columns are their input's.
func same(x expr.Expr) (expr.Expr, error) { return x, nil }
