package planner

import (
	"errors"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// boundCall is an aggregate call over a grouping's input.
type boundCall struct {
	call
	values    []expr.Expr   // the arguments, and the sort keys behind them
	places    []parser.Expr // where each was written
	condition expr.Expr     // nil without FILTER
	span      parser.Span
}

// equal tells whether both calls give the same value for every group.
func (c boundCall) equal(o boundCall) bool {
	if c.name != o.name || !slices.EqualFunc(c.values, o.values, expr.Equal) || (c.condition == nil) != (o.condition == nil) {
		return false
	}
	return c.condition == nil || expr.Equal(c.condition, o.condition)
}

// bindAggregate binds an aggregate call and returns the column that stands for it.
func (e exprs) bindAggregate(x *parser.Call, name string) (expr.Expr, error) {
	if e.group == nil {
		return nil, e.misplaced(x, name)
	}
	inside := e
	inside.group, inside.aliases, inside.subqueries, inside.overs = nil, nil, e.group.queries, nil
	inside.scope = e.scope.in(name + "(…)")
	bound := boundCall{span: x.Span}
	if err := inside.aggregateArgs(x, &bound); err != nil {
		return nil, err
	}
	if x.Filter != nil {
		inside.scope = e.scope.in("FILTER")
		var err error
		if bound.condition, err = inside.condition(x.Filter); err != nil {
			return nil, err
		}
	}
	if err := inside.aggregateOrder(x, name, &bound); err != nil {
		return nil, err
	}
	if err := e.resolveAggregate(x, name, &bound); err != nil {
		return nil, err
	}
	return e.group.addCall(bound), nil
}

// resolveAggregate chooses the aggregate by the types of its arguments, and converts them to those it takes.
func (e exprs) resolveAggregate(x *parser.Call, name string, bound *boundCall) error {
	types := make([]arrow.DataType, len(bound.values))
	for i, v := range bound.values {
		types[i] = v.Type()
		if expr.IsJSON(v) {
			bound.options.JSON = append(bound.options.JSON, i)
		}
	}
	var err error
	bound.options.Distinct, bound.options.Nulls, bound.options.Zone = x.Distinct, nullTreatment(x), e.settings.Expr.TimeZone
	if bound.Call, err = agg.Resolve(name, types, bound.options); err != nil {
		return e.misfitAggregate(x, bound, err)
	}
	bound.name = callText(x, bound)
	for i, t := range bound.Call.Args {
		if bound.values[i], err = expr.NewCast(bound.values[i], t, false, e.settings.Expr); err != nil {
			return e.misfit(bound.places[i], nil, err)
		}
	}
	for _, i := range bound.Call.Parameters {
		if !isLiteral(bound.values[i]) {
			return e.errorf(bound.places[i], "%s takes a constant here, one for all rows", bound.Name)
		}
	}
	return nil
}

// nullTreatment is what the call says about NULLs.
func nullTreatment(x *parser.Call) agg.NullTreatment {
	switch {
	case x.Nulls == parser.RespectNulls, x.JSON != nil && x.JSON.OnNull == parser.NullOnNull:
		return agg.RespectNulls
	case x.Nulls == parser.IgnoreNulls, x.JSON != nil && x.JSON.OnNull == parser.AbsentOnNull:
		return agg.IgnoreNulls
	}
	return agg.NullsAsUsual
}

// aggregateOrder binds the sort keys of the call, which come behind its arguments.
func (e exprs) aggregateOrder(x *parser.Call, name string, bound *boundCall) error {
	if len(x.OrderBy) > 0 && len(x.Within) > 0 {
		return e.errorf(x.Within[0], "%s has an ORDER BY already", name)
	}
	for _, o := range slices.Concat(x.OrderBy, x.Within) {
		key, err := e.bind(o.X)
		if err != nil {
			return err
		}
		s := sortKey(0, o)
		bound.options.Order = append(bound.options.Order, agg.SortKey{Descending: s.Descending, NullsFirst: s.NullsFirst})
		bound.values, bound.places = append(bound.values, key), append(bound.places, o.X)
	}
	return nil
}

// aggregateArgs binds the arguments; COUNT(*) has none.
func (e exprs) aggregateArgs(x *parser.Call, bound *boundCall) error {
	for _, a := range x.Args {
		if star, ok := a.X.(*parser.Star); ok && star.Table == nil && len(x.Args) == 1 && !x.Distinct {
			return nil
		}
		if a.Name != nil {
			return e.errorf(a, "%s takes its arguments by their order, not by name", x.Name.Last().Name)
		}
		arg, err := e.bind(a.X)
		if err != nil {
			return err
		}
		if arg.Type().ID() == arrow.NULL {
			arg = expr.NewNull(expr.Int) // every aggregate takes one
		}
		bound.values, bound.places = append(bound.values, arg), append(bound.places, a.X)
	}
	return nil
}

// misplaced is the error about an aggregate where there can be none.
func (e exprs) misplaced(x *parser.Call, name string) error {
	hint := ""
	switch clause := e.scope.clause; {
	case strings.HasSuffix(clause, "(…)") || clause == "FILTER":
		return e.at(x).error("an aggregate cannot stand inside an aggregate", "aggregate in a query in brackets and select from it")
	case clause == "WHERE":
		hint = "conditions on aggregates go into HAVING"
	case clause == "GROUP BY":
		hint = "aggregate in a query in brackets, select from it and group by the result"
	case clause == "ON":
		hint = "aggregate in a query in brackets and join that"
	}
	return e.at(x).error("the aggregate "+name+" cannot stand in "+e.scope.clause, hint)
}

// misfitAggregate places an error of the aggregate registry.
func (e exprs) misfitAggregate(x *parser.Call, bound *boundCall, err error) error {
	var argument *agg.ArgumentError
	if errors.As(err, &argument) && argument.Arg >= 0 && argument.Arg < len(bound.places) {
		return e.at(bound.places[argument.Arg]).error(argument.Msg)
	}
	return e.at(x).error(err.Error())
}

// callText is the call as SQL, over the names of the bound columns.
func callText(x *parser.Call, c *boundCall) string {
	text := argumentText(x, c.Name, c.values[:len(c.values)-len(c.options.Order)], c.options)
	if c.condition != nil {
		text += " FILTER (WHERE " + exprText(c.condition) + ")"
	}
	return text
}

// argumentText is a call with its arguments and sort keys.
func argumentText(x *parser.Call, name string, values []expr.Expr, o agg.Options) string {
	args := make([]string, len(values))
	for i, a := range values {
		args[i] = exprText(a)
	}
	text := strings.Join(args, ", ")
	if len(x.Args) > 0 && len(args) == 0 {
		text = "*"
	}
	if x.Distinct {
		text = "DISTINCT " + text
	}
	if len(x.OrderBy) > 0 {
		text += " ORDER BY " + ordersText(x.OrderBy)
	}
	text = name + "(" + text + ")"
	if len(x.Within) > 0 {
		text += " WITHIN GROUP (ORDER BY " + ordersText(x.Within) + ")"
	}
	return text + map[agg.NullTreatment]string{agg.RespectNulls: " RESPECT NULLS", agg.IgnoreNulls: " IGNORE NULLS"}[o.Nulls]
}

// ordersText is sort keys as they were written.
func ordersText(order []parser.Order) string {
	keys := make([]string, len(order))
	for i, o := range order {
		keys[i] = parser.FormatExpr(o.X)
		if o.Desc {
			keys[i] += " DESC"
		}
		keys[i] += map[parser.NullsOrder]string{parser.NullsFirst: " NULLS FIRST", parser.NullsLast: " NULLS LAST"}[o.Nulls]
	}
	return strings.Join(keys, ", ")
}

// isAggregate tells whether there is an aggregate of the name.
func isAggregate(name string) bool {
	_, ok := agg.Lookup(name)
	return ok
}
