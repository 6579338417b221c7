package agg

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	registerShape(Function{
		Name:          "SKEWNESS",
		Doc:           "How far the values lean to one side of their mean, without the bias of small samples; NULL for fewer than three values, or equal ones.",
		Example:       "SELECT SKEWNESS(x) FROM (VALUES (0), (0), (0), (4)) AS t (x)",
		ExampleResult: "2.0",
	}, 2, func(n, s2, s3, _ float64) float64 {
		return s3 / s2 * math.Sqrt((n-1)/s2) * n / (n - 2)
	})
	registerShape(Function{
		Name:          "KURTOSIS",
		Doc:           "How heavy the tails of the values are against those of a normal distribution, whose kurtosis is 0, without the bias of small samples; NULL for fewer than four values, or equal ones.",
		Example:       "SELECT KURTOSIS(x) FROM (VALUES (1), (1), (1), (2)) AS t (x)",
		ExampleResult: "4.0",
	}, 3, func(n, s2, _, s4 float64) float64 {
		return ((n-1)*n*(n+1)*s4/(s2*s2) - 3*(n-1)*(n-1)) / ((n - 2) * (n - 3))
	})
}

// registerShape registers a function of the number of values, which must be more than least, and of the sums of the second to fourth
// powers of their distances from the mean.
func registerShape(f Function, least float64, of func(n, s2, s3, s4 float64) float64) {
	f.Signature = f.Name + "([DISTINCT] number)"
	f.Resolve = func(args []arrow.DataType, _ Options) (Call, error) {
		return resolveMoments(f.Name, 4, args, func(n float64, sums []doubleDouble) (float64, bool) {
			if n <= least || deviation(n, sums[0], sums[1]).hi == 0 {
				return 0, false
			}
			central := slices.Clone(sums)
			movePowers(central, n, sums[0].over(n).neg(), doubleDouble{})
			return of(n, central[1].float(), central[2].float(), central[3].float()), true
		})
	}
	Register(f)
}
