package expr

func init() {
	registerBetween("BETWEEN", between, "Whether a value lies between two others, bounds included.", "3 BETWEEN 1 AND 3", "TRUE")
	registerBetween("BETWEEN SYMMETRIC", betweenSymmetric, "Whether a value lies between two others, in either order.", "3 BETWEEN SYMMETRIC 5 AND 1", "TRUE")
}

func registerBetween(op string, expand func([]Expr, Settings) (Expr, error), doc, example, result string) {
	Register(Function{
		Name: op, Category: categoryComparison, Doc: doc, Example: example, ExampleResult: result,
		form: betweenForm(op), notForm: betweenForm("NOT " + op),
		Overloads: []Overload{{
			Params: []Param{comparableParam, comparableParam, comparableParam}, Compares: true, Returns: returns(Boolean), Nulls: Handled, Expand: expand,
		}},
	})
}

func betweenForm(op string) form {
	return func(args []Expr) (string, level) {
		x := operands(args, levelAdd)
		return x[0] + " " + op + " " + x[1] + " AND " + x[2], levelCompare
	}
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
