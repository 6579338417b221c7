package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	Register(Function{
		Name:      "MEDIAN",
		Signature: "MEDIAN([DISTINCT] value)",
		Doc:       "The middle of the values that are not NULL, or what lies between the two in the middle.",
		Example:   "SELECT MEDIAN(x) FROM (VALUES (1), (9), (2), (4), (NULL)) AS t (x)", ExampleResult: "3.0",
		Resolve: resolveMedian,
	})
}

func resolveMedian(args []arrow.DataType, opt Options) (Call, error) {
	const name = "MEDIAN"
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	value, ok := interpolated(args[0])
	if !ok {
		return Call{}, wrongType(name, "a number, a timestamp or an interval", args)
	}
	read := []arrow.DataType{value}
	kept, err := newRecord(read, []int{0}, false)
	if err != nil {
		return Call{}, err
	}
	f := bagFunction{keeping: keep(name, kept, 0), result: value}
	q := quantiles{value: value}
	f.append = func(a *bagged, b array.Builder, set *bag, _ parameter) error {
		q.interpolate(b, set, 0.5)
		return nil
	}
	return f.call(read, opt), nil
}
