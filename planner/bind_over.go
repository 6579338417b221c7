package planner

import (
	"errors"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/agg"
	"streamsql/exec/analytic"
	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// bindOver binds a function with OVER and returns the column that stands for its value.
func (e exprs) bindOver(x *parser.Call, name string) (expr.Expr, error) {
	if e.overs == nil {
		return nil, e.at(x).error(x.Name.Last().Name+"(…) OVER cannot stand in "+e.scope.clause, "select it in a query in brackets, and use it outside of them")
	}
	if c := e.overs.find(x); c != nil {
		return c, nil
	}
	inside := e
	inside.overs, inside.aliases = nil, nil
	inside.scope = e.scope.in(name + "(…) OVER")
	window, err := inside.window(x.Over)
	if err != nil {
		return nil, err
	}
	call, err := inside.overCall(x, name)
	if err != nil {
		return nil, err
	}
	return e.overs.add(x, overValue{window, call, e.at(x)}), nil
}

// overCall binds the function and its arguments.
func (e exprs) overCall(x *parser.Call, name string) (boundOverCall, error) {
	call := boundOverCall{}
	var err error
	switch f, ok := analytic.Lookup(name); {
	case ok:
		err = e.overFunction(x, f, &call)
	case isAggregate(name):
		err = e.overAggregate(x, name, &call)
	default:
		if _, known := expr.Lookup(name); known != nil {
			return call, e.unknownFunction(x)
		}
		err = e.at(x.Over).error(x.Name.Last().Name+" looks at one row, and OVER is for functions of several", "leave OVER (…) out")
	}
	return call, err
}

// overFunction binds a function that has a meaning with OVER alone.
func (e exprs) overFunction(x *parser.Call, f *analytic.Function, call *boundOverCall) error {
	switch {
	case x.Distinct || x.Filter != nil || len(x.OrderBy) > 0 || len(x.Within) > 0:
		return e.errorf(x, "%s takes neither DISTINCT, FILTER nor an ORDER BY of its own", f.Name)
	case x.Nulls == parser.IgnoreNulls && !f.TreatsNulls:
		return e.errorf(x, "%s takes no IGNORE NULLS", f.Name)
	}
	var err error
	if call.values, err = e.argumentValues(x); err != nil {
		return err
	}
	resolved, err := f.Resolve(typesOf(call.values))
	if err != nil {
		return e.misfitOver(x, err)
	}
	if err := e.convertArgs(x, call.values, resolved.Args); err != nil {
		return err
	}
	for _, i := range resolved.Constant {
		if _, ok := call.values[i].(*expr.Literal); !ok {
			return e.errorf(x.Args[i], "%s takes a constant here", f.Name)
		}
	}
	call.function, call.result, call.nullable = f.Name, resolved.Result, resolved.Nullable
	call.ignoreNulls = x.Nulls == parser.IgnoreNulls
	call.name = overText(f.Name, x, call)
	return nil
}

// overAggregate binds an aggregate over the rows of a frame.
func (e exprs) overAggregate(x *parser.Call, name string, call *boundOverCall) error {
	if len(x.OrderBy) > 0 || len(x.Within) > 0 {
		return e.errorf(x, "an aggregate with OVER takes its order from there")
	}
	bound := boundCall{span: x.Span}
	if err := e.aggregateArgs(x, &bound); err != nil {
		return err
	}
	if x.Filter != nil {
		inside := e
		inside.scope = e.scope.in("FILTER")
		var err error
		if call.condition, err = inside.condition(x.Filter); err != nil {
			return err
		}
	}
	if err := e.resolveAggregate(x, name, &bound); err != nil {
		return err
	}
	call.aggregate, call.values, call.result, call.nullable = bound.Call, bound.values, bound.Result, bound.Nullable
	call.name = overText(bound.Name, x, call)
	return nil
}

// argumentValues binds arguments that are given by their order.
func (e exprs) argumentValues(x *parser.Call) ([]expr.Expr, error) {
	var values []expr.Expr
	for _, a := range x.Args {
		if a.Name != nil {
			return nil, e.errorf(a, "%s takes its arguments by their order, not by name", x.Name.Last().Name)
		}
		v, err := e.bind(a.X)
		if err != nil {
			return nil, err
		}
		if v.Type().ID() == arrow.NULL {
			v = expr.NewNull(expr.Int)
		}
		values = append(values, v)
	}
	return values, nil
}

// convertArgs casts arguments to the types that were chosen for them.
func (e exprs) convertArgs(x *parser.Call, values []expr.Expr, types []arrow.DataType) error {
	for i, t := range types {
		var err error
		if values[i], err = expr.NewCast(values[i], t, false, e.settings.Expr); err != nil {
			return e.misfit(x.Args[i], nil, err)
		}
	}
	return nil
}

func typesOf(xs []expr.Expr) []arrow.DataType {
	types := make([]arrow.DataType, len(xs))
	for i, x := range xs {
		types[i] = x.Type()
	}
	return types
}

// misfitOver places an error of the functions with OVER.
func (e exprs) misfitOver(x *parser.Call, err error) error {
	var argument *analytic.ArgumentError
	if errors.As(err, &argument) && argument.Arg < len(x.Args) {
		return e.at(x.Args[argument.Arg]).error(argument.Msg)
	}
	return e.at(x).error(err.Error())
}

// overText is the call as SQL, over the names of the bound columns.
func overText(name string, x *parser.Call, c *boundOverCall) string {
	text := argumentText(x, name, c.values, agg.Options{Nulls: nullTreatment(x)})
	if c.condition != nil {
		text += " FILTER (WHERE " + exprText(c.condition) + ")"
	}
	return text + " OVER"
}

// boundOverCall is a function over rows while it is bound.
type boundOverCall struct {
	function    string // empty for an aggregate
	aggregate   agg.Call
	result      arrow.DataType
	nullable    bool
	values      []expr.Expr
	condition   expr.Expr // nil without FILTER
	ignoreNulls bool
	name        string
}

// overWindow is what stands behind OVER.
type overWindow struct {
	partition []expr.Expr
	order     []orderKey
	frame     plan.Frame
}

// orderKey is a sort key of a window.
type orderKey struct {
	x                      expr.Expr
	descending, nullsFirst bool
}
