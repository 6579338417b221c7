package planner

import (
	"math"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// rankToTopN makes a choice of the first rows of a filter over ROW_NUMBER, RANK or DENSE_RANK: only they need be kept.
var rankToTopN = rule{"rank to top n", func(_ *Planner, n node) node {
	f, o, ok := filterOver[*over](n)
	if !ok || len(o.calls) != 1 {
		return nil
	}
	rank, ok := rankFunctions[o.calls[0].function]
	if !ok {
		return nil
	}
	at := o.width()
	r := numberRange{from: 1, to: math.MaxInt64}
	var rest []expr.Expr
	for _, term := range expr.Conjuncts(f.condition) {
		if !r.narrow(term, at) {
			rest = append(rest, term)
		}
	}
	if r.to == math.MaxInt64 {
		return nil
	}
	if r.to < r.from {
		return &values{cols: f.columns()}
	}
	top := node(topN{
		input: o.input, rank: rank, partition: o.partition, order: o.order, from: r.from, to: r.to, number: o.cols[at].name, at: o.at,
	}.complete())
	if len(rest) > 0 {
		top = &filter{top, and(rest...)}
	}
	return top
}}

var rankFunctions = map[string]plan.RankFunction{"ROW_NUMBER": plan.RowNumber, "RANK": plan.Rank, "DENSE_RANK": plan.DenseRank}

// numberRange is which numbers a filter keeps.
type numberRange struct{ from, to int64 }

// narrow takes a comparison of the column with a constant into account; it tells whether the term is one.
func (r *numberRange) narrow(term expr.Expr, column int) bool {
	c, ok := term.(*expr.Call)
	if !ok {
		return false
	}
	if c.Fn.Name == "BETWEEN" && isColumnAt(c.Args[0], column) {
		low, okLow := wholeNumber(c.Args[1])
		high, okHigh := wholeNumber(c.Args[2])
		return okLow && okHigh && r.compare(">=", low) && r.compare("<=", high)
	}
	if len(c.Args) != 2 {
		return false
	}
	if n, ok := wholeNumber(c.Args[1]); ok && isColumnAt(c.Args[0], column) {
		return r.compare(c.Fn.Name, n)
	}
	if n, ok := wholeNumber(c.Args[0]); ok && isColumnAt(c.Args[1], column) {
		return r.compare(mirrored[c.Fn.Name], n)
	}
	return false
}

func (r *numberRange) compare(op string, n int64) bool {
	switch op {
	case "<=":
		r.to = min(r.to, n)
	case "<":
		r.to = min(r.to, n-1)
	case ">=":
		r.from = max(r.from, n)
	case ">":
		r.from = max(r.from, n+1)
	case "=":
		r.from, r.to = max(r.from, n), min(r.to, n)
	default:
		return false
	}
	return true
}

func wholeNumber(x expr.Expr) (int64, bool) {
	l, ok := x.(*expr.Literal)
	if !ok {
		return 0, false
	}
	n, ok := l.V.(int64)
	return n, ok && n > math.MinInt64 && n < math.MaxInt64
}

// pushFilterIntoOver filters before rows are looked at together, where the condition is about whole partitions.
var pushFilterIntoOver = rule{"push filter into over", func(_ *Planner, n node) node {
	f, o, ok := filterOver[*over](n)
	if !ok {
		return nil
	}
	return push(f, o, func(x expr.Expr) (expr.Expr, bool) { return x, readsOnly(x, o.partition) })
}}

// pushFilterIntoTopN does the same.
var pushFilterIntoTopN = rule{"push filter into top n", func(_ *Planner, n node) node {
	f, t, ok := filterOver[*topN](n)
	if !ok {
		return nil
	}
	return push(f, t, func(x expr.Expr) (expr.Expr, bool) { return x, readsOnly(x, t.partition) })
}}
