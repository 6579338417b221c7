package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// CreateFunction checks a CREATE FUNCTION … RETURN and returns the macro it describes. It does not put it into the catalog.
func (p *Planner) CreateFunction(tree *parser.CreateFunction, script catalog.Script) (*catalog.Function, error) {
	b := p.newBinder(script)
	name, err := b.objectName(tree.Name)
	if err != nil {
		return nil, err
	}
	if tree.Body == nil {
		return nil, b.at(tree.Class).error("a function is created by an SQL expression, not by a class",
			"write CREATE FUNCTION "+name+" (x BIGINT) RETURNS BIGINT RETURN x + 1")
	}
	if _, err := expr.Lookup(name); err == nil || isAggregate(strings.ToUpper(name)) {
		return nil, b.at(tree.Name).error(strings.ToUpper(name)+" is a built-in function", "give yours another name")
	}
	b.macros = []string{name}
	f := &catalog.Function{Name: name, Temporary: tree.Temporary, Script: script, DDL: tree}
	_, _, err = b.macroBody(f)
	return f, err
}

// bindMacro puts the body of a macro in the place of its call.
func (e exprs) bindMacro(x *parser.Call, f *catalog.Function, args []parser.Expr) (expr.Expr, error) {
	if slices.Contains(e.macros, f.Name) {
		return nil, e.callsItself(x, f.Name)
	}
	if len(args) != len(f.DDL.Params) {
		return nil, e.errorf(x, "%s takes %s, got %d", f.Name, count(len(f.DDL.Params), "argument"), len(args))
	}
	inner := e.newBinder(f.Script)
	inner.unready = e.unready
	inner.macros = append(slices.Clone(e.macros), f.Name)
	body, params, err := inner.macroBody(f)
	if err != nil {
		return nil, inObjectError("function", f.Name, err)
	}
	values, err := e.bindAll(args)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if values[i], err = expr.Coerce(v, params[i].typ, e.settings.Expr); err != nil {
			return nil, e.at(args[i]).error(fmt.Sprintf("argument %s of %s: %s", params[i].name, f.Name, err))
		}
	}
	return substitute(body, values), nil
}

// callsItself is the error about a macro whose body needs its own value.
func (e exprs) callsItself(x *parser.Call, name string) error {
	return e.errorf(x, "function '%s' calls itself, and its body is put in the place of each call", name)
}

// returnClause is where the body of a macro stands.
const returnClause = "RETURN"

// macroBody binds the body of a macro over its parameters.
func (b *binder) macroBody(f *catalog.Function) (expr.Expr, []column, error) {
	var params []column
	for _, p := range f.DDL.Params {
		t, err := b.typeOf(p.Type)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(params, func(c column) bool { return c.name == p.Name.Name }) {
			return nil, nil, b.errorf(p.Name, "parameter '%s' is there twice", p.Name.Name)
		}
		params = append(params, column{name: p.Name.Name, typ: t, nullable: true})
	}
	s := scopeOf(f.Name, params)
	s.clause = returnClause
	body, err := b.scalar(s, f.DDL.Body)
	if err != nil || f.DDL.Returns == nil {
		return body, params, err
	}
	t, err := b.typeOf(f.DDL.Returns)
	if err != nil {
		return nil, nil, err
	}
	given := body
	if body, err = expr.Coerce(body, t, b.settings.Expr); err != nil {
		return nil, nil, b.at(f.DDL.Body).error(fmt.Sprintf("the result of '%s': %s", f.Name, err), "or declare what it gives: RETURNS "+expr.TypeName(given.Type()))
	}
	return body, params, nil
}
