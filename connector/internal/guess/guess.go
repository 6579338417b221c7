// Package guess finds out what type the values of a column have by looking at some of them.
package guess

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

// The types that are guessed. Null is that of a column without values yet.
var (
	null      arrow.DataType = arrow.Null
	boolean   arrow.DataType = arrow.FixedWidthTypes.Boolean
	bigint    arrow.DataType = arrow.PrimitiveTypes.Int64
	double    arrow.DataType = arrow.PrimitiveTypes.Float64
	date      arrow.DataType = arrow.FixedWidthTypes.Date32
	timestamp arrow.DataType = &arrow.TimestampType{Unit: arrow.Millisecond}
	varchar   arrow.DataType = arrow.BinaryTypes.String
)

// Number is the type of a number as it is written: BIGINT if it is whole and not too large, else DOUBLE.
func Number(b []byte) arrow.DataType {
	if _, err := text.ParseInt64(b); err == nil {
		return bigint
	}
	if _, err := text.ParseFloat64(b); err == nil {
		return double
	}
	return varchar
}

// Time is the type of a text: DATE, TIMESTAMP(3), or else STRING.
func Time(b []byte) arrow.DataType {
	if len(b) < len("2006-01-02") || b[0] < '0' || b[0] > '9' {
		return varchar
	}
	if _, err := text.ParseDate(b); err == nil {
		return date
	}
	if _, err := text.ParseTimestamp(b, arrow.Millisecond); err == nil {
		return timestamp
	}
	return varchar
}

// Text is the type of a field that has no quotes of its own kind, as in CSV.
func Text(b []byte) arrow.DataType {
	if s := string(b); s == "true" || s == "false" {
		return boolean
	}
	if len(b) > 0 && (b[0] >= '0' && b[0] <= '9' || b[0] == '-') {
		if t := Number(b); t != varchar {
			return t
		}
	}
	return Time(b)
}

// Null is the type of a column that has had no value yet.
func Null() arrow.DataType { return null }

// Merge is the type of a column that has values of both types.
func Merge(a, b arrow.DataType) arrow.DataType {
	switch {
	case arrow.TypeEqual(a, b), b == null:
		return a
	case a == null:
		return b
	case isNumber(a) && isNumber(b):
		return double
	}
	return mergeNested(a, b)
}

func isNumber(t arrow.DataType) bool { return t == bigint || t == double }

// mergeNested merges arrays by their elements, rows by their fields; anything else is text.
func mergeNested(a, b arrow.DataType) arrow.DataType {
	switch a := a.(type) {
	case *arrow.ListType:
		if b, ok := b.(*arrow.ListType); ok {
			return arrow.ListOf(Merge(a.Elem(), b.Elem()))
		}
	case *arrow.StructType:
		if b, ok := b.(*arrow.StructType); ok {
			return arrow.StructOf(MergeFields(a.Fields(), b.Fields())...)
		}
	}
	return varchar
}

// MergeFields merges fields of equal names; those that only one side has come in the order they are met.
func MergeFields(a, b []arrow.Field) []arrow.Field {
	merged := append([]arrow.Field{}, a...)
	for _, f := range b {
		at := -1
		for i, g := range merged {
			if g.Name == f.Name {
				at = i
			}
		}
		if at < 0 {
			merged = append(merged, f)
			continue
		}
		merged[at].Type = Merge(merged[at].Type, f.Type)
	}
	return merged
}

// Settle is the type of a column when all is known: STRING where there was no value, or none but rows without fields.
func Settle(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.NullType:
		return varchar
	case *arrow.ListType:
		return arrow.ListOf(Settle(t.Elem()))
	case *arrow.StructType:
		if t.NumFields() == 0 {
			return varchar
		}
		return arrow.StructOf(SettleFields(t.Fields())...)
	}
	return t
}

// SettleFields settles the types of fields.
func SettleFields(fields []arrow.Field) []arrow.Field {
	settled := make([]arrow.Field, len(fields))
	for i, f := range fields {
		settled[i] = arrow.Field{Name: f.Name, Type: Settle(f.Type), Nullable: true}
	}
	return settled
}
