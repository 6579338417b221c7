package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

func init() {
	Register(Function{
		Name:      "SUM",
		Signature: "SUM([DISTINCT] number)",
		Doc:       "The sum of the values that are not NULL: BIGINT for integers, DECIMAL of the same scale for decimals, else DOUBLE.",
		Example:   "SELECT SUM(x) FROM (VALUES (1), (2), (NULL)) AS t (x)", ExampleResult: "3",
		Resolve: resolveSum,
	})
}

func resolveSum(args []arrow.DataType, _ Options) (Call, error) {
	const name = "SUM"
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	call := Call{Args: args, Nullable: true, Mergeable: true}
	switch dt := args[0]; {
	case isInteger(dt):
		call.Result = bigint
		call.New = func(mem memory.Allocator) Accumulator { return &integerSum{newIntegers(name, dt, mem)} }
	case isFloat(dt):
		call.Result = double
		call.New = func(mem memory.Allocator) Accumulator { return &doubleSum{newDoubles(dt, mem)} }
	case dt.ID() == arrow.DECIMAL128:
		sum := decimal(dt.(*arrow.Decimal128Type).Scale)
		call.Result = sum
		call.New = func(mem memory.Allocator) Accumulator { return &decimalSum{decimals{name: name, dt: sum, mem: mem}} }
	default:
		return Call{}, wrongType(name, "a number", args)
	}
	call.StateTypes = []arrow.DataType{call.Result, bigint}
	return call, nil
}

type integerSum struct{ integers }

func (a *integerSum) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return nullable[int64](a.mem, bigint, rows, rows.Field(countAt), groups), nil
}

type doubleSum struct{ doubles }

func (a *doubleSum) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return nullable[float64](a.mem, double, rows, rows.Field(countAt), groups), nil
}

type decimalSum struct{ decimals }

func (a *decimalSum) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	for _, g := range groups {
		if !state.At[decimal128.Num](rows, g).FitsInPrecision(a.dt.Precision) {
			return nil, overflowError(a.name, a.dt)
		}
	}
	return nullable[decimal128.Num](a.mem, a.dt, rows, rows.Field(decimalCountAt), groups), nil
}
