package expr

import "github.com/apache/arrow/go/v17/arrow"

// minFraction is the number of fraction digits kept when a result type would need more than maxPrecision digits.
const minFraction = 6

// boundedDecimal is DECIMAL(precision, scale), which gives up digits of fraction, but not below minFraction, when there are
// more than maxPrecision digits.
func boundedDecimal(precision, scale int32) arrow.DataType {
	if precision > maxPrecision {
		scale = max(maxPrecision-(precision-scale), min(scale, minFraction))
		precision = maxPrecision
	}
	return Decimal(precision, scale)
}

// integerDigits is the number of digits an integer type may need.
var integerDigits = map[arrow.Type]int32{arrow.INT8: 3, arrow.INT16: 5, arrow.INT32: 10, arrow.INT64: 19}

// asDecimal is the DECIMAL that holds all values of an exact type.
func asDecimal(t arrow.DataType) *arrow.Decimal128Type {
	if d, ok := t.(*arrow.Decimal128Type); ok {
		return d
	}
	return &arrow.Decimal128Type{Precision: integerDigits[t.ID()]}
}

// arithmeticArgs converts the sides of an arithmetic operator: to one type, but DECIMALs keep theirs.
func arithmeticArgs(args []arrow.DataType) []arrow.DataType {
	t, ok := CommonType(args[0], args[1])
	if !ok {
		return nil
	}
	if isDecimal(t) {
		return []arrow.DataType{asDecimal(args[0]), asDecimal(args[1])}
	}
	return []arrow.DataType{t, t}
}

// arithmeticResult is the type of an operator's result: that of its sides, or decimal of two DECIMALs.
func arithmeticResult(decimal func(a, b *arrow.Decimal128Type) arrow.DataType) func([]Expr) arrow.DataType {
	return func(args []Expr) arrow.DataType {
		a, aOK := args[0].Type().(*arrow.Decimal128Type)
		b, bOK := args[1].Type().(*arrow.Decimal128Type)
		if !aOK || !bOK {
			return args[0].Type()
		}
		return decimal(a, b)
	}
}

func decimalSum(a, b *arrow.Decimal128Type) arrow.DataType {
	scale := max(a.Scale, b.Scale)
	return boundedDecimal(max(a.Precision-a.Scale, b.Precision-b.Scale)+scale+1, scale)
}

func decimalProduct(a, b *arrow.Decimal128Type) arrow.DataType {
	return boundedDecimal(a.Precision+b.Precision, a.Scale+b.Scale)
}

func decimalQuotient(a, b *arrow.Decimal128Type) arrow.DataType {
	scale := max(minFraction, a.Scale+b.Precision+1)
	return boundedDecimal(a.Precision-a.Scale+b.Scale+scale, scale)
}

func decimalRemainder(a, b *arrow.Decimal128Type) arrow.DataType {
	scale := max(a.Scale, b.Scale)
	return boundedDecimal(min(a.Precision-a.Scale, b.Precision-b.Scale)+scale, scale)
}
