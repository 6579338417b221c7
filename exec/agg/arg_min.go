package agg

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	registerArgExtreme(Function{
		Name: "ARG_MIN", Aliases: []string{"MIN_BY"},
		Doc:     "The value where the key is least; of several, the least. Rows in which one of both is NULL do not count.",
		Example: "SELECT ARG_MIN(x, k) FROM (VALUES ('a', 3), ('b', 1), ('c', 2)) AS t (x, k)", ExampleResult: "b",
	}, SortKey{})
	registerArgExtreme(Function{
		Name: "ARG_MAX", Aliases: []string{"MAX_BY"},
		Doc:     "The value where the key is greatest; of several, the least. Rows in which one of both is NULL do not count.",
		Example: "SELECT ARG_MAX(x, k) FROM (VALUES ('a', 3), ('b', 1), ('c', 2)) AS t (x, k)", ExampleResult: "a",
	}, SortKey{Descending: true})
}

func registerArgExtreme(f Function, key SortKey) {
	f.Signature = f.Name + "(value, key)"
	f.Idempotent = true
	f.Resolve = func(args []arrow.DataType, opt Options) (Call, error) {
		if err := argCount(f.Name, 2, args); err != nil {
			return Call{}, err
		}
		kept, err := newRecord(args, []int{0}, false)
		if err != nil {
			return Call{}, err
		}
		if kept, err = kept.sorted(args, []SortKey{key}); err != nil {
			return Call{}, err
		}
		return singleFunction{keeping: keep(f.Name, kept, 0, 1), result: args[0], choice: takeLeast}.call(args, opt), nil
	}
	Register(f)
}
