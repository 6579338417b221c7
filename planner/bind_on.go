package planner

import (
	"streamsql/exec/expr"
	"streamsql/plan"
)

// joinOn is a join on a condition that uses queries as values. Where only pairs that fulfil it are kept, they can be found first and
// looked at then. Otherwise the condition decides which rows have no partner, and each query has to be about one side.
func (s *subqueries) joinOn(j join) (node, error) {
	if j.kind == plan.Inner {
		return s.filterPairs(j)
	}
	return s.joinSides(j)
}

// filterPairs joins on what needs no query, and filters the pairs by the rest.
func (s *subqueries) filterPairs(j join) (node, error) {
	var plain, rest []expr.Expr
	for _, term := range expr.Conjuncts(j.on) {
		if s.uses(term) {
			rest = append(rest, term)
		} else {
			plain = append(plain, term)
		}
	}
	j.on = and(plain...)
	return filterBy(newJoin(j), and(rest...), s, same)
}

// isValue tells whether a column is the value of a query.
func (s *subqueries) isValue(i int) bool { return i >= s.base && i < s.base+virtual }

// uses tells whether an expression reads the value of a query.
func (s *subqueries) uses(x expr.Expr) bool {
	for _, i := range expr.Columns(x) {
		if s.isValue(i) {
			return true
		}
	}
	return false
}

// joinSides joins each query to the side that it is about, and the sides on the condition.
func (s *subqueries) joinSides(j join) (node, error) {
	n, m := len(j.left.columns()), len(j.right.columns())
	left, right := s.newSubqueries(s.base), s.newSubqueries(s.base)
	side := make([]*subqueries, len(s.list))
	within := make([]int, len(s.list)) // among the queries of the side
	for i, q := range s.list {
		toLeft, toRight := s.sides(q, n)
		if toLeft && toRight {
			return nil, q.at.error("a query in the ON of an outer join can be about one of its sides, and this is about both", "join the query as a table of its own")
		}
		side[i] = right
		if toLeft {
			side[i] = left
		}
		within[i] = len(side[i].list)
		side[i].list = append(side[i].list, q)
	}
	var err error
	if j.left, err = left.join(j.left, same); err != nil {
		return nil, err
	}
	fromRight := func(x expr.Expr) (expr.Expr, error) { return relocate(x, n, 0), nil }
	if j.right, err = right.join(j.right, fromRight); err != nil {
		return nil, err
	}
	wide := len(j.left.columns())
	j.on = rewriteColumns(j.on, func(c *expr.Column) expr.Expr {
		moved := *c
		switch {
		case s.isValue(c.Index):
			q := c.Index - s.base
			moved.Index = n + within[q]
			if side[q] == right {
				moved.Index = wide + m + within[q]
			}
		case c.Index >= n && c.Index < n+m:
			moved.Index += wide - n
		}
		return &moved
	})
	joined := newJoin(j)
	order := firstN(n)
	if joined.givesRight() {
		for i := range m {
			order = append(order, wide+i)
		}
	}
	return choose(joined, order), nil
}

// sides tells whether a query in ON is about columns to the left, the first n, and about others.
func (s *subqueries) sides(q subquery, n int) (toLeft, toRight bool) {
	note := func(i int) {
		toLeft = toLeft || i < n || s.isValue(i)
		toRight = toRight || i >= n && i < queryColumns // the value of another query may be of either side
	}
	for _, i := range expr.Columns(q.on) {
		note(i)
	}
	mapOuter(q.query, func(c *expr.Column) expr.Expr {
		if level, index := levelOf(c); level == 1 {
			note(index)
		}
		return c
	})
	return toLeft, toRight
}
