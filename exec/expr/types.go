package expr

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/suggest"
	"streamsql/internal/text"
)

// The types of SQL as Arrow types, where they have no parameters.
var (
	Boolean   arrow.DataType = arrow.FixedWidthTypes.Boolean
	TinyInt                  = arrow.PrimitiveTypes.Int8
	SmallInt                 = arrow.PrimitiveTypes.Int16
	Int                      = arrow.PrimitiveTypes.Int32
	BigInt                   = arrow.PrimitiveTypes.Int64
	Float                    = arrow.PrimitiveTypes.Float32
	Double                   = arrow.PrimitiveTypes.Float64
	String    arrow.DataType = arrow.BinaryTypes.String
	Bytes     arrow.DataType = arrow.BinaryTypes.Binary
	Date                     = arrow.PrimitiveTypes.Date32
	Time      arrow.DataType = arrow.FixedWidthTypes.Time32ms
	DayTime   arrow.DataType = arrow.FixedWidthTypes.Duration_ms   // INTERVAL DAY TO SECOND, milliseconds
	YearMonth arrow.DataType = arrow.FixedWidthTypes.MonthInterval // INTERVAL YEAR TO MONTH, months
	Unknown   arrow.DataType = arrow.Null                          // of a bare NULL
)

// Timestamp is TIMESTAMP(precision), 0 to 9: a wall clock without zone.
func Timestamp(precision int) arrow.DataType {
	return &arrow.TimestampType{Unit: unitOf(precision)}
}

// TimestampLTZ is TIMESTAMP_LTZ(precision), 0 to 9: an instant.
func TimestampLTZ(precision int) arrow.DataType {
	return &arrow.TimestampType{Unit: unitOf(precision), TimeZone: "UTC"}
}

func unitOf(precision int) arrow.TimeUnit { return arrow.TimeUnit((precision + 2) / 3) }

// Decimal is DECIMAL(precision, scale).
func Decimal(precision, scale int32) arrow.DataType {
	return &arrow.Decimal128Type{Precision: precision, Scale: scale}
}

// maxPrecision is the largest number of digits of a DECIMAL.
const maxPrecision = text.MaxPrecision

// TypeName is the SQL name of a type: INT, DECIMAL(10, 2), TIMESTAMP(3), ARRAY<STRING>.
func TypeName(t arrow.DataType) string { return text.TypeName(t) }

// typeRule makes a type from the numbers in brackets behind its name.
type typeRule struct {
	most int // numbers allowed
	make func(args []int) (arrow.DataType, error)
}

func plain(t arrow.DataType) typeRule {
	return typeRule{0, func([]int) (arrow.DataType, error) { return t, nil }}
}

// sized is a type whose length is accepted and, as Arrow has no place for it, not kept.
func sized(t arrow.DataType) typeRule {
	return typeRule{1, func(args []int) (arrow.DataType, error) {
		if len(args) == 1 && args[0] < 1 {
			return nil, fmt.Errorf("the length of a %s is at least 1, got %d", TypeName(t), args[0])
		}
		return t, nil
	}}
}

func timestampRule(make func(int) arrow.DataType) typeRule {
	return typeRule{1, func(args []int) (arrow.DataType, error) {
		p := 6
		if len(args) == 1 {
			p = args[0]
		}
		if p < 0 || p > 9 {
			return nil, fmt.Errorf("the precision of a timestamp is 0 to 9, got %d", p)
		}
		return make(p), nil
	}}
}

var typeRules = map[string]typeRule{
	"BOOLEAN": plain(Boolean), "TINYINT": plain(TinyInt), "SMALLINT": plain(SmallInt), "INT": plain(Int),
	"INTEGER": plain(Int), "BIGINT": plain(BigInt), "FLOAT": plain(Float), "DOUBLE": plain(Double),
	"DECIMAL": {2, decimalOf}, "NUMERIC": {2, decimalOf}, "DEC": {2, decimalOf},
	"STRING": plain(String), "VARCHAR": sized(String), "CHAR": sized(String),
	"BYTES": plain(Bytes), "VARBINARY": sized(Bytes), "BINARY": sized(Bytes),
	"DATE": plain(Date), "TIME": {1, timeOf},
	"TIMESTAMP": timestampRule(Timestamp), "TIMESTAMP_LTZ": timestampRule(TimestampLTZ),
	"INTERVAL": plain(DayTime), "INTERVAL DAY TO SECOND": plain(DayTime), "INTERVAL YEAR TO MONTH": plain(YearMonth),
}

func decimalOf(args []int) (arrow.DataType, error) {
	p, s := 10, 0
	if len(args) > 0 {
		p = args[0]
	}
	if len(args) > 1 {
		s = args[1]
	}
	if p < 1 || p > maxPrecision {
		return nil, fmt.Errorf("the precision of a DECIMAL is 1 to %d, got %d", maxPrecision, p)
	}
	if s < 0 || s > p {
		return nil, fmt.Errorf("the scale of a DECIMAL(%d, …) is 0 to %d, got %d", p, p, s)
	}
	return Decimal(int32(p), int32(s)), nil
}

func timeOf(args []int) (arrow.DataType, error) {
	if len(args) == 1 && (args[0] < 0 || args[0] > 9) {
		return nil, fmt.Errorf("the precision of a TIME is 0 to 9, got %d", args[0])
	}
	return Time, nil
}

// TypeOf is the type of a SQL name, in upper case, with the numbers in brackets behind it. ARRAY, MAP and ROW are made with
// arrow.ListOf, arrow.MapOf and arrow.StructOf from their parts. An unknown name is an *UnknownNameError.
func TypeOf(name string, args []int) (arrow.DataType, error) {
	rule, ok := typeRules[name]
	if !ok {
		return nil, &UnknownNameError{What: "type", Name: name, Candidates: suggest.Near(name, typeNames())}
	}
	switch {
	case len(args) > rule.most && rule.most == 0:
		return nil, fmt.Errorf("%s takes no numbers in brackets", name)
	case len(args) > rule.most:
		return nil, fmt.Errorf("%s takes at most %d numbers in brackets, got %d", name, rule.most, len(args))
	}
	return rule.make(args)
}

func typeNames() []string {
	var names []string
	for name := range typeRules {
		names = append(names, name)
	}
	return append(names, "ARRAY", "MAP", "ROW")
}
