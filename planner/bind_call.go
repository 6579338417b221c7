package planner

import (
	"slices"
	"strings"
	"unicode"

	"streamsql/exec/agg"
	"streamsql/exec/analytic"
	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// bindCall binds a call of a scalar function, an aggregate, or a function of GROUP BY's window.
func (e exprs) bindCall(x *parser.Call) (expr.Expr, error) {
	name := strings.ToUpper(x.Name.Last().Name)
	if e.match != nil {
		if bound, ok, err := e.bindMatchCall(x, name); ok {
			return bound, err
		}
	}
	if x.Over != nil {
		return e.bindOver(x, name)
	}
	if kind, bound, ok := windowFunction(name); ok {
		return e.bindWindowFunction(x, kind, bound)
	}
	if name == "GROUPING" || name == "GROUPING_ID" {
		return e.bindGrouping(x)
	}
	if isAggregate(name) {
		return e.bindAggregate(x, name)
	}
	if f, ok := analytic.Lookup(name); ok {
		return nil, e.at(x).error(f.Name+" looks at the rows around a row and needs OVER (…)", "write "+f.Example)
	}
	if bound, ok, err := e.bindMoment(x, name); ok {
		return bound, err
	}
	macro := e.catalog.Function(name)
	if _, err := expr.Lookup(name); err != nil && macro == nil {
		if slices.ContainsFunc(e.macros, func(m string) bool { return equalNames(m, name) }) {
			return nil, e.callsItself(x, x.Name.Last().Name)
		}
		return nil, e.unknownFunction(x)
	}
	if err := e.plainCall(x); err != nil {
		return nil, err
	}
	args := make([]parser.Expr, len(x.Args))
	for i, a := range x.Args {
		args[i] = a.X
	}
	if macro != nil {
		return e.bindMacro(x, macro, args)
	}
	if x.JSON != nil {
		return e.bindJSON(name, x, args)
	}
	return e.call(name, x, args)
}

// unknownFunction is the error about a name that no function has.
func (e exprs) unknownFunction(x *parser.Call) error {
	name := x.Name.Last().Name
	if upper := strings.ToUpper(name); upper == "ROLLUP" || upper == "CUBE" {
		return e.at(x.Name).error(upper+" stands for several groupings and has no value", "write it in GROUP BY as an element of its own: GROUP BY a, "+upper+" (b, c)")
	}
	names := agg.Names()
	for _, f := range expr.Functions() {
		if unicode.IsLetter(rune(f.Name[0])) {
			names = append(names, f.Name)
			names = append(names, f.Aliases...)
		}
	}
	for _, f := range analytic.Functions() {
		names = append(names, f.Name)
	}
	for _, f := range e.catalog.List(parser.ObjectFunction) {
		names = append(names, f.ObjectName())
	}
	hint := "SHOW FUNCTIONS lists them"
	if near := suggest.Hint(name, names); near != "" && len(name) > 1 { // a letter is near to whatever is short
		hint = near
	}
	return e.at(x.Name).error("unknown function '"+name+"'", hint)
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
