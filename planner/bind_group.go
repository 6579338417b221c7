package planner

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// grouping is the aggregation of one SELECT while it is bound. Expressions of the select list, HAVING and ORDER BY are first
// bound over its input, where an aggregate call is a column behind all others; over then turns them into expressions over the
// aggregation's output.
type grouping struct {
	*binder
	tree    *parser.Select
	input   node
	scope   *scope
	aliases map[string]parser.Expr
	window  *groupWindow // nil without GROUP BY TUMBLE(…) and the like
	keys    []expr.Expr
	sets    groupSets // nil without GROUPING SETS and the like
	several bool      // there are some
	calls   []boundCall
	// queries are those that keys and arguments use as values; queryKeys are the keys that do.
	queries   *subqueries
	queryKeys []queryKey
	ttl       int64 // as in plan.Aggregate
	// active tells that there is something to aggregate.
	active bool
}

func (b *binder) newGrouping(tree *parser.Select, input node, names *scope, aliases map[string]parser.Expr) (*grouping, error) {
	g := &grouping{
		binder: b, tree: tree, input: input, scope: names, aliases: aliases, active: len(tree.GroupBy) > 0, queries: b.newSubqueries(inputValues),
	}
	if err := g.bindWindow(); err != nil {
		return nil, err
	}
	return g, g.bindElements(tree.GroupBy)
}

// bindKeys adds expressions of GROUP BY and returns the positions of the keys.
func (g *grouping) bindKeys(xs []parser.Expr) ([]int, error) {
	var keys []int
	for _, x := range xs {
		added, err := g.bindKey(x)
		if err != nil {
			return nil, err
		}
		keys = together(keys, added)
	}
	return keys, nil
}

// bindKey adds one expression of GROUP BY.
func (g *grouping) bindKey(x parser.Expr) ([]int, error) {
	if g.window != nil && g.window.call == x {
		return []int{g.addKey(g.bound(windowStart)), g.addKey(g.bound(windowEnd))}, nil
	}
	if l, ok := x.(*parser.Literal); ok {
		return nil, g.at(l).error("GROUP BY a constant puts all rows into one group", "write the expression itself, GROUP BY takes no numbers of columns")
	}
	in := exprs{binder: g.binder, scope: g.scope.in("GROUP BY"), aliases: g.aliases, subqueries: g.queries}
	queries := len(g.queries.list)
	bound, err := in.bind(x)
	if err != nil {
		return nil, err
	}
	key := g.addKey(bound)
	if len(g.queries.list) > queries {
		g.queryKeys = append(g.queryKeys, queryKey{parser.FormatExpr(in.meant(x)), key})
	}
	return []int{key}, nil
}

// queryKey is a key with a query in it. The same text behind GROUP BY means it.
type queryKey struct {
	text string
	key  int
}

// queryKey is the column of the output that stands for a key with a query in it, nil for anything else.
func (g *grouping) queryKey(x parser.Expr) expr.Expr {
	if g == nil || len(g.queryKeys) == 0 {
		return nil
	}
	text := parser.FormatExpr(x)
	for _, k := range g.queryKeys {
		if k.text == text {
			return g.outputKey(k.key)
		}
	}
	return nil
}

// outputKey is the column of the output that a key is.
func (g *grouping) outputKey(i int) expr.Expr {
	k := g.keys[i]
	return &expr.Column{Index: outputs + i, Name: nameOf(k), T: k.Type(), Null: k.Nullable()}
}

// addKey adds a key unless it is there, and returns its position.
func (g *grouping) addKey(key expr.Expr) int {
	if key.Type().ID() == arrow.NULL {
		key = expr.NewNull(expr.String)
	}
	for i, k := range g.keys {
		if expr.Equal(k, key) {
			return i
		}
	}
	g.keys = append(g.keys, key)
	return len(g.keys) - 1
}

// exprs binds expressions that may hold aggregates.
func (g *grouping) exprs(clause string, aliases map[string]parser.Expr, queries *subqueries) exprs {
	return exprs{binder: g.binder, scope: g.scope.in(clause), aliases: aliases, group: g, subqueries: queries}
}

// addCall adds an aggregate unless it is there, and returns the column that stands for it.
func (g *grouping) addCall(c boundCall) *expr.Column {
	g.active = true
	at := len(g.calls)
	for i, other := range g.calls {
		if other.equal(c) {
			at = i
		}
	}
	if at == len(g.calls) {
		g.calls = append(g.calls, c)
	}
	return &expr.Column{Index: len(g.scope.cols) + at, Name: c.name, T: c.Result, Null: c.Nullable}
}

// build puts the aggregation on top of the input, if there is one: a projection of keys and arguments, and the aggregate.
func (g *grouping) build(having bool) (node, error) {
	g.active = g.active || having
	if !g.active {
		return g.input, nil
	}
	if err := g.keySession(); err != nil {
		return nil, err
	}
	width := len(g.input.columns())
	input, err := g.queries.join(g.input, same)
	if err != nil {
		return nil, err
	}
	var below []expr.Expr
	position := func(x expr.Expr) int {
		x = relocate(x, inputValues, width)
		for i, other := range below {
			if expr.Equal(other, x) {
				return i
			}
		}
		below = append(below, x)
		return len(below) - 1
	}
	keys := make([]int, len(g.keys))
	for i, k := range g.keys {
		keys[i] = position(k)
	}
	calls := make([]call, len(g.calls))
	for i, c := range g.calls {
		calls[i] = c.call
		calls[i].filter = -1
		for _, v := range c.values {
			calls[i].args = append(calls[i].args, position(v))
		}
		if c.condition != nil {
			calls[i].filter = position(c.condition)
		}
	}
	names := make([]string, len(below))
	for i, x := range below {
		names[i] = nameOf(x)
	}
	arguments := newProject(input, below, names)
	grouped := aggregate{input: arguments, keys: keys, calls: calls, sets: g.sets, ttl: g.ttl, at: place{g.script, g.span()}}
	return grouped.complete(), nil
}

// nameOf is the name of a column that nobody named.
func nameOf(x expr.Expr) string {
	if c, ok := x.(*expr.Column); ok {
		return c.Name
	}
	return x.String()
}

// span is what to point at when a message is about the aggregation.
func (g *grouping) span() parser.Span {
	if n := len(g.tree.GroupBy); n > 0 {
		return g.tree.GroupBy[0].Span.To(g.tree.GroupBy[n-1].Span)
	}
	if len(g.calls) > 0 {
		return g.calls[0].span
	}
	return g.tree.Span
}

// over turns an expression over the input into one over the aggregation's output.
func (g *grouping) over(x expr.Expr) (expr.Expr, error) {
	if !g.active {
		return x, nil
	}
	x = expr.Replace(x, g.output)
	var err error
	x = rewriteColumns(x, func(c *expr.Column) expr.Expr {
		switch {
		case c.Index == groupingSet:
			last := *c
			last.Index = len(g.keys) + len(g.calls)
			return &last
		case c.Index >= virtual:
			return c
		case c.Index < outputs:
			if err == nil {
				err = g.notGrouped(c)
			}
			return c
		}
		moved := *c
		moved.Index -= outputs
		return &moved
	})
	return x, err
}

// output is the column of the output that stands for a key or an aggregate, nil for anything else.
func (g *grouping) output(x expr.Expr) expr.Expr {
	c, isColumn := x.(*expr.Column)
	if isColumn && c.Index >= len(g.scope.cols) && c.Index < outputs {
		moved := *c
		moved.Index += outputs - len(g.scope.cols) + len(g.keys)
		return &moved
	}
	for i, k := range g.keys {
		if !expr.IsConstant(k) && expr.Equal(k, x) {
			return g.outputKey(i)
		}
	}
	return nil
}

// notGrouped is the error about a column that is neither a key nor inside an aggregate.
func (g *grouping) notGrouped(c *expr.Column) error {
	msg := fmt.Sprintf("column '%s' is neither in GROUP BY nor inside an aggregate", c.Name)
	hint := fmt.Sprintf("add it to GROUP BY, or take one value of each group, such as MAX(%s)", c.Name)
	if len(g.tree.GroupBy) == 0 {
		hint = "the aggregates make one row of all; add GROUP BY " + c.Name + " for one row for each value"
	}
	return place{g.script, g.spans[c]}.error(msg, hint)
}
