package planner

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// fields binds the path into a row that stands behind a column's name.
func (e exprs) fields(x expr.Expr, ref *parser.ColumnRef, path []parser.Ident) (expr.Expr, error) {
	for _, id := range path {
		if x.Type().ID() != arrow.STRUCT {
			return nil, e.errorf(ref, "column '%s' is not a row and has no fields", ref.Name.Parts[len(ref.Name.Parts)-len(path)-1].Name)
		}
		var err error
		if x, err = e.field(x, id); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// field is one field of a row.
func (e exprs) field(x expr.Expr, id parser.Ident) (expr.Expr, error) {
	row, ok := x.Type().(*arrow.StructType)
	if !ok {
		return nil, e.errorf(id, "only a ROW has fields, and this is %s", expr.TypeName(x.Type()))
	}
	bound, err := expr.NewField(x, id.Name, e.settings.Expr)
	if err == nil {
		return bound, nil
	}
	var names []string
	for _, f := range row.Fields() {
		names = append(names, f.Name)
	}
	hint := suggest.Hint(id.Name, names)
	if hint == "" {
		hint = "its fields are " + strings.Join(names, ", ")
	}
	return nil, e.at(id).error(fmt.Sprintf("the row has no field '%s'", id.Name), hint)
}

func (e exprs) bindField(x *parser.Field) (expr.Expr, error) {
	row, err := e.bind(x.X)
	if err != nil {
		return nil, err
	}
	return e.field(row, x.Name)
}

// bindMap binds MAP[k, v, …]: a call with keys and values in turn.
func (e exprs) bindMap(x *parser.Map) (expr.Expr, error) {
	var args []parser.Expr
	for i, k := range x.Keys {
		args = append(args, k, x.Values[i])
	}
	return e.call("MAP", x, args)
}

// bindAtZone binds x AT TIME ZONE z; AT LOCAL is the session's zone.
func (e exprs) bindAtZone(x *parser.AtZone) (expr.Expr, error) {
	if x.Zone != nil {
		return e.call("AT TIME ZONE", x, []parser.Expr{x.X, x.Zone})
	}
	bound, err := e.bind(x.X)
	if err != nil {
		return nil, err
	}
	zone := "UTC"
	if z := e.settings.Expr.TimeZone; z != nil {
		zone = z.String()
	}
	return e.apply("AT TIME ZONE", x, []parser.Expr{x.X}, []expr.Expr{bound, expr.NewString(zone)})
}

// nestedType is the type of an ARRAY, MAP or ROW.
func (b *binder) nestedType(t *parser.Type) (arrow.DataType, error) {
	switch t.Name {
	case parser.TypeArray:
		elem, err := b.elementField(t.Elem)
		if err != nil {
			return nil, err
		}
		return arrow.ListOfField(elem), nil
	case parser.TypeMap:
		key, err := b.typeOf(t.Key)
		if err != nil {
			return nil, err
		}
		value, err := b.typeOf(t.Elem)
		if err != nil {
			return nil, err
		}
		m := arrow.MapOf(key, value)
		m.SetItemNullable(!t.Elem.NotNull)
		return m, nil
	}
	return b.rowType(t)
}

func (b *binder) elementField(t *parser.Type) (arrow.Field, error) {
	elem, err := b.typeOf(t)
	return arrow.Field{Name: "item", Type: elem, Nullable: !t.NotNull}, err
}

func (b *binder) rowType(t *parser.Type) (arrow.DataType, error) {
	fields := make([]arrow.Field, len(t.Fields))
	seen := map[string]bool{}
	for i, f := range t.Fields {
		if seen[f.Name.Name] {
			return nil, b.errorf(f.Name, "field '%s' is there twice", f.Name.Name)
		}
		seen[f.Name.Name] = true
		typ, err := b.typeOf(f.Type)
		if err != nil {
			return nil, err
		}
		fields[i] = arrow.Field{Name: f.Name.Name, Type: typ, Nullable: !f.Type.NotNull}
	}
	return arrow.StructOf(fields...), nil
}
