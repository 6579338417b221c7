package expr

import "github.com/apache/arrow/go/v17/arrow"

const categoryComparison = "comparison"

func init() {
	registerComparison("=", equatableParam, "Whether two values are equal.", "1 = 1.0", "TRUE")
	registerComparison("<>", equatableParam, "Whether two values differ.", "'a' <> 'b'", "TRUE", "!=")
	registerComparison("<", comparableParam, "Whether the first value is less than the second.", "DATE '2024-02-29' < DATE '2024-03-01'", "TRUE")
	registerComparison("<=", comparableParam, "Whether the first value is at most the second.", "2 <= 1", "FALSE")
	registerComparison(">", comparableParam, "Whether the first value is greater than the second.", "2 > 1", "TRUE")
	registerComparison(">=", comparableParam, "Whether the first value is at least the second.", "'b' >= 'a'", "TRUE")

	registerDistinct("IS DISTINCT FROM", false, "Whether two values differ, where NULL is a value like any other.", "NULL IS DISTINCT FROM 1", "TRUE")
	registerDistinct("IS NOT DISTINCT FROM", true, "Whether two values are equal, where NULL equals NULL.", "NULL IS NOT DISTINCT FROM NULL", "TRUE")

	registerTest("IS NULL", anyParam, isNullWord, "Whether a value is NULL.", "NULL IS NULL", "TRUE")
	registerTest("IS NOT NULL", anyParam, isNotNullWord, "Whether a value is not NULL.", "NULL IS NOT NULL", "FALSE")
	registerTest("IS TRUE", boolParam, isTrueWord, "Whether a condition is TRUE, not FALSE or NULL.", "(1 > 0) IS TRUE", "TRUE")
	registerTest("IS NOT TRUE", boolParam, isNotTrueWord, "Whether a condition is FALSE or NULL.", "(1 > 0) IS NOT TRUE", "FALSE")
	registerTest("IS FALSE", boolParam, isFalseWord, "Whether a condition is FALSE, not TRUE or NULL.", "(1 > 0) IS FALSE", "FALSE")
	registerTest("IS NOT FALSE", boolParam, isNotFalseWord, "Whether a condition is TRUE or NULL.", "(NULL = 1) IS NOT FALSE", "TRUE")
	registerTest("IS UNKNOWN", boolParam, isNullWord, "Whether a condition is NULL.", "(NULL = 1) IS UNKNOWN", "TRUE")
	registerTest("IS NOT UNKNOWN", boolParam, isNotNullWord, "Whether a condition is TRUE or FALSE.", "(NULL = 1) IS NOT UNKNOWN", "FALSE")

	Register(Function{
		Name: "NOT", Category: "logical", form: notForm,
		Doc:     "The opposite of a condition; NULL stays NULL.",
		Example: "NOT 1 > 2", ExampleResult: "TRUE",
		Overloads: []Overload{{Params: []Param{boolParam}, Returns: returns(Boolean), Compile: only(notKernel)}},
	})
}

// notForm writes NOT in the middle of an operator that has a place for it.
func notForm(args []Expr) (string, level) {
	if c, ok := args[0].(*Call); ok && c.Fn.notForm != nil {
		return c.Fn.notForm(c.Args)
	}
	return prefix("NOT ", levelNot)(args)
}

// only is a Compile for one kernel.
func only(k Kernel) func(*Site) Kernel { return func(*Site) Kernel { return k } }

func registerComparison(op string, p Param, doc, example, result string, aliases ...string) {
	Register(Function{
		Name: op, Aliases: aliases, Category: categoryComparison, form: comparing(op), Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{p, p}, Compares: true, Returns: returns(Boolean), Compile: compareKernel(op),
		}},
	})
}

func registerDistinct(op string, same bool, doc, example, result string) {
	Register(Function{
		Name: op, Category: categoryComparison, form: comparing(op), Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{equatableParam, equatableParam}, Compares: true, Returns: returns(Boolean), Nulls: NeverNull, Compile: distinctKernel(same),
		}},
	})
}

func registerTest(op string, p Param, word func(*Vector, int) uint64, doc, example, result string) {
	Register(Function{
		Name: op, Category: categoryComparison, form: postfix(op, levelCompare), Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{Params: []Param{p}, Returns: returns(Boolean), Nulls: NeverNull, Compile: only(bitsKernel(word))}},
	})
}

// comparableParam is a value of a type that has an order, equatableParam one that can be told apart from others.
var (
	comparableParam = Param{
		Name: "value", What: "a value that has an order", Null: String, Accepts: func(t arrow.DataType) bool { return isComparable(t) },
	}
	equatableParam = Param{
		Name: "value", What: "a value that can be compared", Null: String, Accepts: func(t arrow.DataType) bool { return isEquatable(t) },
	}
)
