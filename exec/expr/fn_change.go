package expr

const categoryChange = "change"

// The functions of change look at the row before, which an operator has to keep; they are bound here only.
func init() {
	Register(Function{
		Name: "CHANGED", Category: categoryChange, Stateful: true,
		Doc:     "The value if it differs from that of the row before, else NULL.",
		Example: "CHANGED(1)", ExampleResult: "1",
		Overloads: []Overload{{Params: []Param{equatableParam}, Returns: returnsArg(0), Nulls: HandledOrNull}},
	})
	Register(Function{
		Name: "HAD_CHANGED", Category: categoryChange, Stateful: true,
		Doc:     "Whether one of the values differs from that of the row before; TRUE for the first row.",
		Example: "HAD_CHANGED(1, 'a')", ExampleResult: "TRUE",
		Overloads: []Overload{{Params: []Param{equatableParam}, Variadic: true, Returns: returns(Boolean), Nulls: NeverNull}},
	})
}
