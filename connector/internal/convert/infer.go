package convert

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

// Type is the type that a table gives a column of a file's type, false if no type of SQL can hold it.
func Type(t arrow.DataType) (arrow.DataType, bool) {
	switch t := t.(type) {
	case arrow.ExtensionType:
		return Type(t.StorageType())
	case *arrow.DictionaryType:
		if !takeable(t.ValueType) {
			return nil, false
		}
		return Type(t.ValueType)
	case *arrow.Decimal128Type:
		return decimalType(t.Precision, t.Scale)
	case *arrow.Decimal256Type:
		return decimalType(t.Precision, t.Scale)
	case *arrow.TimestampType:
		if t.TimeZone != "" {
			return &arrow.TimestampType{Unit: t.Unit, TimeZone: "UTC"}, true
		}
		return &arrow.TimestampType{Unit: t.Unit}, true
	case *arrow.MapType:
		key, keyOK := Type(t.KeyType())
		item, itemOK := Type(t.ItemType())
		if !keyOK || !itemOK {
			return nil, false
		}
		return arrow.MapOf(key, item), true
	case arrow.ListLikeType:
		element, ok := Type(t.Elem())
		if !ok || t.ID() == arrow.LIST_VIEW || t.ID() == arrow.LARGE_LIST_VIEW {
			return nil, false
		}
		return arrow.ListOf(element), true
	case *arrow.StructType:
		return rowType(t)
	}
	own, ok := types[t.ID()]
	return own, ok
}

// types are those without parameters. Unsigned numbers have the next wider signed type.
var types = map[arrow.Type]arrow.DataType{
	arrow.NULL: arrow.BinaryTypes.String, arrow.BOOL: arrow.FixedWidthTypes.Boolean,
	arrow.INT8: arrow.PrimitiveTypes.Int8, arrow.INT16: arrow.PrimitiveTypes.Int16,
	arrow.INT32: arrow.PrimitiveTypes.Int32, arrow.INT64: arrow.PrimitiveTypes.Int64,
	arrow.UINT8: arrow.PrimitiveTypes.Int16, arrow.UINT16: arrow.PrimitiveTypes.Int32,
	arrow.UINT32: arrow.PrimitiveTypes.Int64, arrow.UINT64: &arrow.Decimal128Type{Precision: 20},
	arrow.FLOAT16: arrow.PrimitiveTypes.Float32, arrow.FLOAT32: arrow.PrimitiveTypes.Float32, arrow.FLOAT64: arrow.PrimitiveTypes.Float64,
	arrow.STRING: arrow.BinaryTypes.String, arrow.LARGE_STRING: arrow.BinaryTypes.String, arrow.STRING_VIEW: arrow.BinaryTypes.String,
	arrow.BINARY: arrow.BinaryTypes.Binary, arrow.LARGE_BINARY: arrow.BinaryTypes.Binary, arrow.BINARY_VIEW: arrow.BinaryTypes.Binary,
	arrow.FIXED_SIZE_BINARY: arrow.BinaryTypes.Binary,
	arrow.DATE32:            arrow.PrimitiveTypes.Date32, arrow.DATE64: arrow.PrimitiveTypes.Date32,
	arrow.TIME32: arrow.FixedWidthTypes.Time32ms, arrow.TIME64: arrow.FixedWidthTypes.Time32ms,
}

// decimalType is DECIMAL of the same digits, as far as there are so many.
func decimalType(precision, scale int32) (arrow.DataType, bool) {
	if precision > text.MaxPrecision || scale < 0 || scale > precision {
		return nil, false
	}
	return &arrow.Decimal128Type{Precision: precision, Scale: scale}, true
}

func rowType(t *arrow.StructType) (arrow.DataType, bool) {
	fields := make([]arrow.Field, t.NumFields())
	for i, f := range t.Fields() {
		own, ok := Type(f.Type)
		if !ok {
			return nil, false
		}
		fields[i] = arrow.Field{Name: f.Name, Type: own, Nullable: true}
	}
	return arrow.StructOf(fields...), len(fields) > 0
}
