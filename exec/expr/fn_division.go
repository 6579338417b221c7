package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	Register(Function{
		Name: "DIV", Category: categoryArithmetic, mismatch: cannot("divide"),
		Doc:     "The quotient of two numbers with its fraction cut off.",
		Example: "DIV(7.5, 2)", ExampleResult: "3",
		Overloads: []Overload{
			{Params: []Param{integerParam, integerParam}, Returns: returnsExpanded(wholeQuotient), Fails: Sometimes, Expand: wholeQuotient},
			{Params: []Param{numberParam, numberParam}, Returns: returnsExpanded(cutQuotient), Fails: Sometimes, Expand: cutQuotient},
		},
	})
	Register(Function{
		Name: "TRY_DIVIDE", Category: categoryArithmetic, mismatch: cannot("divide"),
		Doc:     "The quotient of two numbers as / gives it; NULL if the second is 0.",
		Example: "TRY_DIVIDE(1, 0)", ExampleResult: "NULL",
		Overloads: []Overload{{
			Params: []Param{numberParam, numberParam}, Returns: returnsExpanded(tryDivide), Nulls: PropagateOrNull, Fails: Exact, Expand: tryDivide,
		}},
	})
	Register(Function{
		Name: "WIDTH_BUCKET", Category: categoryArithmetic,
		Doc:     "The number, from 1, of the part a number falls into when the range from low to high is cut into so many equal parts; 0 or one more than there are if it falls outside.",
		Example: "WIDTH_BUCKET(35, 0, 100, 10)", ExampleResult: "4",
		Overloads: []Overload{{
			Params:  []Param{doubleParam, named(doubleParam, "low"), named(doubleParam, "high"), named(intParam, "parts")},
			Returns: returns(BigInt), Fails: Sometimes, Compile: only(widthBucketKernel),
		}},
	})
}

// returnsExpanded is the type of what a call expands to.
func returnsExpanded(expand func([]Expr, Settings) (Expr, error)) func([]Expr) arrow.DataType {
	return func(args []Expr) arrow.DataType {
		e, err := expand(args, Settings{})
		if err != nil {
			return Unknown
		}
		return e.Type()
	}
}

func wholeQuotient(args []Expr, s Settings) (Expr, error) { return NewCall("/", args, s) }

func cutQuotient(args []Expr, s Settings) (Expr, error) {
	q, err := wholeQuotient(args, s)
	if err != nil {
		return nil, err
	}
	return NewCall("TRUNCATE", []Expr{q}, s)
}

func tryDivide(args []Expr, s Settings) (Expr, error) {
	zero, err := NewCall("=", []Expr{args[1], NewInt(0)}, s)
	if err != nil {
		return nil, err
	}
	divisor, err := NewCase(nil, []When{{Cond: zero, Then: NewNull(args[1].Type())}}, args[1], s)
	if err != nil {
		return nil, err
	}
	return NewCall("/", []Expr{args[0], divisor}, s)
}

func widthBucketKernel(f *Frame, args []*Vector, out *Vector) error {
	o, parts := values[int64](out), numberArg[int64](args[3])
	x, low, high := numberArg[float64](args[0]), numberArg[float64](args[1]), numberArg[float64](args[2])
	for _, row := range f.Rows() {
		v, ok := widthBucket(x.row(row), low.row(row), high.row(row), parts.row(row))
		if o[row] = v; ok {
			continue
		}
		if err := f.Fail(row, "WIDTH_BUCKET needs numbers, two different bounds and at least one part"); err != nil {
			return err
		}
	}
	return nil
}

// widthBucket counts downwards if low is above high.
func widthBucket(x, low, high float64, parts int64) (int64, bool) {
	if parts < 1 || parts == math.MaxInt64 || low == high || math.IsNaN(x+low+high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return 0, false
	}
	if low > high {
		x, low, high = -x, -low, -high
	}
	switch {
	case x < low:
		return 0, true
	case x >= high:
		return parts + 1, true
	}
	return min(int64((x-low)/(high-low)*float64(parts))+1, parts), true
}
