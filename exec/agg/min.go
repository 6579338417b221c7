package agg

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	Register(Function{
		Name:      "MIN",
		Signature: "MIN(value)",
		Doc:       "The least value that is not NULL.",
		Example:   "SELECT MIN(x) FROM (VALUES (3), (2), (NULL)) AS t (x)", ExampleResult: "2",
		Idempotent: true,
		Resolve: func(args []arrow.DataType, opt Options) (Call, error) {
			return resolveExtreme("MIN", false, args, opt)
		},
	})
}
