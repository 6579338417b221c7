package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

const categoryArithmetic = "arithmetic"

// The kernels of the operators on two numbers.
var (
	addNumbers = numeric(
		integerKernels{
			checked(addIntegers[int8], overflows), checked(addIntegers[int16], overflows),
			checked(addIntegers[int32], overflows), checked(addIntegers[int64], overflows),
		},
		floatKernels{binaryOp(addFloats[float32]), binaryOp(addFloats[float64])},
		decimalBinary(addDecimals))
	subtractNumbers = numeric(
		integerKernels{
			checked(subtractIntegers[int8], overflows), checked(subtractIntegers[int16], overflows),
			checked(subtractIntegers[int32], overflows), checked(subtractIntegers[int64], overflows),
		},
		floatKernels{binaryOp(subtractFloats[float32]), binaryOp(subtractFloats[float64])},
		decimalBinary(subtractDecimals))
	multiplyNumbers = numeric(
		integerKernels{
			checked(multiplyIntegers[int8], overflows), checked(multiplyIntegers[int16], overflows),
			checked(multiplyIntegers[int32], overflows), checked(multiplyBigInts, overflows),
		},
		floatKernels{binaryOp(multiplyFloats[float32]), binaryOp(multiplyFloats[float64])},
		decimalBinary(multiplyDecimals))
	divideNumbers = numeric(
		integerKernels{
			checked(divideIntegers[int8], cannotDivide), checked(divideIntegers[int16], cannotDivide),
			checked(divideIntegers[int32], cannotDivide), checked(divideIntegers[int64], cannotDivide),
		},
		floatKernels{binaryOp(divideFloats[float32]), binaryOp(divideFloats[float64])},
		decimalDividing(divideDecimals))
	remainderNumbers = numeric(
		integerKernels{
			checked(remainderIntegers[int8], cannotDivide), checked(remainderIntegers[int16], cannotDivide),
			checked(remainderIntegers[int32], cannotDivide), checked(remainderIntegers[int64], cannotDivide),
		},
		floatKernels{binaryOp(remainderFloats[float32]), binaryOp(remainderFloats[float64])},
		decimalDividing(remainderDecimals))
)

func init() {
	Register(Function{
		Name: "+", Category: categoryArithmetic, form: signOr(infix("+", levelAdd), prefix("+", levelUnary)), mismatch: cannot("add"),
		Doc:     "The sum of two numbers or intervals, or a time moved by an interval.",
		Example: "1 + 2", ExampleResult: "3",
		Overloads: append([]Overload{
			arithmetic(decimalSum, addNumbers),
			itself(numberParam),
		}, temporalSums...),
	})
	Register(Function{
		Name: "-", Category: categoryArithmetic, form: signOr(infix("-", levelAdd), prefix("-", levelUnary)), mismatch: cannot("subtract"),
		Doc:     "The difference of two numbers, intervals or times, a time moved back by an interval, or the negative of a number.",
		Example: "5 - 7", ExampleResult: "-2",
		Overloads: append([]Overload{
			arithmetic(decimalSum, subtractNumbers),
			negation(numberParam),
			negation(dayTimeParam),
			negation(monthsParam),
		}, temporalDifferences...),
	})
	Register(Function{
		Name: "*", Category: categoryArithmetic, form: infix("*", levelMultiply), mismatch: cannot("multiply"),
		Doc:     "The product of two numbers, or of an interval and an integer.",
		Example: "6 * 7", ExampleResult: "42",
		Overloads: append([]Overload{
			arithmetic(decimalProduct, multiplyNumbers),
		}, intervalProducts...),
	})
	Register(Function{
		Name: "/", Category: categoryArithmetic, form: infix("/", levelMultiply), mismatch: cannot("divide"),
		Doc:     "The quotient of two numbers; that of integers has its fraction cut off.",
		Example: "7 / 2", ExampleResult: "3",
		Overloads: append([]Overload{
			arithmetic(decimalQuotient, divideNumbers),
		}, intervalQuotients...),
	})
	remainder := []Overload{arithmetic(decimalRemainder, remainderNumbers)}
	Register(Function{
		Name: "%", Category: categoryArithmetic, form: infix("%", levelMultiply), mismatch: cannot("divide"),
		Doc:     "The remainder of a division, with the sign of the dividend.",
		Example: "-7 % 3", ExampleResult: "-1", Overloads: remainder,
	})
	Register(Function{
		Name: "MOD", Category: categoryArithmetic, mismatch: cannot("divide"),
		Doc:     "The remainder of a division, with the sign of the dividend.",
		Example: "MOD(29, 9)", ExampleResult: "2", Overloads: remainder,
	})
}

// arithmetic is an operator on two numbers.
func arithmetic(decimal func(a, b *arrow.Decimal128Type) arrow.DataType, compile func(*Site) Kernel) Overload {
	return Overload{
		Params: []Param{numberParam, numberParam}, Convert: arithmeticArgs, Returns: arithmeticResult(decimal),
		Fails: Exact, Compile: compile,
	}
}

// itself is a function that changes nothing.
func itself(p Param) Overload {
	return Overload{Params: []Param{p}, Returns: returnsArg(0), Nulls: Handled, Expand: func(args []Expr, _ Settings) (Expr, error) {
		return args[0], nil
	}}
}

// negation is the sign minus.
func negation(p Param) Overload {
	decimal := func(*Site) Kernel { return decimalUnary(decimal128.Num.Negate) }
	compile := numeric(
		integerKernels{
			checkedUnary(negateIntegers[int8]), checkedUnary(negateIntegers[int16]),
			checkedUnary(negateIntegers[int32]), checkedUnary(negateIntegers[int64]),
		},
		floatKernels{unaryOp(negateFloats[float32]), unaryOp(negateFloats[float64])}, decimal)
	return Overload{Params: []Param{p}, Returns: returnsArg(0), Fails: Exact, Compile: func(s *Site) Kernel {
		switch s.Arg(0).ID() {
		case arrow.DURATION:
			return checkedUnary(negateIntegers[int64])
		case arrow.INTERVAL_MONTHS:
			return checkedUnary(negateIntegers[int32])
		}
		return compile(s)
	}}
}

// checkedUnary is checked for a loop over one argument.
func checkedUnary[T integer](loop func(out, x []T) bool) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[T](out), values[T](args[0])
		if !loop(o, x) {
			return nil
		}
		return f.findFailures(func(lo, hi int) bool { return loop(o[lo:hi], x[lo:hi]) }, func(int) string { return overflowOf[T]() })
	}
}

// signOr writes a call with two arguments in one form and with one in another.
func signOr(two, one form) form {
	return func(args []Expr) (string, level) {
		if len(args) == 2 {
			return two(args)
		}
		return one(args)
	}
}

// cannot words the mismatch of an operator: "cannot add STRING and INT".
func cannot(verb string) func([]Expr) string {
	return func(args []Expr) string {
		if len(args) == 1 {
			return "cannot " + verb + " " + describe(args[0])
		}
		return "cannot " + verb + " " + describe(args[0]) + " and " + describe(args[1])
	}
}
