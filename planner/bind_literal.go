package planner

import (
	"encoding/hex"
	"errors"
	"math"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

func (e exprs) bindLiteral(x *parser.Literal) (expr.Expr, error) {
	l, err := newLiteral(x, e.settings.Expr)
	if err != nil {
		return nil, e.errorf(x, "%s", err)
	}
	return l, nil
}

func newLiteral(x *parser.Literal, s expr.Settings) (*expr.Literal, error) {
	switch x.Kind {
	case parser.LitNull:
		return expr.NewNull(expr.Unknown), nil
	case parser.LitUnknown:
		return expr.NewNull(expr.Boolean), nil
	case parser.LitBool:
		return expr.NewBool(x.Text == "TRUE"), nil
	case parser.LitInt, parser.LitDecimal, parser.LitFloat:
		return expr.NewNumber(x.Text)
	case parser.LitBytes:
		b, err := hex.DecodeString(x.Text)
		return expr.NewBytes(b), err
	case parser.LitDate:
		return expr.NewDate(x.Text)
	case parser.LitTime:
		return expr.NewTime(x.Text)
	case parser.LitTimestamp:
		return expr.NewTimestamp(x.Text)
	case parser.LitTimestampLTZ:
		return expr.NewTimestampLTZ(x.Text, s)
	}
	return expr.NewString(x.Text), nil
}

// bindNegative binds -digits, which may be the one integer that has no positive.
func (e exprs) bindNegative(whole *parser.Unary, l *parser.Literal) (expr.Expr, error) {
	n, err := strconv.ParseInt("-"+l.Text, 10, 64)
	switch {
	case err != nil:
		return e.call("-", whole, []parser.Expr{l})
	case n >= math.MinInt32:
		return expr.NewInt(int32(n)), nil
	}
	return expr.NewBigInt(n), nil
}

func (e exprs) bindInterval(x *parser.Interval) (expr.Expr, error) {
	return e.interval(x)
}

func (b *binder) interval(x *parser.Interval) (*expr.Literal, error) {
	l, err := expr.NewInterval(x.Text, string(x.From), string(x.To), x.Neg)
	if err != nil {
		return nil, b.errorf(x, "%s", err)
	}
	return l, nil
}

// typeOf is the type a tree names.
func (b *binder) typeOf(t *parser.Type) (arrow.DataType, error) {
	switch t.Name {
	case parser.TypeArray, parser.TypeMap, parser.TypeRow:
		return b.nestedType(t)
	case parser.TypeInterval:
		return intervalType(t), nil
	}
	typ, err := expr.TypeOf(string(t.Name), t.Args)
	var unknown *expr.UnknownNameError
	switch {
	case errors.As(err, &unknown):
		return nil, b.at(t).error("unknown type '"+unknown.Name+"'", suggest.Hint(unknown.Name, unknown.Candidates))
	case err != nil:
		return nil, b.errorf(t, "%s", err)
	}
	return typ, nil
}

func intervalType(t *parser.Type) arrow.DataType {
	if t.From == parser.Year || t.From == parser.Month {
		return expr.YearMonth
	}
	return expr.DayTime
}

// milliseconds is the length of an interval of days and times.
func (b *binder) milliseconds(x *parser.Interval, clause string) (int64, error) {
	l, err := b.interval(x)
	if err != nil {
		return 0, err
	}
	ms, ok := l.V.(arrow.Duration)
	if !ok || ms < 0 {
		return 0, b.errorf(x, "%s takes an interval of days, hours and the like, from nothing on", clause)
	}
	return int64(ms), nil
}
