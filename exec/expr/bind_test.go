package expr

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/text"
	"streamsql/parser"
)

// binding turns text into expressions for the tests: as much of a binder as expressions without queries need.
type binding struct {
	columns  []*Column
	settings Settings
	called   func(name string, args []Expr) // told of every call, if not nil
}

// bindText binds a SQL expression over columns.
func bindText(sql string, s Settings, columns ...*Column) (Expr, error) {
	return bindWith(sql, binding{columns: columns, settings: s})
}

func bindWith(sql string, b binding) (Expr, error) {
	stmts, err := parser.Parse("", "SELECT "+sql)
	if err != nil {
		return nil, err
	}
	return b.bind(stmts[0].(*parser.QueryStmt).Query.Body.(*parser.Select).Items[0].X)
}

func mustBind(t testing.TB, sql string, columns ...*Column) Expr {
	t.Helper()
	e, err := bindText(sql, Settings{}, columns...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return e
}

func (b binding) bind(x parser.Expr) (Expr, error) {
	switch x := x.(type) {
	case *parser.ColumnRef:
		return b.column(x.Name.Last().Name)
	case *parser.Literal:
		return b.literal(x)
	case *parser.Interval:
		return NewInterval(x.Text, string(x.From), string(x.To), x.Neg)
	case *parser.Symbol:
		return NewSymbol(x.Word), nil
	case *parser.Unary:
		return b.call(string(x.Op), x.X)
	case *parser.Binary:
		return b.binary(x)
	case *parser.Is:
		if x.Not {
			return b.call("IS NOT "+string(x.Test), x.X)
		}
		return b.call("IS "+string(x.Test), x.X)
	case *parser.Between:
		name := "BETWEEN"
		if x.Symmetric {
			name += " SYMMETRIC"
		}
		return b.not(x.Not, name, x.X, x.Low, x.High)
	case *parser.Like:
		if x.Escape != nil {
			return b.not(x.Not, string(x.Kind), x.X, x.Pattern, x.Escape)
		}
		return b.not(x.Not, string(x.Kind), x.X, x.Pattern)
	case *parser.In:
		return b.not(x.Not, "IN", append([]parser.Expr{x.X}, x.List...)...)
	case *parser.Case:
		return b.caseOf(x)
	case *parser.Cast:
		return b.cast(x)
	case *parser.Array:
		return b.call("ARRAY", x.Elems...)
	case *parser.Row:
		return b.call("ROW", x.Elems...)
	case *parser.Map:
		var args []parser.Expr
		for i, k := range x.Keys {
			args = append(args, k, x.Values[i])
		}
		return b.call("MAP", args...)
	case *parser.Index:
		return b.call("[]", x.X, x.I)
	case *parser.Field:
		row, err := b.bind(x.X)
		if err != nil {
			return nil, err
		}
		return NewField(row, x.Name.Name, b.settings)
	case *parser.AtZone:
		return b.call("AT TIME ZONE", x.X, x.Zone)
	case *parser.Call:
		args := make([]parser.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = a.X
		}
		if x.JSON != nil {
			return b.json(x, args)
		}
		return b.call(x.Name.Last().Name, args...)
	}
	return nil, fmt.Errorf("cannot bind %T", x)
}

func (b binding) json(x *parser.Call, args []parser.Expr) (Expr, error) {
	bound, err := b.bindAll(args)
	if err != nil {
		return nil, err
	}
	o := JSONOptions{Wrapper: string(x.JSON.Wrapper), OnNull: string(x.JSON.OnNull)}
	if x.JSON.Returning != nil {
		if o.Returning, err = typeOf(x.JSON.Returning); err != nil {
			return nil, err
		}
	}
	if o.OnEmpty, err = b.jsonBehavior(x.JSON.OnEmpty); err != nil {
		return nil, err
	}
	if o.OnError, err = b.jsonBehavior(x.JSON.OnError); err != nil {
		return nil, err
	}
	return NewJSONCall(x.Name.Last().Name, bound, o, b.settings)
}

func (b binding) jsonBehavior(x *parser.JSONBehavior) (JSONBehavior, error) {
	if x == nil {
		return JSONBehavior{}, nil
	}
	behavior := JSONBehavior{Kind: string(x.Kind)}
	var err error
	if x.Default != nil {
		behavior.Default, err = b.bind(x.Default)
	}
	return behavior, err
}

func (b binding) column(name string) (Expr, error) {
	for _, c := range b.columns {
		if c.Name == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("no column %s", name)
}

func (b binding) bindAll(xs []parser.Expr) ([]Expr, error) {
	bound := make([]Expr, len(xs))
	for i, x := range xs {
		var err error
		if bound[i], err = b.bind(x); err != nil {
			return nil, err
		}
	}
	return bound, nil
}

func (b binding) call(name string, args ...parser.Expr) (Expr, error) {
	bound, err := b.bindAll(args)
	if err != nil {
		return nil, err
	}
	if b.called != nil {
		b.called(name, bound)
	}
	return NewCall(name, bound, b.settings)
}

func (b binding) not(not bool, name string, args ...parser.Expr) (Expr, error) {
	x, err := b.call(name, args...)
	if err != nil || !not {
		return x, err
	}
	return Not(x, b.settings)
}

func (b binding) binary(x *parser.Binary) (Expr, error) {
	if x.Op != parser.OpAnd && x.Op != parser.OpOr {
		return b.call(string(x.Op), x.L, x.R)
	}
	sides, err := b.bindAll([]parser.Expr{x.L, x.R})
	if err != nil {
		return nil, err
	}
	if x.Op == parser.OpAnd {
		return And(sides...)
	}
	return Or(sides...)
}

func (b binding) caseOf(x *parser.Case) (Expr, error) {
	var operand, els Expr
	var err error
	if x.Operand != nil {
		if operand, err = b.bind(x.Operand); err != nil {
			return nil, err
		}
	}
	if x.Else != nil {
		if els, err = b.bind(x.Else); err != nil {
			return nil, err
		}
	}
	var whens []When
	for _, w := range x.Whens {
		parts, err := b.bindAll([]parser.Expr{w.Cond, w.Then})
		if err != nil {
			return nil, err
		}
		whens = append(whens, When{parts[0], parts[1]})
	}
	return NewCase(operand, whens, els, b.settings)
}

func (b binding) cast(x *parser.Cast) (Expr, error) {
	e, err := b.bind(x.X)
	if err != nil {
		return nil, err
	}
	switch x.Type.Name {
	case parser.TypeChar, parser.TypeVarchar, parser.TypeBinary, parser.TypeVarbinary:
		return NewCastAs(e, string(x.Type.Name), x.Type.Args, x.Try, b.settings)
	}
	t, err := typeOf(x.Type)
	if err != nil {
		return nil, err
	}
	return NewCast(e, t, x.Try, b.settings)
}

// typeOf is the type a tree names.
func typeOf(x *parser.Type) (arrow.DataType, error) {
	switch x.Name {
	case parser.TypeArray:
		t, err := typeOf(x.Elem)
		return arrow.ListOf(t), err
	case parser.TypeMap:
		key, err := typeOf(x.Key)
		if err != nil {
			return nil, err
		}
		value, err := typeOf(x.Elem)
		return arrow.MapOf(key, value), err
	case parser.TypeRow:
		var fields []arrow.Field
		for _, f := range x.Fields {
			t, err := typeOf(f.Type)
			if err != nil {
				return nil, err
			}
			fields = append(fields, arrow.Field{Name: f.Name.Name, Type: t, Nullable: true})
		}
		return arrow.StructOf(fields...), nil
	}
	name := string(x.Name)
	if x.From == parser.Year || x.From == parser.Month {
		name += " YEAR TO MONTH"
	}
	return TypeOf(name, x.Args)
}

func (b binding) literal(x *parser.Literal) (Expr, error) {
	switch x.Kind {
	case parser.LitNull:
		return NewNull(Unknown), nil
	case parser.LitUnknown:
		return NewNull(Boolean), nil
	case parser.LitBool:
		return NewBool(x.Text == "TRUE"), nil
	case parser.LitInt, parser.LitDecimal, parser.LitFloat:
		return NewNumber(x.Text)
	case parser.LitBytes:
		v, err := hex.DecodeString(x.Text)
		return NewBytes(v), err
	case parser.LitDate:
		return NewDate(x.Text)
	case parser.LitTime:
		return NewTime(x.Text)
	case parser.LitTimestamp:
		return NewTimestamp(x.Text)
	case parser.LitTimestampLTZ:
		return NewTimestampLTZ(x.Text, b.settings)
	}
	return NewString(x.Text), nil
}

// show is the text of the value of an expression without columns, or "error: …".
func show(e Expr, s Settings) string {
	l, err := Evaluate(e, s)
	if err != nil {
		return "error: " + err.Error()
	}
	return l.text(s.TimeZone)
}

// table makes a batch and its columns from rows of text: the header has names and types (a BIGINT, b STRING), the rows values
// separated by |, in which NULL is NULL.
func table(t testing.TB, mem memory.Allocator, header string, rows ...string) (vec.Batch, []*Column) {
	t.Helper()
	var columns []*Column
	var empty []arrow.Array
	for i, field := range strings.Split(header, ", ") {
		name, typeText, _ := strings.Cut(field, " ")
		typ := mustBind(t, "CAST(NULL AS "+typeText+")").Type()
		columns = append(columns, &Column{Index: i, Name: name, T: typ, Null: true})
		empty = append(empty, emptyArray(mem, typ))
	}
	batches := []vec.Batch{vec.NewBatch(0, empty)}
	for _, row := range rows {
		values := strings.Split(row, "|")
		cols := make([]arrow.Array, len(columns))
		for i, c := range columns {
			l := NewNull(c.T)
			if values[i] != "NULL" {
				cast, err := NewCast(NewString(values[i]), c.T, false, Settings{})
				if err != nil {
					t.Fatal(err)
				}
				l = cast.(*Literal)
			}
			cols[i] = l.array()
		}
		batches = append(batches, vec.NewBatch(1, cols))
	}
	return vec.Concat(mem, batches), columns
}

// texts are the rows of an array as text.
func texts(arr arrow.Array) []string {
	rows := make([]string, arr.Len())
	for i := range rows {
		rows[i] = string(text.SQL(nil).Append(nil, arr, i))
	}
	return rows
}

// evalTexts evaluates one expression and returns the rows as text.
func evalTexts(t testing.TB, mem memory.Allocator, e Expr, s Settings, b vec.Batch) ([]string, error) {
	t.Helper()
	p, err := Compile(mem, []Expr{e}, s)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Eval(b)
	if err != nil {
		return nil, err
	}
	defer out[0].Release()
	if !arrow.TypeEqual(out[0].DataType(), e.Type()) {
		t.Fatalf("%s has type %s, its array %s", e, e.Type(), out[0].DataType())
	}
	return texts(out[0]), nil
}
