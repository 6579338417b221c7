package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

func init() {
	Register(Function{
		Name:      "ARRAY_AGG",
		Signature: "ARRAY_AGG([DISTINCT] value [ORDER BY key, …]) [RESPECT NULLS | IGNORE NULLS]",
		Doc: "An ARRAY of the values, those that are NULL too unless IGNORE NULLS is said, in the given order or else in that of their " +
			"arrival.",
		Example: "SELECT ARRAY_AGG(x ORDER BY x DESC) FROM (VALUES (1), (3), (2)) AS t (x)", ExampleResult: "[3, 2, 1]",
		Sortable:    true,
		TreatsNulls: true,
		Resolve:     resolveArrayAgg,
	})
}

func resolveArrayAgg(args []arrow.DataType, opt Options) (Call, error) {
	const name = "ARRAY_AGG"
	if err := oneArg(name, args[:len(args)-len(opt.Order)]); err != nil {
		return Call{}, err
	}
	ignore := opt.Nulls == IgnoreNulls
	kept, err := newRecord(args, []int{0}, !ignore)
	if err != nil {
		return Call{}, err
	}
	f := gatherFunction{keeping: keep(name, kept), result: arrow.ListOf(args[0])}
	if ignore {
		f.required = []int{0}
	}
	value := kept.codecs[0]
	f.build = func(mem memory.Allocator, lists []gathered) (arrow.Array, error) {
		b := array.NewListBuilder(mem, args[0])
		defer b.Release()
		for _, l := range lists {
			if l.n == 0 {
				b.AppendNull()
				continue
			}
			b.Append(true)
			for v := range l.values {
				value.write(b.ValueBuilder(), v)
			}
		}
		return b.NewArray(), nil
	}
	return f.call(args, opt)
}
