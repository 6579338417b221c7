package planner

import (
	"streamsql/exec/expr"
	"streamsql/parser"
)

// bindJSON binds a call with the options of JSON functions behind its arguments.
func (e exprs) bindJSON(name string, x *parser.Call, args []parser.Expr) (expr.Expr, error) {
	bound, err := e.bindAll(args)
	if err != nil {
		return nil, err
	}
	o := expr.JSONOptions{Wrapper: string(x.JSON.Wrapper), OnNull: string(x.JSON.OnNull)}
	if x.JSON.Returning != nil {
		if o.Returning, err = e.typeOf(x.JSON.Returning); err != nil {
			return nil, err
		}
	}
	if o.OnEmpty, err = e.jsonBehavior(x.JSON.OnEmpty); err != nil {
		return nil, err
	}
	if o.OnError, err = e.jsonBehavior(x.JSON.OnError); err != nil {
		return nil, err
	}
	call, err := expr.NewJSONCall(name, bound, o, e.settings.Expr)
	if err != nil {
		return nil, e.misfit(x, nodes(args), err)
	}
	return call, nil
}

// jsonBehavior binds … ON EMPTY or … ON ERROR, nil if it was not given.
func (e exprs) jsonBehavior(x *parser.JSONBehavior) (expr.JSONBehavior, error) {
	if x == nil {
		return expr.JSONBehavior{}, nil
	}
	behavior := expr.JSONBehavior{Kind: string(x.Kind)}
	var err error
	if x.Default != nil {
		behavior.Default, err = e.bind(x.Default)
	}
	return behavior, err
}
