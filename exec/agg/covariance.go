package agg

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

func init() {
	registerPairs("COVAR_POP", "The covariance of the pairs, taken as the whole population.", "4.5",
		func(s pairSums) (float64, bool) { return s.xy / s.n, true })
	registerPairs("COVAR_SAMP", "The covariance of the population of which the pairs are a sample; NULL for fewer than two.", "9.0",
		func(s pairSums) (float64, bool) { return s.xy / (s.n - 1), s.n > 1 })
	registerPairs("CORR", "Pearson's correlation of the pairs, from -1 to 1; NULL if one of the numbers is always the same.", "1.0",
		func(s pairSums) (float64, bool) { return s.correlation(), s.xx > 0 && s.yy > 0 })
	registerPairs("REGR_SLOPE", "The slope of the line that fits the pairs best; NULL if x is always the same.", "2.0",
		func(s pairSums) (float64, bool) { return s.xy / s.xx, s.xx > 0 })
	registerPairs("REGR_INTERCEPT", "Where the line that fits the pairs best meets x = 0; NULL if x is always the same.", "1.0",
		func(s pairSums) (float64, bool) { return s.intercept, s.xx > 0 })
	registerPairs("REGR_R2", "The part of the variance of y that the line that fits the pairs best explains; NULL if x is always the same.", "1.0",
		func(s pairSums) (float64, bool) { return s.determination(), s.xx > 0 })
	registerPairs("REGR_AVGX", "The mean of x over the pairs.", "2.5",
		func(s pairSums) (float64, bool) { return s.meanX, true })
	registerPairs("REGR_AVGY", "The mean of y over the pairs.", "6.0",
		func(s pairSums) (float64, bool) { return s.meanY, true })
	registerPairs("REGR_SXX", "The sum of the squared distances of x from its mean over the pairs.", "4.5",
		func(s pairSums) (float64, bool) { return s.xx, true })
	registerPairs("REGR_SYY", "The sum of the squared distances of y from its mean over the pairs.", "18.0",
		func(s pairSums) (float64, bool) { return s.yy, true })
	registerPairs("REGR_SXY", "The sum of the products of the distances of x and y from their means over the pairs.", "9.0",
		func(s pairSums) (float64, bool) { return s.xy, true })
}

// pairSums is what statistics of pairs are made of: means, and sums of products of distances from the means.
type pairSums struct {
	n            float64
	meanX, meanY float64
	xx, yy, xy   float64
	intercept    float64 // the difference of two numbers that may be large against it
}

func (s pairSums) correlation() float64 {
	return max(-1, min(1, s.xy/math.Sqrt(s.xx)/math.Sqrt(s.yy)))
}

// determination is 1 if all y are equal: the line explains all there is.
func (s pairSums) determination() float64 {
	if s.yy == 0 {
		return 1
	}
	return min(1, s.xy/s.xx*(s.xy/s.yy))
}

// registerPairs registers a statistic of pairs of numbers. y, which depends on x, comes first.
func registerPairs(name, doc, exampleResult string, of func(pairSums) (float64, bool)) {
	Register(Function{
		Name: name, Signature: name + "([DISTINCT] y, x)", Doc: doc + " Pairs with a NULL do not count.",
		Example:       "SELECT " + name + "(y, x) FROM (VALUES (3, 1), (9, 4), (NULL, 5)) AS t (y, x)",
		ExampleResult: exampleResult,
		Resolve: func(args []arrow.DataType, _ Options) (Call, error) {
			read, err := numbers(name, 2, args)
			if err != nil {
				return Call{}, err
			}
			result := func(n float64, b basis, s []doubleDouble) (float64, bool) { return of(pairSumsOf(n, b, s)) }
			return Call{
				Args: read, Result: double, Nullable: true, StateTypes: statisticState(covarianceSums), Mergeable: true,
				New: func(mem memory.Allocator) Accumulator {
					return &covariance{statistic: statistic{mem: mem, sums: covarianceSums, move: movePairs, result: result}}
				},
			}, nil
		},
	})
}

// covariance sums pairs of numbers, their squares and their products.
type covariance struct {
	statistic
	x, y floats
}

// The sums of covariance.
const (
	sumX = iota
	sumY
	sumXX
	sumYY
	sumXY
	covarianceSums
)

func pairSumsOf(n float64, b basis, s []doubleDouble) pairSums {
	scale := math.Sqrt(max(0, s[sumXX].hi)) * math.Sqrt(max(0, s[sumYY].hi))
	meanX, meanY := s[sumX].over(n).add(doubleDouble{hi: b.x}), s[sumY].over(n).add(doubleDouble{hi: b.y})
	xx, xy := deviation(n, s[sumX], s[sumXX]), codeviation(n, s[sumX], s[sumY], s[sumXY], scale)
	return pairSums{
		n:         n,
		meanX:     meanX.float(),
		meanY:     meanY.float(),
		xx:        xx.float(),
		yy:        deviation(n, s[sumY], s[sumYY]).float(),
		xy:        xy.float(),
		intercept: meanY.sub(xy.div(xx).mul(meanX)).float(),
	}
}

func (a *covariance) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	y, x := a.y.of(in.Args[0]), a.x.of(in.Args[1])
	for i, row := range a.all(sel, len(groups)) {
		b, sums := a.of(rows, groups[i])
		addPair(b, sums, x[row], y[row], signOf(in.Kinds, row))
	}
	return nil
}

// addPair starts the sums anew when no pair is left, so that rounding does not outlive its cause.
func addPair(b *basis, sums []doubleDouble, x, y, sign float64) {
	if max(x, y) < farOut && min(x, y) > -farOut {
		if b.empty() {
			b.x, b.y = x, y
		}
		addProducts(sums, difference(x, b.x), difference(y, b.y), sign)
	} else {
		b.odd += int64(sign)
	}
	if b.n += int64(sign); b.n == 0 {
		*b = basis{}
		clear(sums)
	}
}

func addProducts(s []doubleDouble, x, y doubleDouble, sign float64) {
	signedX, signedY := x.times(sign), y.times(sign)
	s[sumX], s[sumY] = s[sumX].add(signedX), s[sumY].add(signedY)
	s[sumXX], s[sumYY], s[sumXY] = s[sumXX].add(x.mul(signedX)), s[sumYY].add(y.mul(signedY)), s[sumXY].add(x.mul(signedY))
}

// movePairs is the move of the sums of covariance.
func movePairs(s []doubleDouble, n float64, x, y doubleDouble) {
	s[sumXY] = s[sumXY].add(s[sumX].mul(y)).add(s[sumY].mul(x)).add(x.mul(y).times(n))
	s[sumXX] = s[sumXX].add(s[sumX].mul(x).times(2)).add(x.mul(x).times(n))
	s[sumYY] = s[sumYY].add(s[sumY].mul(y).times(2)).add(y.mul(y).times(n))
	s[sumX], s[sumY] = s[sumX].add(x.times(n)), s[sumY].add(y.times(n))
}
