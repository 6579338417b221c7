package agg

import (
	"math/big"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func init() {
	Register(Function{
		Name:      "AVG",
		Signature: "AVG([DISTINCT] number)",
		Doc:       "The mean of the values that are not NULL: DECIMAL for decimals, else DOUBLE.",
		Example:   "SELECT AVG(x) FROM (VALUES (1), (2), (NULL)) AS t (x)", ExampleResult: "1.5",
		Resolve: resolveAvg,
	})
}

// avgScale is the least scale of the mean of decimals.
const avgScale = 6

func resolveAvg(args []arrow.DataType, _ Options) (Call, error) {
	const name = "AVG"
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	call := Call{Args: args, Nullable: true, Mergeable: true, Result: double}
	switch dt := args[0]; {
	case isInteger(dt):
		call.StateTypes = []arrow.DataType{bigint, bigint}
		call.New = func(mem memory.Allocator) Accumulator { return &integerAvg{newIntegers(name, dt, mem)} }
	case isFloat(dt):
		call.StateTypes = []arrow.DataType{double, bigint}
		call.New = func(mem memory.Allocator) Accumulator { return &doubleAvg{newDoubles(dt, mem)} }
	case dt.ID() == arrow.DECIMAL128:
		scale := dt.(*arrow.Decimal128Type).Scale
		sum, mean := decimal(scale), decimal(max(scale, avgScale))
		call.Result, call.StateTypes = mean, []arrow.DataType{sum, bigint}
		call.New = func(mem memory.Allocator) Accumulator {
			return &decimalAvg{decimals{name: name, dt: sum, mem: mem}, mean}
		}
	default:
		return Call{}, wrongType(name, "a number", args)
	}
	return call, nil
}

type integerAvg struct{ integers }

func (a *integerAvg) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return means[int64](a.mem, rows, groups), nil
}

type doubleAvg struct{ doubles }

func (a *doubleAvg) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return means[float64](a.mem, rows, groups), nil
}

func means[T int64 | float64](mem memory.Allocator, rows state.Rows, groups []uint32) arrow.Array {
	buf, values := vec.NewFixed[float64](mem, len(groups))
	for i, g := range groups {
		t := state.At[total[T]](rows, g)
		values[i] = float64(t.sum) / float64(t.n)
	}
	valid, nulls := positive(mem, rows.Field(countAt), groups)
	return vec.MakeArray(double, len(groups), nulls, valid, buf)
}

type decimalAvg struct {
	decimals
	mean *arrow.Decimal128Type
}

func (a *decimalAvg) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	factor := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(a.mean.Scale-a.dt.Scale)), nil)
	buf, values := vec.NewFixed[decimal128.Num](a.mem, len(groups))
	for i, g := range groups {
		t := state.At[decimalTotal](rows, g)
		if t.n <= 0 {
			values[i] = decimal128.Num{}
			continue
		}
		mean := roundedQuotient(decimal128.New(t.hi, t.lo).BigInt(), factor, t.n)
		if mean.BitLen() > 127 || !decimal128.FromBigInt(mean).FitsInPrecision(a.mean.Precision) {
			buf.Release()
			return nil, overflowError(a.name, a.mean)
		}
		values[i] = decimal128.FromBigInt(mean)
	}
	valid, nulls := positive(a.mem, rows.Field(decimalCountAt), groups)
	return vec.MakeArray(a.mean, len(groups), nulls, valid, buf), nil
}

// roundedQuotient is sum * factor / n, rounded half away from zero. It overwrites sum.
func roundedQuotient(sum, factor *big.Int, n int64) *big.Int {
	divisor := big.NewInt(n)
	negative := sum.Sign() < 0
	sum.Abs(sum).Mul(sum, factor)
	sum.Add(sum, new(big.Int).Rsh(divisor, 1))
	sum.Quo(sum, divisor)
	if negative {
		sum.Neg(sum)
	}
	return sum
}
