package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

func init() {
	registerDouble("SQRT", math.Sqrt, "The square root.", "SQRT(16)", "4.0")
	registerDouble("EXP", math.Exp, "e to the power of the number.", "EXP(0)", "1.0")
	registerDouble("LN", math.Log, "The natural logarithm.", "LN(1)", "0.0")
	registerDouble("LOG10", math.Log10, "The logarithm to base 10.", "LOG10(1000)", "3.0")
	registerDouble("LOG2", math.Log2, "The logarithm to base 2.", "LOG2(8)", "3.0")
	registerDouble("CBRT", math.Cbrt, "The cube root.", "CBRT(-27)", "-3.0")
	Register(Function{
		Name: "LOG", Category: categoryArithmetic,
		Doc: "The natural logarithm, or the logarithm to the base given first.", Example: "LOG(2, 8)", ExampleResult: "3.0",
		Overloads: []Overload{
			{Params: []Param{doubleParam}, Returns: returns(Double), Expand: func(args []Expr, s Settings) (Expr, error) { return NewCall("LN", args, s) }},
			doubles(logarithm, named(doubleParam, "base"), doubleParam),
		},
	})
	Register(Function{
		Name: "POWER", Aliases: []string{"POW"}, Category: categoryArithmetic,
		Doc: "The first number to the power of the second.", Example: "POWER(2, 10)", ExampleResult: "1024.0",
		Overloads: []Overload{doubles(math.Pow, doubleParam, named(doubleParam, "exponent"))},
	})
	Register(Function{
		Name: "ABS", Category: categoryArithmetic,
		Doc: "The number without its sign.", Example: "ABS(-5)", ExampleResult: "5",
		Overloads: []Overload{sameType(Exact,
			integerKernels{
				checkedUnary(absIntegers[int8]), checkedUnary(absIntegers[int16]),
				checkedUnary(absIntegers[int32]), checkedUnary(absIntegers[int64]),
			},
			floatKernels{unaryOp(absFloats[float32]), unaryOp(absFloats[float64])},
			decimalUnary(decimal128.Num.Abs))},
	})
	sign := sameType(Never,
		integerKernels{
			unaryOp(signIntegers[int8]), unaryOp(signIntegers[int16]), unaryOp(signIntegers[int32]), unaryOp(signIntegers[int64]),
		},
		floatKernels{unaryOp(signFloats[float32]), unaryOp(signFloats[float64])}, nil)
	numbers := sign.Compile
	sign.Compile = func(s *Site) Kernel {
		if !isDecimal(s.Arg(0)) {
			return numbers(s)
		}
		return decimalUnary(func(n decimal128.Num) decimal128.Num { return decimal128.FromI64(int64(n.Sign())) })
	}
	sign.Returns = func(args []Expr) arrow.DataType {
		if isDecimal(args[0].Type()) {
			return Decimal(1, 0)
		}
		return args[0].Type()
	}
	Register(Function{
		Name: "SIGN", Category: categoryArithmetic,
		Doc: "1, 0 or -1 by the sign of the number.", Example: "SIGN(-7)", ExampleResult: "-1",
		Overloads: []Overload{sign},
	})
}

// registerDouble adds a function from DOUBLE to DOUBLE.
func registerDouble(name string, fn func(float64) float64, doc, example, result string) {
	kernel := unaryOp(func(out, x []float64) {
		x = x[:len(out)]
		for i := range out {
			out[i] = fn(x[i])
		}
	})
	Register(Function{
		Name: name, Category: categoryArithmetic, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{Params: []Param{doubleParam}, Returns: returns(Double), Compile: only(kernel)}},
	})
}

// logarithm is exact for powers of the usual bases.
func logarithm(base, x float64) float64 {
	switch base {
	case 2:
		return math.Log2(x)
	case 10:
		return math.Log10(x)
	}
	return math.Log(x) / math.Log(base)
}

// sameType is a function of a number that gives one of the same type.
func sameType(fails FailRule, ints integerKernels, floats floatKernels, decimal Kernel) Overload {
	return Overload{
		Params: []Param{numberParam}, Returns: returnsArg(0), Fails: fails, Compile: numeric(ints, floats, only(decimal)),
	}
}

// absIntegers reports whether a value has no counterpart.
func absIntegers[T integer](out, x []T) bool {
	x = x[:len(out)]
	var low T
	for i := range out {
		out[i] = max(x[i], -x[i])
		low |= out[i]
	}
	return low < 0
}

func absFloats[T float](out, x []T) {
	x = x[:len(out)]
	for i := range out {
		out[i] = T(math.Abs(float64(x[i])))
	}
}

func signIntegers[T integer](out, x []T) {
	x = x[:len(out)]
	for i := range out {
		out[i] = min(max(x[i], -1), 1)
	}
}

// signFloats keeps NaN.
func signFloats[T float](out, x []T) {
	x = x[:len(out)]
	for i := range out {
		switch {
		case x[i] > 0:
			out[i] = 1
		case x[i] < 0:
			out[i] = -1
		default:
			out[i] = x[i]
		}
	}
}
