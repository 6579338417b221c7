package expr

import "github.com/apache/arrow/go/v17/arrow"

const categoryConditional = "conditional"

func init() {
	Register(Function{
		Name: "COALESCE", Category: categoryConditional,
		Doc:     "The first of its arguments that is not NULL.",
		Example: "COALESCE(NULL, 5, 7)", ExampleResult: "5",
		Overloads: []Overload{{
			Params: []Param{anyParam}, Variadic: true, Convert: commonArgs, Returns: returnsArg(0), Nulls: HandledAll, Expand: coalesce,
		}},
	})
	Register(Function{
		Name: "IFNULL", Aliases: []string{"NVL"}, Category: categoryConditional,
		Doc:     "The first argument, or the second if that is NULL.",
		Example: "IFNULL(NULL, 'none')", ExampleResult: "none",
		Overloads: []Overload{{
			Params: []Param{anyParam, anyParam}, Convert: commonArgs, Returns: returnsArg(0), Nulls: HandledAll, Expand: coalesce,
		}},
	})
	Register(Function{
		Name: "NULLIF", Category: categoryConditional,
		Doc:     "NULL if its arguments are equal, else the first.",
		Example: "NULLIF(5, 0)", ExampleResult: "5",
		Overloads: []Overload{{
			Params: []Param{equatableParam, equatableParam}, Compares: true, Returns: returnsArg(0), Nulls: HandledOrNull, Expand: nullIf,
		}},
	})
	Register(Function{
		Name: "IF", Category: categoryConditional,
		Doc:     "The second argument if the condition is TRUE, else the third.",
		Example: "IF(1 > 2, 'yes', 'no')", ExampleResult: "no",
		Overloads: []Overload{{
			Params: []Param{boolParam, anyParam, anyParam}, Nulls: Handled, Returns: returnsArg(1),
			Convert: func(args []arrow.DataType) []arrow.DataType {
				results := commonArgs(args[1:])
				if results == nil {
					return nil
				}
				return []arrow.DataType{args[0], results[0], results[1]}
			},
			Expand: func(args []Expr, s Settings) (Expr, error) {
				return NewCase(nil, []When{{Cond: args[0], Then: args[1]}}, args[2], s)
			},
		}},
	})
}

func coalesce(args []Expr, s Settings) (Expr, error) {
	last := len(args) - 1
	var whens []When
	for _, a := range args[:last] {
		there, err := NewCall("IS NOT NULL", []Expr{a}, s)
		if err != nil {
			return nil, err
		}
		whens = append(whens, When{Cond: there, Then: a})
	}
	return NewCase(nil, whens, args[last], s)
}

func nullIf(args []Expr, s Settings) (Expr, error) {
	equal, err := NewCall("=", args, s)
	if err != nil {
		return nil, err
	}
	return NewCase(nil, []When{{Cond: equal, Then: NewNull(args[0].Type())}}, args[0], s)
}
