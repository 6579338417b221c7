package planner

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// bindCall binds a call of a scalar function, an aggregate, or a function of GROUP BY's window.
func (e exprs) bindCall(x *parser.Call) (expr.Expr, error) {
	name := strings.ToUpper(x.Name.Last().Name)
	if x.Over != nil {
		return nil, e.notYet(x, "an OVER window")
	}
	if kind, bound, ok := windowFunction(name); ok {
		return e.bindWindowFunction(x, kind, bound)
	}
	if isAggregate(name) {
		return e.bindAggregate(x, name)
	}
	if err := e.plainCall(x); err != nil {
		return nil, err
	}
	args := make([]parser.Expr, len(x.Args))
	for i, a := range x.Args {
		args[i] = a.X
	}
	if f := e.catalog.Function(name); f != nil {
		return e.bindMacro(x, f, args)
	}
	return e.call(x.Name.Last().Name, x, args)
}

// plainCall refuses what only aggregates take.
func (e exprs) plainCall(x *parser.Call) error {
	switch {
	case x.Distinct:
		return e.errorf(x, "%s is no aggregate and takes no DISTINCT", x.Name.Last().Name)
	case x.Filter != nil:
		return e.errorf(x.Filter, "%s is no aggregate and takes no FILTER", x.Name.Last().Name)
	case len(x.OrderBy) > 0 || len(x.Within) > 0:
		return e.errorf(x, "%s is no aggregate and takes no ORDER BY", x.Name.Last().Name)
	}
	for _, a := range x.Args {
		if a.Name != nil {
			return e.errorf(a, "%s takes its arguments by their order, not by name", x.Name.Last().Name)
		}
	}
	return nil
}
