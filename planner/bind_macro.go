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
		return nil, b.errorf(tree, "only SQL functions can be created here: CREATE FUNCTION f(x BIGINT) RETURNS BIGINT RETURN x + 1")
	}
	if _, err := expr.Lookup(name); err == nil || isAggregate(strings.ToUpper(name)) {
		return nil, b.errorf(tree.Name, "%s is a built-in function", strings.ToUpper(name))
	}
	f := &catalog.Function{Name: name, Temporary: tree.Temporary, Script: script, DDL: tree}
	_, _, err = b.macroBody(f)
	return f, err
}

// bindMacro puts the body of a macro in the place of its call.
func (e exprs) bindMacro(x *parser.Call, f *catalog.Function, args []parser.Expr) (expr.Expr, error) {
	if slices.Contains(e.macros, f.Name) {
		return nil, e.errorf(x, "function '%s' calls itself", f.Name)
	}
	if len(args) != len(f.DDL.Params) {
		return nil, e.errorf(x, "%s takes %s, got %d", f.Name, count(len(f.DDL.Params), "argument"), len(args))
	}
	inner := e.newBinder(f.Script)
	inner.unready = e.unready
	inner.macros = append(slices.Clone(e.macros), f.Name)
	body, params, err := inner.macroBody(f)
	if err != nil {
		return nil, err
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

// macroBody binds the body of a macro over its parameters.
func (b *binder) macroBody(f *catalog.Function) (expr.Expr, []column, error) {
	var params []column
	for _, p := range f.DDL.Params {
		t, err := b.typeOf(p.Type)
		if err != nil {
			return nil, nil, err
		}
		params = append(params, column{name: p.Name.Name, typ: t, nullable: true})
	}
	s := scopeOf(f.Name, params)
	s.clause = "RETURN"
	body, err := b.scalar(s, f.DDL.Body)
	if err != nil || f.DDL.Returns == nil {
		return body, params, err
	}
	t, err := b.typeOf(f.DDL.Returns)
	if err != nil {
		return nil, nil, err
	}
	if body, err = expr.Coerce(body, t, b.settings.Expr); err != nil {
		return nil, nil, b.errorf(f.DDL.Body, "%s", err)
	}
	return body, params, nil
}
