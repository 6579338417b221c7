package agg

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	Register(Function{
		Name:      "TOPK",
		Signature: "TOPK([DISTINCT] value, k)",
		Doc:       "An ARRAY of the k greatest values that are not NULL, the greatest first; fewer if there are fewer.",
		Example:   "SELECT TOPK(x, 2) FROM (VALUES (3), (9), (7), (NULL)) AS t (x)", ExampleResult: "[9, 7]",
		Resolve: resolveTopK,
	})
}

func resolveTopK(args []arrow.DataType, opt Options) (Call, error) {
	const name = "TOPK"
	if err := argCount(name, 2, args); err != nil {
		return Call{}, err
	}
	if !isInteger(args[1]) {
		return Call{}, wrongArg(name, 1, "an integer", args)
	}
	kept, err := newRecord(args, []int{0}, false)
	if err != nil {
		return Call{}, err
	}
	f := bagFunction{keeping: keep(name, kept, 0, 1), result: arrow.ListOf(args[0])}
	f.parameter, f.parameterType = 1, bigint
	f.check = func(p parameter) error {
		if p.count < 1 {
			return fmt.Errorf("%s takes a number from 1 as its second argument, got %d", name, p.count)
		}
		return nil
	}
	f.limit = func(p parameter) int64 { return p.count }
	f.append = func(a *bagged, b array.Builder, set *bag, p parameter) error {
		values := b.(*array.ListBuilder)
		values.Append(true)
		left := p.count
		for v, n := range set.backward() {
			for ; n > 0 && left > 0; n, left = n-1, left-1 {
				a.record.codecs[0].write(values.ValueBuilder(), a.get(v, nil))
			}
			if left == 0 {
				break
			}
		}
		return nil
	}
	return f.call([]arrow.DataType{args[0], bigint}, opt), nil
}
