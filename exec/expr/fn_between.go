package expr

func init() {
	registerBetween("BETWEEN", between, "Whether a value lies between two others, bounds included.", "3 BETWEEN 1 AND 3", "TRUE")
	registerBetween("NOT BETWEEN", negated(between), "Whether a value lies outside of two others.", "3 NOT BETWEEN 1 AND 2", "TRUE")
	registerBetween("BETWEEN SYMMETRIC", betweenSymmetric, "Whether a value lies between two others, in either order.", "3 BETWEEN SYMMETRIC 5 AND 1", "TRUE")
	registerBetween("NOT BETWEEN SYMMETRIC", negated(betweenSymmetric), "Whether a value lies outside of two others, in either order.", "3 NOT BETWEEN SYMMETRIC 5 AND 1", "FALSE")
}

func registerBetween(op string, expand func([]Expr, Settings) (Expr, error), doc, example, result string) {
	Register(Function{
		Name: op, Category: categoryComparison, Doc: doc, Example: example, ExampleResult: result,
		form: func(args []Expr) (string, level) {
			low, high := operand(args[1], levelAdd), operand(args[2], levelAdd)
			return operand(args[0], levelAdd) + " " + op + " " + low + " AND " + high, levelCompare
		},
		Overloads: []Overload{{
			Params: []Param{comparableParam, comparableParam, comparableParam}, Compares: true, Returns: returns(Boolean), Nulls: Handled, Expand: expand,
		}},
	})
}

func between(args []Expr, s Settings) (Expr, error) {
	above, err := NewCall(">=", args[:2], s)
	if err != nil {
		return nil, err
	}
	below, err := NewCall("<=", []Expr{args[0], args[2]}, s)
	if err != nil {
		return nil, err
	}
	return And(above, below)
}

func betweenSymmetric(args []Expr, s Settings) (Expr, error) {
	up, err := between(args, s)
	if err != nil {
		return nil, err
	}
	down, err := between([]Expr{args[0], args[2], args[1]}, s)
	if err != nil {
		return nil, err
	}
	return Or(up, down)
}

// negated is NOT of an expansion.
func negated(expand func([]Expr, Settings) (Expr, error)) func([]Expr, Settings) (Expr, error) {
	return func(args []Expr, s Settings) (Expr, error) {
		e, err := expand(args, s)
		if err != nil {
			return nil, err
		}
		return Not(e, s)
	}
}
