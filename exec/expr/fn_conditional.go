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
			Params: []Param{boolParam, anyParam, anyParam}, Nulls: Handled, Returns: returnsArg(1), Convert: commonResults,
			Expand: func(args []Expr, s Settings) (Expr, error) {
				return NewCase(nil, []When{{Cond: args[0], Then: args[1]}}, args[2], s)
			},
		}},
	})
	Register(Function{
		Name: "NVL2", Category: categoryConditional,
		Doc:     "The second argument if the first is not NULL, else the third.",
		Example: "NVL2(NULL, 'some', 'none')", ExampleResult: "none",
		Overloads: []Overload{{
			Params: []Param{anyParam, anyParam, anyParam}, Nulls: HandledOrNull, Returns: returnsExpanded(nvl2), Convert: commonResults, Expand: nvl2,
		}},
	})
	Register(Function{
		Name: "DECODE", Category: categoryConditional,
		Doc:     "The result behind the first of the values that equals the first argument, NULL being equal to NULL; else the last argument if it stands alone, or NULL. With two arguments: the STRING that BYTES are in a character set such as 'UTF-8'.",
		Example: "DECODE(2, 1, 'one', 2, 'two', 'many')", ExampleResult: "two",
		Overloads: []Overload{
			decodeBytes,
			{
				Params: []Param{equatableParam, equatableParam, named(anyParam, "result"), anyParam}, Optional: 1, Variadic: true,
				Nulls: HandledOrNull, Returns: returnsExpanded(decode), Expand: decode, Check: expands(decode),
			},
		},
	})
}

// commonResults brings the arguments behind the first to a common type.
func commonResults(args []arrow.DataType) []arrow.DataType {
	results := commonArgs(args[1:])
	if results == nil {
		return nil
	}
	return append([]arrow.DataType{args[0]}, results...)
}

// expands is a Check that an Expand succeeds.
func expands(expand func([]Expr, Settings) (Expr, error)) func([]Expr) *ArgumentError {
	return func(args []Expr) *ArgumentError {
		_, err := expand(args, Settings{})
		if err == nil {
			return nil
		}
		return &ArgumentError{Arg: -1, Msg: err.Error()}
	}
}

func nvl2(args []Expr, s Settings) (Expr, error) {
	there, err := NewCall("IS NOT NULL", args[:1], s)
	if err != nil {
		return nil, err
	}
	return NewCase(nil, []When{{Cond: there, Then: args[1]}}, args[2], s)
}

func decode(args []Expr, s Settings) (Expr, error) {
	var whens []When
	rest := args[1:]
	for ; len(rest) > 1; rest = rest[2:] {
		equal, err := NewCall("IS NOT DISTINCT FROM", []Expr{args[0], rest[0]}, s)
		if err != nil {
			return nil, err
		}
		whens = append(whens, When{Cond: equal, Then: rest[1]})
	}
	if len(rest) == 1 {
		return NewCase(nil, whens, rest[0], s)
	}
	return NewCase(nil, whens, nil, s)
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
