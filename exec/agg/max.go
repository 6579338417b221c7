package agg

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	Register(Function{
		Name:      "MAX",
		Signature: "MAX(value)",
		Doc:       "The greatest value that is not NULL.",
		Example:   "SELECT MAX(x) FROM (VALUES (3), (2), (NULL)) AS t (x)", ExampleResult: "3",
		Idempotent: true,
		Resolve: func(args []arrow.DataType, opt Options) (Call, error) {
			return resolveExtreme("MAX", true, args, opt)
		},
	})
}
