package expr

import "math"

func init() {
	registerDouble("SIN", math.Sin, "The sine of an angle in radians.", "SIN(0)", "0.0")
	registerDouble("COS", math.Cos, "The cosine of an angle in radians.", "COS(0)", "1.0")
	registerDouble("TAN", math.Tan, "The tangent of an angle in radians.", "TAN(0)", "0.0")
	registerDouble("COT", func(x float64) float64 { return 1 / math.Tan(x) }, "The cotangent of an angle in radians.", "ROUND(COT(PI() / 4), 9)", "1.0")
	registerDouble("ASIN", math.Asin, "The angle, in radians, whose sine is the number; NaN beyond -1 and 1.", "ASIN(0)", "0.0")
	registerDouble("ACOS", math.Acos, "The angle, in radians, whose cosine is the number; NaN beyond -1 and 1.", "ACOS(1)", "0.0")
	registerDouble("ATAN", math.Atan, "The angle, in radians, whose tangent is the number.", "ATAN(0)", "0.0")
	registerDouble("SINH", math.Sinh, "The hyperbolic sine.", "SINH(0)", "0.0")
	registerDouble("COSH", math.Cosh, "The hyperbolic cosine.", "COSH(0)", "1.0")
	registerDouble("TANH", math.Tanh, "The hyperbolic tangent.", "TANH(0)", "0.0")
	registerDouble("DEGREES", func(x float64) float64 { return x * (180 / math.Pi) }, "An angle in radians as one in degrees.", "DEGREES(PI())", "180.0")
	registerDouble("RADIANS", func(x float64) float64 { return x * (math.Pi / 180) }, "An angle in degrees as one in radians.", "RADIANS(180)", "3.141592653589793")
	Register(Function{
		Name: "ATAN2", Category: categoryArithmetic,
		Doc: "The angle, in radians, of the point whose y comes first and whose x second.", Example: "ATAN2(0, 1)", ExampleResult: "0.0",
		Overloads: []Overload{doubles(math.Atan2, named(doubleParam, "y"), named(doubleParam, "x"))},
	})
	registerConstant("PI", math.Pi, "The number pi.", "PI()", "3.141592653589793")
	registerConstant("E", math.E, "The base of natural logarithms.", "E()", "2.718281828459045")
}

func registerConstant(name string, value float64, doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryArithmetic, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{Returns: returns(Double), Expand: func([]Expr, Settings) (Expr, error) { return NewDouble(value), nil }}},
	})
}

// doubles is a function of two DOUBLEs that gives one.
func doubles(fn func(x, y float64) float64, p, q Param) Overload {
	return Overload{Params: []Param{p, q}, Returns: returns(Double), Compile: only(binaryOp(func(out, x, y []float64) {
		x, y = x[:len(out)], y[:len(out)]
		for i := range out {
			out[i] = fn(x[i], y[i])
		}
	}))}
}
