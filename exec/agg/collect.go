package agg

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	registerCounts(Function{
		Name:    "COLLECT",
		Doc:     "A MAP from each of the values that are not NULL to how often it is there, an INT: the multiset of the values.",
		Example: "SELECT COLLECT(x) FROM (VALUES ('b'), ('a'), ('b'), (NULL)) AS t (x)", ExampleResult: "{a=1, b=2}",
	}, arrow.PrimitiveTypes.Int32)
	registerCounts(Function{
		Name:    "HISTOGRAM",
		Doc:     "A MAP from each of the values that are not NULL, in their order, to how often it is there, a BIGINT.",
		Example: "SELECT HISTOGRAM(x) FROM (VALUES (7), (3), (7), (NULL)) AS t (x)", ExampleResult: "{3=1, 7=2}",
	}, bigint)
}

// registerCounts registers a function from values to the map of their counts.
func registerCounts(f Function, counts arrow.DataType) {
	f.Signature = f.Name + "([DISTINCT] value)"
	f.Resolve = func(args []arrow.DataType, opt Options) (Call, error) {
		if err := oneArg(f.Name, args); err != nil {
			return Call{}, err
		}
		kept, err := newRecord(args, []int{0}, false)
		if err != nil {
			return Call{}, err
		}
		function := bagFunction{keeping: keep(f.Name, kept, 0), result: arrow.MapOf(args[0], counts)}
		function.append = appendCounts
		return function.call(args, opt), nil
	}
	Register(f)
}

func appendCounts(a *bagged, b array.Builder, set *bag, _ parameter) error {
	counts := b.(*array.MapBuilder)
	counts.Append(true)
	for v, n := range set.all() {
		if n <= 0 {
			continue
		}
		a.record.codecs[0].write(counts.KeyBuilder(), a.get(v, nil))
		switch items := counts.ItemBuilder().(type) {
		case *array.Int64Builder:
			items.Append(n)
		case *array.Int32Builder:
			if n > math.MaxInt32 {
				return overflowError("a count of "+a.name, arrow.PrimitiveTypes.Int32)
			}
			items.Append(int32(n))
		}
	}
	return nil
}
