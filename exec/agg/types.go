package agg

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// typeName is a type as SQL writes it.
func typeName(dt arrow.DataType) string {
	switch dt := dt.(type) {
	case *arrow.NullType:
		return "NULL"
	case *arrow.Int8Type:
		return "TINYINT"
	case *arrow.Int16Type:
		return "SMALLINT"
	case *arrow.Int32Type:
		return "INT"
	case *arrow.Int64Type:
		return "BIGINT"
	case *arrow.Float32Type:
		return "FLOAT"
	case *arrow.Float64Type:
		return "DOUBLE"
	case *arrow.StringType:
		return "STRING"
	case *arrow.BinaryType:
		return "BYTES"
	case *arrow.BooleanType:
		return "BOOLEAN"
	case *arrow.Date32Type:
		return "DATE"
	case *arrow.Decimal128Type:
		return fmt.Sprintf("DECIMAL(%d,%d)", dt.Precision, dt.Scale)
	}
	return strings.ToUpper(dt.Name())
}

// oneArg checks the number of arguments of a function that takes one.
func oneArg(name string, args []arrow.DataType) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one argument, got %d", name, len(args))
	}
	return nil
}

// argCount checks the number of arguments of a function that takes n.
func argCount(name string, n int, args []arrow.DataType) error {
	switch {
	case len(args) == n:
		return nil
	case n == 1:
		return oneArg(name, args)
	}
	return fmt.Errorf("%s takes %s arguments, got %d", name, counts[n], len(args))
}

var counts = [...]string{2: "two", 3: "three"}

// wrongArg is the error of an argument, one of several, that is not what a function takes there.
func wrongArg(name string, arg int, takes string, args []arrow.DataType) error {
	msg := fmt.Sprintf("%s takes %s as its %s argument, got %s", name, takes, ordinals[arg], typeName(args[arg]))
	return &ArgumentError{Arg: arg, Msg: msg}
}

var ordinals = [...]string{"first", "second", "third"}

// wrongType is the error of an argument that is not what a function takes.
func wrongType(name, takes string, args []arrow.DataType) error {
	return &ArgumentError{Msg: fmt.Sprintf("%s takes %s, got %s", name, takes, typeName(args[0]))}
}

func isInteger(dt arrow.DataType) bool {
	switch dt.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32:
		return true
	}
	return false
}

func isFloat(dt arrow.DataType) bool { return dt.ID() == arrow.FLOAT32 || dt.ID() == arrow.FLOAT64 }

var (
	boolean = arrow.FixedWidthTypes.Boolean
	bigint  = arrow.PrimitiveTypes.Int64
	double  = arrow.PrimitiveTypes.Float64
	decimal = func(scale int32) *arrow.Decimal128Type { return &arrow.Decimal128Type{Precision: 38, Scale: scale} }
)
