package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	Register(Function{
		Name:      "MODE",
		Signature: "MODE(value) | MODE() WITHIN GROUP (ORDER BY value)",
		Doc:       "The most frequent of the values that are not NULL; of several, the least, or the first in the given order.",
		Example:   "SELECT MODE(x) FROM (VALUES (3), (1), (2), (1), (3), (NULL)) AS t (x)", ExampleResult: "1",
		Sortable: true,
		Resolve:  resolveMode,
	})
}

func resolveMode(args []arrow.DataType, opt Options) (Call, error) {
	const name = "MODE"
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	kept, err := newRecord(args, []int{0}, false)
	if err != nil {
		return Call{}, err
	}
	if len(opt.Order) > 0 && opt.Order[0].Descending {
		kept.codecs[0] = descending(kept.codecs[0])
	}
	f := bagFunction{keeping: keep(name, kept, 0), result: args[0]}
	f.append = func(a *bagged, b array.Builder, set *bag, _ parameter) error {
		a.record.codecs[0].write(b, a.get(mostFrequent(set), nil))
		return nil
	}
	return f.call(args, opt), nil
}

// mostFrequent is the first of the most frequent values.
func mostFrequent(set *bag) (value packed) {
	most := int64(0)
	for v, n := range set.all() {
		if n > most {
			value, most = v, n
		}
	}
	return value
}
