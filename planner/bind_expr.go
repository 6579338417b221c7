package planner

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// exprs binds the expressions of one clause.
type exprs struct {
	*binder
	scope *scope
	// aliases are the names of the select list that the clause may use, or is told it may not.
	aliases map[string]parser.Expr
	// group takes the aggregate calls; nil where there may be none.
	group *grouping
	// subqueries takes the queries used as values; nil where there may be none.
	subqueries *subqueries
	// overs takes the functions with OVER; nil where there may be none.
	overs *overs
	// windows are those of the WINDOW clause.
	windows []parser.NamedWindow
	// match is set for the expressions of MATCH_RECOGNIZE; value for those that look at one row.
	match *matching
	value *matchValue
}

// scalar binds an expression without aggregates.
func (b *binder) scalar(s *scope, x parser.Expr) (expr.Expr, error) {
	return exprs{binder: b, scope: s}.bind(x)
}

// condition binds an expression that must be BOOLEAN.
func (e exprs) condition(x parser.Expr) (expr.Expr, error) {
	bound, err := e.bind(x)
	if err != nil {
		return nil, err
	}
	condition, err := expr.And(bound)
	if err != nil {
		hint := ""
		if ref, ok := x.(*parser.ColumnRef); ok {
			hint = "write a condition, such as " + parser.FormatExpr(ref) + " IS NOT NULL"
		}
		return nil, e.at(x).error(fmt.Sprintf("%s takes a BOOLEAN, got %s", e.scope.clause, expr.TypeName(bound.Type())), hint)
	}
	return condition, nil
}

// bind binds one expression.
func (e exprs) bind(x parser.Expr) (expr.Expr, error) {
	if key := e.group.queryKey(x); key != nil {
		return key, nil
	}
	switch x := x.(type) {
	case *parser.ColumnRef:
		return e.bindColumn(x)
	case *parser.Literal:
		return e.bindLiteral(x)
	case *parser.Interval:
		return e.bindInterval(x)
	case *parser.Unary:
		return e.bindUnary(x)
	case *parser.Binary:
		return e.bindBinary(x)
	case *parser.Is:
		return e.bindIs(x)
	case *parser.Between:
		return e.bindBetween(x)
	case *parser.Like:
		return e.bindLike(x)
	case *parser.In:
		return e.bindIn(x)
	case *parser.Case:
		return e.bindCase(x)
	case *parser.Cast:
		return e.bindCast(x)
	case *parser.Call:
		return e.bindCall(x)
	case *parser.Symbol:
		return expr.NewSymbol(x.Word), nil
	case *parser.Star:
		return nil, e.errorf(x, "* stands for columns in a select list and in COUNT(*) only")
	}
	return e.bindNested(x)
}

// bindNested binds what makes or takes apart rows, arrays and maps.
func (e exprs) bindNested(x parser.Expr) (expr.Expr, error) {
	switch x := x.(type) {
	case *parser.Row:
		return e.call("ROW", x, x.Elems)
	case *parser.Array:
		return e.call("ARRAY", x, x.Elems)
	case *parser.Map:
		return e.bindMap(x)
	case *parser.Index:
		return e.call("[]", x, []parser.Expr{x.X, x.I})
	case *parser.Field:
		return e.bindField(x)
	case *parser.AtZone:
		return e.bindAtZone(x)
	}
	return e.bindQueryValue(x)
}

// bindAll binds expressions in order.
func (e exprs) bindAll(xs []parser.Expr) ([]expr.Expr, error) {
	bound := make([]expr.Expr, len(xs))
	for i, x := range xs {
		var err error
		if bound[i], err = e.bind(x); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// call applies a function or operator; whole and args are what to point at.
func (e exprs) call(name string, whole parser.Node, args []parser.Expr) (expr.Expr, error) {
	bound, err := e.bindAll(args)
	if err != nil {
		return nil, err
	}
	return e.apply(name, whole, args, bound)
}

func (e exprs) apply(name string, whole parser.Node, args []parser.Expr, bound []expr.Expr) (expr.Expr, error) {
	x, err := expr.NewCall(name, bound, e.settings.Expr)
	if err != nil {
		return nil, e.misfit(whole, nodes(args), err)
	}
	if c, ok := x.(*expr.Call); ok && c.Fn.Stateful {
		e.unready.notYet(e.at(whole), c.Fn.Name)
	}
	return x, nil
}

func nodes(args []parser.Expr) []parser.Node {
	all := make([]parser.Node, len(args))
	for i, a := range args {
		all[i] = a
	}
	return all
}

func (e exprs) bindUnary(x *parser.Unary) (expr.Expr, error) {
	switch x.Op {
	case parser.OpNeg:
		if l, ok := x.X.(*parser.Literal); ok && l.Kind == parser.LitInt {
			return e.bindNegative(x, l)
		}
		return e.call("-", x, []parser.Expr{x.X})
	case parser.OpPos:
		return e.call("+", x, []parser.Expr{x.X})
	}
	return e.call(string(x.Op), x, []parser.Expr{x.X})
}

func (e exprs) bindBinary(x *parser.Binary) (expr.Expr, error) {
	if x.Op != parser.OpAnd && x.Op != parser.OpOr {
		return e.call(string(x.Op), x, []parser.Expr{x.L, x.R})
	}
	terms := flatten(x, x.Op, nil)
	bound, err := e.bindAll(terms)
	if err != nil {
		return nil, err
	}
	combine := expr.And
	if x.Op == parser.OpOr {
		combine = expr.Or
	}
	both, err := combine(bound...)
	if err != nil {
		return nil, e.misfit(x, nodes(terms), err)
	}
	return both, nil
}

// flatten lists the terms of a AND b AND c.
func flatten(x parser.Expr, op parser.Op, terms []parser.Expr) []parser.Expr {
	if b, ok := x.(*parser.Binary); ok && b.Op == op {
		return flatten(b.R, op, flatten(b.L, op, terms))
	}
	return append(terms, x)
}

// negate is NOT x if not is set.
func (e exprs) negate(whole parser.Node, not bool, x expr.Expr, err error) (expr.Expr, error) {
	if err != nil || !not {
		return x, err
	}
	if x, err = expr.Not(x, e.settings.Expr); err != nil {
		return nil, e.misfit(whole, nil, err)
	}
	return x, nil
}

func (e exprs) bindIs(x *parser.Is) (expr.Expr, error) {
	name := "IS "
	if x.Not {
		name = "IS NOT "
	}
	return e.call(name+string(x.Test), x, []parser.Expr{x.X})
}

func (e exprs) bindBetween(x *parser.Between) (expr.Expr, error) {
	name := "BETWEEN"
	if x.Symmetric {
		name = "BETWEEN SYMMETRIC"
	}
	bound, err := e.call(name, x, []parser.Expr{x.X, x.Low, x.High})
	return e.negate(x, x.Not, bound, err)
}

func (e exprs) bindLike(x *parser.Like) (expr.Expr, error) {
	args := []parser.Expr{x.X, x.Pattern}
	if x.Escape != nil {
		args = append(args, x.Escape)
	}
	bound, err := e.call(string(x.Kind), x, args)
	return e.negate(x, x.Not, bound, err)
}

func (e exprs) bindIn(x *parser.In) (expr.Expr, error) {
	if x.Query != nil {
		return e.bindQueryValue(x)
	}
	bound, err := e.call("IN", x, append([]parser.Expr{x.X}, x.List...))
	return e.negate(x, x.Not, bound, err)
}

func (e exprs) bindCase(x *parser.Case) (expr.Expr, error) {
	var operand, otherwise expr.Expr
	var err error
	if x.Operand != nil {
		if operand, err = e.bind(x.Operand); err != nil {
			return nil, err
		}
	}
	var whens []expr.When
	var places []parser.Node // as an ArgumentError of NewCase counts them
	for _, w := range x.Whens {
		bound, err := e.bindAll([]parser.Expr{w.Cond, w.Then})
		if err != nil {
			return nil, err
		}
		whens = append(whens, expr.When{Cond: bound[0], Then: bound[1]})
		places = append(places, w.Cond, w.Then)
	}
	if x.Else != nil {
		if otherwise, err = e.bind(x.Else); err != nil {
			return nil, err
		}
		places = append(places, x.Else)
	}
	bound, err := expr.NewCase(operand, whens, otherwise, e.settings.Expr)
	if err != nil {
		return nil, e.misfit(x, places, err)
	}
	return bound, nil
}

func (e exprs) bindCast(x *parser.Cast) (expr.Expr, error) {
	bound, err := e.bind(x.X)
	if err != nil {
		return nil, err
	}
	to, err := e.typeOf(x.Type)
	if err != nil {
		return nil, err
	}
	var cast expr.Expr
	switch x.Type.Name {
	case parser.TypeChar, parser.TypeVarchar, parser.TypeBinary, parser.TypeVarbinary: // the length is no part of the type
		cast, err = expr.NewCastAs(bound, string(x.Type.Name), x.Type.Args, x.Try, e.settings.Expr)
	default:
		cast, err = expr.NewCast(bound, to, x.Try, e.settings.Expr)
	}
	if err != nil {
		return nil, e.misfitCast(x, bound.Type(), to, err)
	}
	return cast, nil
}

// misfitCast places the error of a CAST, and says what reads an array, a map or a row from a text.
func (e exprs) misfitCast(x *parser.Cast, from, to arrow.DataType, err error) error {
	var argument *expr.ArgumentError
	if !errors.As(err, &argument) || from.ID() != arrow.STRING || !arrow.IsNested(to.ID()) {
		return e.misfit(x, []parser.Node{x.X}, err)
	}
	hint := "JSON_VALUE(x, '$.name') takes a value out of JSON text"
	if to.ID() == arrow.LIST {
		hint = "JSON_QUERY(x, '$' RETURNING ARRAY<STRING>) reads JSON text, SPLIT(x, ',') a list"
	}
	return e.at(x.X).error(argument.Msg, hint)
}
