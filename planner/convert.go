package planner

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
)

// convert casts the columns that are not of the wanted types.
func (b *binder) convert(in node, types []arrow.DataType) (node, error) {
	cols := in.columns()
	exprs := make([]expr.Expr, len(cols))
	names := make([]string, len(cols))
	changed := false
	for i, c := range cols {
		x, err := b.coerceColumn(c, i, types[i])
		if err != nil {
			return nil, err
		}
		exprs[i], names[i] = x, c.name
		changed = changed || !arrow.TypeEqual(c.typ, types[i])
	}
	if !changed {
		return in, nil
	}
	return newProject(in, exprs, names), nil
}

// coerceColumn is column i as a value of the type. A column of bare NULLs takes any.
func (b *binder) coerceColumn(c column, i int, t arrow.DataType) (expr.Expr, error) {
	if c.typ.ID() == arrow.NULL {
		return expr.NewNull(t), nil
	}
	return expr.Coerce(c.ref(i), t, b.settings.Expr)
}

// concrete gives columns of bare NULLs a type.
func (b *binder) concrete(in node) (node, error) {
	cols := in.columns()
	types := make([]arrow.DataType, len(cols))
	for i, c := range cols {
		types[i] = concreteType(c.typ)
	}
	return b.convert(in, types)
}

// concreteType is STRING for a bare NULL.
func concreteType(t arrow.DataType) arrow.DataType {
	if t.ID() == arrow.NULL {
		return expr.String
	}
	return t
}
