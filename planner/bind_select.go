package planner

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// item is one column of a select list.
type item struct {
	x      parser.Expr // nil for a column a star stands for
	column int         // of the input, where x is nil
	name   string
	span   parser.Span
}

// selection is a SELECT while it is bound.
type selection struct {
	*binder
	tree    *parser.Select
	aliases map[string]parser.Expr
	items   []item
	group   *grouping
	// exprs are the bound items; those behind the items are there to sort by.
	exprs []expr.Expr
	names []string
	spans []parser.Span
	// queries are those that HAVING uses as values, and those that the items and ORDER BY do.
	havingQueries, queries *subqueries
	overs                  *overs
}

// bindSelect binds a SELECT and the ORDER BY behind it.
func (b *binder) bindSelect(tree *parser.Select, order []parser.Order) (*query, error) {
	input, names, err := b.bindFrom(tree.From)
	if err != nil {
		return nil, err
	}
	ttl, err := b.bindHints(tree.Hints)
	if err != nil {
		return nil, err
	}
	input = ttl.apply(input, names, 0)
	s := &selection{
		binder: b, tree: tree, aliases: aliasesOf(tree), havingQueries: b.newSubqueries(subqueryValues), queries: b.newSubqueries(subqueryValues),
		overs: &overs{binder: b},
	}
	if input, err = s.where(input, names); err != nil {
		return nil, err
	}
	if s.items, err = b.expand(tree, names); err != nil {
		return nil, err
	}
	if s.group, err = b.newGrouping(tree, input, names, s.aliases); err != nil {
		return nil, err
	}
	s.group.ttl = ttl.of(names, 0, len(names.cols))
	return s.bind(order)
}

// where binds WHERE.
func (s *selection) where(input node, names *scope) (node, error) {
	if s.tree.Where == nil {
		return input, nil
	}
	queries := s.newSubqueries(subqueryValues)
	in := exprs{binder: s.binder, scope: names.in("WHERE"), aliases: s.aliases, subqueries: queries}
	condition, err := in.condition(s.tree.Where)
	if err != nil {
		return nil, err
	}
	return filterBy(input, condition, queries, same)
}

// filterBy puts a filter on top of the input, for whose condition queries are joined to it.
func filterBy(input node, condition expr.Expr, queries *subqueries, over func(expr.Expr) (expr.Expr, error)) (node, error) {
	width := len(input.columns())
	input, err := queries.join(input, over)
	if err != nil {
		return nil, err
	}
	if condition, err = over(condition); err != nil {
		return nil, err
	}
	return firstColumns(&filter{input, relocate(condition, queries.base, width)}, width), nil
}

// expand replaces the stars of a select list by the columns they stand for.
func (b *binder) expand(tree *parser.Select, names *scope) ([]item, error) {
	var items []item
	for _, it := range tree.Items {
		star, ok := it.X.(*parser.Star)
		if !ok {
			items = append(items, item{x: it.X, name: itemName(it), span: it.X.At()})
			continue
		}
		meant := names.visible
		if star.Table != nil {
			t, ok := names.table(star.Table.Last().Name)
			if !ok {
				return nil, b.unknownTable(names, &parser.ColumnRef{Span: star.Table.Span, Name: *star.Table})
			}
			meant = t.columns()
		}
		if len(meant) == 0 {
			return nil, b.errorf(star, "there is no FROM with columns that * could stand for")
		}
		for _, i := range meant {
			items = append(items, item{column: i, name: names.cols[i].name, span: star.At()})
		}
	}
	return items, nil
}

// itemName is the name of the column an item becomes: its alias, the name of the column it is, or its text.
func itemName(it parser.Item) string {
	if it.Alias != nil {
		return it.Alias.Name
	}
	if ref, ok := it.X.(*parser.ColumnRef); ok {
		return ref.Name.Last().Name
	}
	return parser.FormatExpr(it.X)
}

// aliasesOf maps the aliases of a select list to what they stand for; one given twice stands for nothing.
func aliasesOf(tree *parser.Select) map[string]parser.Expr {
	aliases := map[string]parser.Expr{}
	for _, it := range tree.Items {
		if it.Alias == nil {
			continue
		}
		key := strings.ToLower(it.Alias.Name)
		if _, twice := aliases[key]; twice {
			aliases[key] = nil
			continue
		}
		aliases[key] = it.X
	}
	return aliases
}

// bind binds the items, HAVING, DISTINCT and ORDER BY, and puts the operators on top of each other.
func (s *selection) bind(order []parser.Order) (*query, error) {
	for _, it := range s.items {
		if err := s.bindItem(it); err != nil {
			return nil, err
		}
	}
	having, err := s.bindHaving()
	if err != nil {
		return nil, err
	}
	s.names = unique(s.names)
	result := &query{shown: len(s.exprs), spans: s.spans}
	for _, o := range order {
		i, err := s.bindOrder(o, result.shown)
		if err != nil {
			return nil, err
		}
		result.sort = append(result.sort, sortKey(i, o))
	}
	result.root, err = s.build(having)
	return result, err
}

// clause binds the expressions of the select list or ORDER BY.
func (s *selection) clause(name string, aliases map[string]parser.Expr) exprs {
	e := s.group.exprs(name, aliases, s.queries)
	e.overs, e.windows = s.overs, s.tree.Windows
	return e
}

func (s *selection) bindItem(it item) error {
	var x expr.Expr
	if it.x == nil {
		x = s.column(s.group.scope, it.column, it.span)
	} else {
		var err error
		if x, err = s.clause("SELECT", nil).bind(it.x); err != nil {
			return err
		}
	}
	s.exprs, s.names, s.spans = append(s.exprs, x), append(s.names, it.name), append(s.spans, it.span)
	return nil
}

func (s *selection) bindHaving() (expr.Expr, error) {
	if s.tree.Having == nil {
		return nil, nil
	}
	return s.group.exprs("HAVING", s.aliases, s.havingQueries).condition(s.tree.Having)
}

// bindOrder returns the column of the result that a sort key is; if it is none of the shown ones it is added behind them.
func (s *selection) bindOrder(o parser.Order, shown int) (int, error) {
	if i, err := s.outputColumn(s.shownColumns(shown), o.X); err != nil || i >= 0 {
		return i, err
	}
	x, err := s.clause("ORDER BY", s.aliases).bind(o.X)
	if err != nil {
		return 0, err
	}
	for i, other := range s.exprs {
		if expr.Equal(x, other) {
			return i, nil
		}
	}
	if s.tree.Distinct {
		return 0, s.errorf(o.X, "ORDER BY behind SELECT DISTINCT takes what is selected")
	}
	s.exprs, s.names, s.spans = append(s.exprs, x), append(s.names, x.String()), append(s.spans, o.X.At())
	return len(s.exprs) - 1, nil
}

func (s *selection) shownColumns(n int) []column {
	cols := make([]column, n)
	for i := range cols {
		cols[i] = column{name: s.names[i], typ: s.exprs[i].Type()}
	}
	return cols
}

// build puts together: input, aggregation, HAVING, projection, DISTINCT.
func (s *selection) build(having expr.Expr) (node, error) {
	input, err := s.group.build(having != nil)
	if err != nil {
		return nil, err
	}
	if having != nil {
		if input, err = filterBy(input, having, s.havingQueries, s.group.over); err != nil {
			return nil, err
		}
	}
	if input, err = s.compute(input); err != nil {
		return nil, err
	}
	root := node(newProject(input, s.exprs, s.names))
	if s.tree.Distinct {
		return s.distinct(root, place{s.script, s.tree.Span})
	}
	return root, nil
}

// compute joins the queries that the items use and computes the functions with OVER, and puts the items over the result.
func (s *selection) compute(input node) (node, error) {
	width := len(input.columns())
	input, err := s.queries.join(input, s.group.over)
	if err != nil {
		return nil, err
	}
	over := func(x expr.Expr) (expr.Expr, error) {
		x, err := s.group.over(x)
		if err != nil {
			return nil, err
		}
		return relocate(x, subqueryValues, width), nil
	}
	input, places, err := s.overs.compute(input, over)
	if err != nil {
		return nil, err
	}
	for i, x := range s.exprs {
		if x, err = over(x); err != nil {
			return nil, err
		}
		s.exprs[i] = rewriteColumns(x, func(c *expr.Column) expr.Expr {
			if c.Index < overValues || c.Index >= overValues+virtual {
				return c
			}
			moved := *c
			moved.Index = places[c.Index-overValues]
			return &moved
		})
	}
	return input, nil
}
