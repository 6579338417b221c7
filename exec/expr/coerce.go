package expr

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// CommonType is the type to which values of both types convert without being asked, as the branches of a CASE do: the wider
// number, the timestamp of a date and a timestamp, the finer of two timestamps. ok is false if there is none.
func CommonType(a, b arrow.DataType) (t arrow.DataType, ok bool) {
	switch {
	case arrow.TypeEqual(a, b) || b.ID() == arrow.NULL:
		return a, true
	case a.ID() == arrow.NULL:
		return b, true
	case isNumber(a) && isNumber(b):
		return commonNumber(a, b), true
	case isDateOrTimestamp(a) && isDateOrTimestamp(b):
		return commonTimestamp(a, b), true
	case a.ID() == b.ID() && arrow.IsNested(a.ID()):
		return commonNested(a, b)
	}
	return nil, false
}

// commonNested is the common type of two ARRAYs, MAPs or ROWs: that of what is in them. A ROW keeps the names of the first.
func commonNested(a, b arrow.DataType) (t arrow.DataType, ok bool) {
	switch a := a.(type) {
	case *arrow.MapType:
		b := b.(*arrow.MapType)
		key, keyOK := CommonType(a.KeyType(), b.KeyType())
		item, itemOK := CommonType(a.ItemType(), b.ItemType())
		if !keyOK || !itemOK {
			return nil, false
		}
		return arrow.MapOf(key, item), true
	case *arrow.ListType:
		element, ok := CommonType(a.Elem(), elementType(b))
		if !ok {
			return nil, false
		}
		return arrow.ListOf(element), true
	case *arrow.StructType:
		return commonRow(a, b.(*arrow.StructType))
	}
	return nil, false
}

func commonRow(a, b *arrow.StructType) (t arrow.DataType, ok bool) {
	if a.NumFields() != b.NumFields() {
		return nil, false
	}
	fields := make([]arrow.Field, a.NumFields())
	for i := range fields {
		fields[i] = arrow.Field{Name: a.Field(i).Name, Nullable: true}
		if fields[i].Type, ok = CommonType(a.Field(i).Type, b.Field(i).Type); !ok {
			return nil, false
		}
	}
	return arrow.StructOf(fields...), true
}

func commonNumber(a, b arrow.DataType) arrow.DataType {
	switch {
	case isInteger(a) && isInteger(b):
		if a.(arrow.FixedWidthDataType).BitWidth() > b.(arrow.FixedWidthDataType).BitWidth() {
			return a
		}
		return b
	case isFloat(a) && isFloat(b):
		return Double
	case isFloat(a):
		return commonFloat(a, b)
	case isFloat(b):
		return commonFloat(b, a)
	}
	x, y := asDecimal(a), asDecimal(b)
	scale := max(x.Scale, y.Scale)
	return boundedDecimal(max(x.Precision-x.Scale, y.Precision-y.Scale)+scale, scale)
}

// commonFloat is the common type of a floating type and an exact one.
func commonFloat(float, exact arrow.DataType) arrow.DataType {
	if isInteger(exact) {
		return float
	}
	return Double
}

func commonTimestamp(a, b arrow.DataType) arrow.DataType {
	x, aOK := a.(*arrow.TimestampType)
	y, bOK := b.(*arrow.TimestampType)
	switch {
	case !aOK:
		return b
	case !bOK:
		return a
	}
	t := &arrow.TimestampType{Unit: max(x.Unit, y.Unit), TimeZone: x.TimeZone}
	if t.TimeZone == "" {
		t.TimeZone = y.TimeZone
	}
	return t
}

// CommonTypeOf is the common type of all expressions. Without one it returns the index of the first that does not fit.
func CommonTypeOf(exprs []Expr) (t arrow.DataType, misfit int, ok bool) {
	t = Unknown
	for i, e := range exprs {
		if t, ok = CommonType(t, e.Type()); !ok {
			return nil, i, false
		}
	}
	return t, 0, true
}

// Coerce converts e to type t where SQL does so without being asked: to a common type as CommonType finds it, between
// DECIMALs and between precisions of a timestamp; a NULL to anything; a literal to any type that can hold its value exactly,
// and the text of a STRING literal to a number, a BOOLEAN or a time.
func Coerce(e Expr, t arrow.DataType, s Settings) (Expr, error) {
	from := e.Type()
	if arrow.TypeEqual(from, t) {
		return e, nil
	}
	if isNull(e) {
		return NewNull(t), nil
	}
	if l, ok := e.(*Literal); ok && !canCoerce(from, t) {
		return coerceLiteral(l, t, s)
	}
	if !canCoerce(from, t) {
		return nil, fmt.Errorf("%s does not convert to %s by itself; CAST it", TypeName(from), TypeName(t))
	}
	return NewCast(e, t, false, s)
}

func canCoerce(from, to arrow.DataType) bool {
	if from.ID() == to.ID() && (from.ID() == arrow.DECIMAL128 || from.ID() == arrow.TIMESTAMP) {
		return true
	}
	c, ok := CommonType(from, to)
	return ok && (arrow.TypeEqual(c, to) || isDecimal(to) && isInteger(from))
}

// coerceLiteral converts a literal whose type does not convert by itself but whose value may.
func coerceLiteral(l *Literal, t arrow.DataType, s Settings) (Expr, error) {
	exact := isNumber(l.T) && isNumber(t) || l.T.ID() == arrow.STRING && isSpelled(t)
	if exact {
		if v, err := foldCast(l, t, s); err == nil && (!isNumber(l.T) || keepsValue(l, v, s)) {
			return v, nil
		}
		return nil, fmt.Errorf("%s is not a value of type %s", l, TypeName(t))
	}
	return nil, fmt.Errorf("%s does not convert to %s by itself; CAST it", TypeName(l.T), TypeName(t))
}

// keepsValue reports whether a number converted to another type equals the original.
func keepsValue(from, to *Literal, s Settings) bool {
	back, err := foldCast(to, from.T, s)
	return err == nil && literalKey(back) == literalKey(from)
}

func isInteger(t arrow.DataType) bool { return arrow.IsSignedInteger(t.ID()) }
func isFloat(t arrow.DataType) bool   { return t.ID() == arrow.FLOAT32 || t.ID() == arrow.FLOAT64 }
func isDecimal(t arrow.DataType) bool { return t.ID() == arrow.DECIMAL128 }
func isNumber(t arrow.DataType) bool  { return isInteger(t) || isFloat(t) || isDecimal(t) }

func isTimestamp(t arrow.DataType) bool { return t.ID() == arrow.TIMESTAMP }

func isLTZ(t arrow.DataType) bool {
	ts, ok := t.(*arrow.TimestampType)
	return ok && ts.TimeZone != ""
}

func isDateOrTimestamp(t arrow.DataType) bool { return t.ID() == arrow.DATE32 || isTimestamp(t) }

func isInterval(t arrow.DataType) bool {
	return t.ID() == arrow.DURATION || t.ID() == arrow.INTERVAL_MONTHS
}

// isSpelled reports whether the text of a literal is taken for a value of the type.
func isSpelled(t arrow.DataType) bool {
	return isNumber(t) || isDateOrTimestamp(t) || t.ID() == arrow.TIME32 || t.ID() == arrow.BOOL
}
