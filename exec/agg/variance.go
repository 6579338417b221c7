package agg

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	const from = " FROM (VALUES (1), (3), (5), (NULL)) AS t (x)"
	registerVariance(Function{
		Name: "VAR_POP", Doc: "The variance of the values that are not NULL, taken as the whole population.",
		Example: "SELECT VAR_POP(x) FROM (VALUES (1), (3), (NULL)) AS t (x)", ExampleResult: "1.0",
	}, 0, func(v float64) float64 { return v })
	registerVariance(Function{
		Name: "VAR_SAMP", Aliases: []string{"VARIANCE"},
		Doc:     "The variance of the population of which the values that are not NULL are a sample; NULL for fewer than two.",
		Example: "SELECT VAR_SAMP(x)" + from, ExampleResult: "4.0",
	}, 1, func(v float64) float64 { return v })
	registerVariance(Function{
		Name: "STDDEV_POP", Doc: "The standard deviation of the values that are not NULL, taken as the whole population.",
		Example: "SELECT STDDEV_POP(x) FROM (VALUES (1), (3), (NULL)) AS t (x)", ExampleResult: "1.0",
	}, 0, math.Sqrt)
	registerVariance(Function{
		Name: "STDDEV_SAMP", Aliases: []string{"STDDEV"},
		Doc:     "The standard deviation of the population of which the values that are not NULL are a sample; NULL for fewer than two.",
		Example: "SELECT STDDEV_SAMP(x)" + from, ExampleResult: "2.0",
	}, 1, math.Sqrt)
}

// registerVariance registers a function of the sum of squared distances from the mean, divided by the number of values less lost.
func registerVariance(f Function, lost float64, finish func(variance float64) float64) {
	f.Signature = f.Name + "([DISTINCT] number)"
	f.Resolve = func(args []arrow.DataType, _ Options) (Call, error) {
		return resolveMoments(f.Name, 2, args, func(n float64, sums []doubleDouble) (float64, bool) {
			if n <= lost {
				return 0, false
			}
			return finish(deviation(n, sums[0], sums[1]).over(n - lost).float()), true
		})
	}
	Register(f)
}
