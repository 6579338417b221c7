package planner

import (
	"slices"
	"strconv"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// moments are the functions of the moment that may be asked for with a precision.
var moments = []string{"CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_TIME", "LOCALTIME"}

// bindMoment binds CURRENT_TIMESTAMP(3) and the like; ok tells whether the call is one.
func (e exprs) bindMoment(x *parser.Call, name string) (bound expr.Expr, ok bool, err error) {
	if !slices.Contains(moments, name) || len(x.Args) != 1 {
		return nil, false, nil
	}
	l, isLiteral := x.Args[0].X.(*parser.Literal)
	if !isLiteral || l.Kind != parser.LitInt {
		return nil, true, e.errorf(x.Args[0], "%s takes the number of digits behind the second, 0 to 9", name)
	}
	digits, err := strconv.Atoi(l.Text)
	if err != nil || digits > 9 {
		return nil, true, e.errorf(l, "%s takes the number of digits behind the second, 0 to 9", name)
	}
	now, err := e.call(name, x, nil)
	if err != nil {
		return nil, true, err
	}
	to := now.Type()
	switch name {
	case "CURRENT_TIMESTAMP":
		to = expr.TimestampLTZ(digits)
	case "LOCALTIMESTAMP":
		to = expr.Timestamp(digits)
	}
	bound, err = expr.NewCast(now, to, false, e.settings.Expr)
	return bound, true, err
}
