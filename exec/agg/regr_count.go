package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

func init() {
	Register(Function{
		Name:      "REGR_COUNT",
		Signature: "REGR_COUNT([DISTINCT] y, x)",
		Doc:       "The number of pairs in which no number is NULL.",
		Example:   "SELECT REGR_COUNT(y, x) FROM (VALUES (3, 1), (9, 4), (NULL, 5)) AS t (y, x)", ExampleResult: "2",
		Resolve: func(args []arrow.DataType, _ Options) (Call, error) {
			if _, err := numbers("REGR_COUNT", 2, args); err != nil {
				return Call{}, err
			}
			return Call{
				Args: args, Result: bigint, StateTypes: []arrow.DataType{bigint}, Mergeable: true,
				New: func(mem memory.Allocator) Accumulator { return &count{mem: mem} },
			}, nil
		},
	})
}
