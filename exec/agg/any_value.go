package agg

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	Register(Function{
		Name:      "ANY_VALUE",
		Signature: "ANY_VALUE(value)",
		Doc:       "One of the values that are not NULL: the least, so that it is always the same.",
		Example:   "SELECT ANY_VALUE(x) FROM (VALUES (NULL), (3), (2)) AS t (x)", ExampleResult: "2",
		Idempotent: true,
		Resolve:    resolveAnyValue,
	})
}

// resolveAnyValue does as MIN, for values of types without an order too.
func resolveAnyValue(args []arrow.DataType, opt Options) (Call, error) {
	const name = "ANY_VALUE"
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	if !arrow.IsNested(args[0].ID()) {
		if call, err := resolveExtreme(name, false, args, opt); err == nil {
			return call, nil
		}
	}
	kept, err := newRecord(args, []int{0}, false)
	if err != nil {
		return Call{}, err
	}
	return singleFunction{keeping: keep(name, kept, 0), result: args[0], choice: takeLeast}.call(args, opt), nil
}
