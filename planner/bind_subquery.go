package planner

import (
	"fmt"

	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// bindQueryValue binds an expression with a query in it.
func (e exprs) bindQueryValue(x parser.Expr) (expr.Expr, error) {
	if e.subqueries == nil {
		hint := "select it in a query in brackets, or join it"
		if e.scope.clause == returnClause {
			hint = "the body of a function looks at its arguments alone"
		}
		return nil, e.at(x).error("a query cannot be used as a value in "+e.scope.clause, hint)
	}
	if c := e.subqueries.find(x); c != nil {
		return c, nil
	}
	switch x := x.(type) {
	case *parser.Exists:
		return e.bindExists(x)
	case *parser.Subquery:
		return e.bindScalar(x)
	case *parser.In:
		return e.bindInQuery(x)
	case *parser.Quantified:
		return e.bindQuantified(x)
	}
	return nil, e.errorf(x, "this cannot stand in an expression")
}

// bindExists binds EXISTS (…). How many rows there are, and what is in them, does not matter.
func (e exprs) bindExists(x *parser.Exists) (expr.Expr, error) {
	q := *x.Query
	if l, ok := q.Limit.(*parser.Literal); ok && l.Text != "0" && q.Offset == nil {
		q.Limit, q.OrderBy = nil, nil
	}
	in, err := e.inside(e.scope).subquery(&q)
	if err != nil {
		return nil, err
	}
	return e.subqueries.add(x, subquery{kind: plan.Mark, query: in, on: expr.NewBool(true), at: e.at(x)}), nil
}

// bindScalar binds a query used as a value: that of its one row, NULL if it has none.
func (e exprs) bindScalar(x *parser.Subquery) (expr.Expr, error) {
	in, err := e.inside(e.scope).subquery(x.Query)
	if err != nil {
		return nil, err
	}
	if n := len(in.columns()); n != 1 {
		return nil, e.errorf(x, "a query used as a value has one column, and this has %d", n)
	}
	return e.subqueries.add(x, subquery{kind: plan.Left, query: in, on: expr.NewBool(true), at: e.at(x)}), nil
}

// bindInQuery binds x [NOT] IN (query).
func (e exprs) bindInQuery(x *parser.In) (expr.Expr, error) {
	mark, err := e.compare(x, x.X, "=", x.Query)
	return e.negate(x, x.Not, mark, err)
}

// negated is the comparison that is TRUE where another is FALSE.
var negated = map[parser.Op]parser.Op{
	parser.OpEq: parser.OpNe, parser.OpNe: parser.OpEq, parser.OpLt: parser.OpGe, parser.OpGe: parser.OpLt, parser.OpGt: parser.OpLe, parser.OpLe: parser.OpGt,
}

// bindQuantified binds x op ANY (query), and x op ALL (query), which is that no row is the opposite.
func (e exprs) bindQuantified(x *parser.Quantified) (expr.Expr, error) {
	if !x.All {
		return e.compare(x, x.X, x.Op, x.Query)
	}
	mark, err := e.compare(x, x.X, negated[x.Op], x.Query)
	return e.negate(x, true, mark, err)
}

// compare binds whether a comparison with some row of a query is TRUE.
func (e exprs) compare(whole, x parser.Expr, op parser.Op, q *parser.Query) (expr.Expr, error) {
	values := []parser.Expr{x}
	if row, ok := x.(*parser.Row); ok {
		values = row.Elems
	}
	in, err := e.inside(e.scope).subquery(q)
	if err != nil {
		return nil, err
	}
	cols := in.columns()
	if len(cols) != len(values) {
		return nil, e.errorf(q, "%s to the left %s compared with %s of the query", count(len(values), "value"), areOr(len(values)), count(len(cols), "column"))
	}
	if len(values) > 1 && op != parser.OpEq {
		return nil, e.errorf(whole, "rows of several values are compared by =, IN and NOT IN only")
	}
	terms := make([]expr.Expr, len(values))
	for i, v := range values {
		bound, err := e.bind(v)
		if err != nil {
			return nil, err
		}
		if terms[i], err = expr.NewCall(string(op), []expr.Expr{bound, cols[i].ref(queryColumns + i)}, e.settings.Expr); err != nil {
			return nil, e.misfit(v, nil, fmt.Errorf("column '%s' of the query: %w", cols[i].name, err))
		}
	}
	return e.subqueries.add(whole, subquery{kind: plan.Mark, query: in, on: and(terms...), at: e.at(whole)}), nil
}

func areOr(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
