package agg

import (
	"fmt"
	"math"

	"github.com/DataDog/sketches-go/ddsketch/mapping"
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	const kept = "Values that differ by less than 2 % may be kept as one, so that the state stays small."
	Register(Function{
		Name: "APPROX_PERCENTILE", Aliases: []string{"PERCENTILE_APPROX", "APPROX_QUANTILE"},
		Signature: "APPROX_PERCENTILE([DISTINCT] number, fraction)",
		Doc: "About what PERCENTILE gives, off by 1 % of it at most if the numbers are of one sign; an ARRAY for an ARRAY of fractions. " +
			kept,
		Example:       "SELECT ROUND(APPROX_PERCENTILE(x, 0.25), 1) FROM (VALUES (10), (20), (30), (40), (50)) AS t (x)",
		ExampleResult: "19.9",
		Resolve:       resolveApproxPercentile,
	})
	Register(Function{
		Name:      "APPROX_QUANTILES",
		Signature: "APPROX_QUANTILES([DISTINCT] number, n)",
		Doc: "An ARRAY of n + 1 numbers, about the least and the ones that part the numbers that are not NULL into n equal parts, up to the " +
			"greatest. " + kept,
		Example:       "SELECT CARDINALITY(APPROX_QUANTILES(x, 4)) FROM (VALUES (10), (20), (30), (40), (50)) AS t (x)",
		ExampleResult: "5",
		Resolve:       resolveApproxQuantiles,
	})
}

func resolveApproxPercentile(args []arrow.DataType, opt Options) (Call, error) {
	const name = "APPROX_PERCENTILE"
	if err := argCount(name, 2, args); err != nil {
		return Call{}, err
	}
	fractions, ok := fractionType(args[1])
	if !ok {
		return Call{}, wrongArg(name, 1, "a number, or an ARRAY of numbers,", args)
	}
	q := quantiles{value: double, array: fractions != double}
	f := bagFunction{result: q.result(), append: q.append}
	f.parameterType, f.check = fractions, checkFractions(name, 1)
	return f.approximate(name, args, opt)
}

func resolveApproxQuantiles(args []arrow.DataType, opt Options) (Call, error) {
	const name, most = "APPROX_QUANTILES", 10_000
	if err := argCount(name, 2, args); err != nil {
		return Call{}, err
	}
	if !isInteger(args[1]) {
		return Call{}, wrongArg(name, 1, "an integer", args)
	}
	f := bagFunction{result: arrow.ListOf(double)}
	f.parameterType = bigint
	f.check = func(p parameter) error {
		if p.count < 1 || p.count > most {
			return fmt.Errorf("%s takes a number from 1 to %d as its second argument, got %d", name, most, p.count)
		}
		return nil
	}
	f.append = func(_ *bagged, b array.Builder, set *bag, p parameter) error {
		values := b.(*array.ListBuilder)
		values.Append(true)
		for i := range p.count + 1 {
			quantiles{value: double}.interpolate(values.ValueBuilder(), set, float64(i)/float64(p.count))
		}
		return nil
	}
	return f.approximate(name, args, opt)
}

// approximate is the function of numbers, in its first argument, as a call in which they are rounded to buckets. Its second argument
// is the parameter.
func (f bagFunction) approximate(name string, args []arrow.DataType, opt Options) (Call, error) {
	if _, ok := asFloats(args[0]); !ok {
		return Call{}, wrongArg(name, 0, "a number", args)
	}
	var kept record
	kept.append(0, double, bucketCodec)
	keeping := keep(name, kept, 0, 1)
	keeping.parameter, keeping.parameterType, keeping.check = 1, f.parameterType, f.check
	f.keeping = keeping
	return f.call([]arrow.DataType{double, f.parameterType}, opt), nil
}

// bucketCodec keeps doubles as the representative of their bucket. Buckets are 2 % wide, and the same for all numbers whatever their
// order, so that what is kept of them, and what is merged, depends on the numbers alone.
var bucketCodec = codec{
	reader: func(arr arrow.Array) func([]byte, int) []byte {
		values := (&floats{}).of(arr)
		return func(dst []byte, row int) []byte { return appendDouble(dst, bucketOf(values[row])) }
	},
	write: doubleCodec.write,
}

var buckets = newBuckets(0.01)

func newBuckets(accuracy float64) *mapping.LogarithmicMapping {
	m, err := mapping.NewLogarithmicMapping(accuracy)
	if err != nil {
		panic(err) // an accuracy from 0 to 1 is none
	}
	return m
}

// bucketOf is a number that stands for all that differ from it by 1 % at most. 0, infinity, NaN and what is too large or too small
// for buckets stand for themselves.
func bucketOf(x float64) float64 {
	size := math.Abs(x)
	if !(size >= buckets.MinIndexableValue() && size <= buckets.MaxIndexableValue()) {
		return x
	}
	return math.Copysign(buckets.Value(buckets.Index(size)), x)
}
