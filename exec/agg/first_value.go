package agg

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	registerEnd(Function{
		Name:    "FIRST_VALUE",
		Doc:     "The first of the values in the given order or else in that of their arrival; one that is NULL only if RESPECT NULLS is said.",
		Example: "SELECT FIRST_VALUE(x ORDER BY x DESC) FROM (VALUES (1), (NULL), (3), (2)) AS t (x)", ExampleResult: "3",
	}, takeFirst)
	registerEnd(Function{
		Name:    "LAST_VALUE",
		Doc:     "The last of the values in the given order or else in that of their arrival; one that is NULL only if RESPECT NULLS is said.",
		Example: "SELECT LAST_VALUE(x ORDER BY x DESC) FROM (VALUES (1), (NULL), (3), (2)) AS t (x)", ExampleResult: "1",
	}, takeLast)
}

func registerEnd(f Function, c choice) {
	f.Signature = f.Name + "(value [ORDER BY key, …]) [RESPECT NULLS | IGNORE NULLS]"
	f.Idempotent, f.Sortable, f.TreatsNulls = true, true, true
	f.Resolve = func(args []arrow.DataType, opt Options) (Call, error) {
		if err := oneArg(f.Name, args[:len(args)-len(opt.Order)]); err != nil {
			return Call{}, err
		}
		respect := opt.Nulls == RespectNulls
		kept, err := newRecord(args, []int{0}, respect)
		if err != nil {
			return Call{}, err
		}
		s := singleFunction{keeping: keep(f.Name, kept), result: args[0], choice: c}
		if !respect {
			s.required = []int{0}
		}
		if len(opt.Order) > 0 {
			if s.record, err = kept.sorted(args, reversed(opt.Order, c == takeLast)); err != nil {
				return Call{}, err
			}
			s.choice = takeLeast
		}
		return s.call(args, opt), nil
	}
	Register(f)
}

// reversed is an order or, if so, its opposite.
func reversed(order []SortKey, opposite bool) []SortKey {
	order = slices.Clone(order)
	for i := range order {
		order[i].Descending = order[i].Descending != opposite
		order[i].NullsFirst = order[i].NullsFirst != opposite
	}
	return order
}
