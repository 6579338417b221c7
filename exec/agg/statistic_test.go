package agg

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
)

func init() {
	for name, of := range map[string]func(n, m2, m3, m4 *big.Rat) *big.Rat{
		"VAR_POP":  func(n, m2, _, _ *big.Rat) *big.Rat { return m2 },
		"VAR_SAMP": func(n, m2, _, _ *big.Rat) *big.Rat { return overLess(m2, n, 1) },
	} {
		models[name] = func(values []value, dt arrow.DataType) string { return formatRat(momentsOf(values, of), dt) }
		models["STDDEV"+name[len("VAR"):]] = func(values []value, dt arrow.DataType) string {
			return formatRoot(momentsOf(values, of))
		}
	}
	// The squares of skewness and of kurtosis without their bias are rational.
	models["SKEWNESS"] = func(values []value, _ arrow.DataType) string {
		n := int64(len(notNull(values)))
		square := momentsOf(values, func(n, m2, m3, _ *big.Rat) *big.Rat {
			if m2.Sign() == 0 || n.Cmp(rat(3)) < 0 {
				return nil
			}
			return quo(mul(m3, m3), mul(m2, m2, m2))
		})
		if square == nil {
			return "NULL"
		}
		third := momentsOf(values, func(_, _, m3, _ *big.Rat) *big.Rat { return m3 })
		f, _ := square.Float64()
		return fmt.Sprintf("%.9g", float64(third.Sign())*math.Sqrt(f)*math.Sqrt(float64(n*(n-1)))/float64(n-2))
	}
	models["KURTOSIS"] = func(values []value, _ arrow.DataType) string {
		k := momentsOf(values, func(n, m2, _, m4 *big.Rat) *big.Rat {
			if m2.Sign() == 0 || n.Cmp(rat(4)) < 0 {
				return nil
			}
			inner := sub(mul(add(n, rat(1)), quo(m4, mul(m2, m2))), mul(rat(3), sub(n, rat(1))))
			return mul(inner, quo(sub(n, rat(1)), mul(sub(n, rat(2)), sub(n, rat(3)))))
		})
		if k == nil {
			return "NULL"
		}
		f, _ := k.Float64()
		return fmt.Sprintf("%.9g", f)
	}
}

func rat(n int64) *big.Rat       { return big.NewRat(n, 1) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func mul(fs ...*big.Rat) *big.Rat {
	p := rat(1)
	for _, f := range fs {
		p.Mul(p, f)
	}
	return p
}

// overLess is m2*n/(n-less), or nil if n is too small.
func overLess(m2, n *big.Rat, less int64) *big.Rat {
	if n.Cmp(rat(less)) <= 0 {
		return nil
	}
	return quo(mul(m2, n), sub(n, rat(less)))
}

// momentsOf gives a function the number of values and their central moments; nil for no values.
func momentsOf(values []value, of func(n, m2, m3, m4 *big.Rat) *big.Rat) *big.Rat {
	values = notNull(values)
	if len(values) == 0 {
		return nil
	}
	n := rat(int64(len(values)))
	mean := quo(sumOf(values), n)
	var m [5]*big.Rat
	for k := 2; k <= 4; k++ {
		m[k] = new(big.Rat)
		for _, v := range values {
			d := rat(1)
			for range k {
				d.Mul(d, sub(v.number, mean))
			}
			m[k].Add(m[k], d)
		}
		m[k] = quo(m[k], n)
	}
	return of(n, m[2], m[3], m[4])
}

func formatRoot(r *big.Rat) string {
	if r == nil {
		return "NULL"
	}
	f, _ := r.Float64()
	return fmt.Sprint(math.Sqrt(f))
}

// TestPairs compares the statistics of pairs with their definitions in exact arithmetic.
func TestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "pairs")
		far := rapid.SampledFrom([]float64{0, 1e6, -1e12}).Draw(t, "far")
		one := rapid.Custom(func(t *rapid.T) float64 { return far + float64(rapid.IntRange(-3, 3).Draw(t, "x"))/4 })
		x, y := rapid.SliceOfN(one, n, n).Draw(t, "x"), rapid.SliceOfN(one, n, n).Draw(t, "y")
		for name, want := range exactPairs(y, x) {
			got, err := aggregate(t, name, Options{}, nil, doublesOf(y...), doublesOf(x...))
			if err != nil {
				t.Fatal(err)
			}
			if got.IsNull(0) != (want == nil) {
				t.Fatalf("%s is %v, want %v", name, got, want)
			}
			if want == nil {
				continue
			}
			w, _ := want.Float64()
			if name == "CORR" {
				w = math.Copysign(math.Sqrt(math.Abs(w)), w)
			}
			if g := got.(*array.Float64).Value(0); math.Abs(g-w) > 1e-12*math.Abs(w)+1e-18 {
				t.Fatalf("%s is %v, want %v", name, g, w)
			}
		}
	})
}

// exactPairs is the statistics of pairs by name, nil for NULL; that of CORR is squared and has its sign.
func exactPairs(y, x []float64) map[string]*big.Rat {
	n := rat(int64(len(x)))
	meanX, meanY := meanOf(x), meanOf(y)
	sxx, syy, sxy := new(big.Rat), new(big.Rat), new(big.Rat)
	for i := range x {
		dx, dy := sub(ratOf(x[i]), meanX), sub(ratOf(y[i]), meanY)
		sxx.Add(sxx, mul(dx, dx))
		syy.Add(syy, mul(dy, dy))
		sxy.Add(sxy, mul(dx, dy))
	}
	m := map[string]*big.Rat{
		"REGR_AVGX": meanX, "REGR_AVGY": meanY, "REGR_SXX": sxx, "REGR_SYY": syy, "REGR_SXY": sxy, "COVAR_POP": quo(sxy, n),
		"COVAR_SAMP": nil, "REGR_SLOPE": nil, "REGR_INTERCEPT": nil, "REGR_R2": nil, "CORR": nil,
	}
	if len(x) > 1 {
		m["COVAR_SAMP"] = quo(sxy, sub(n, rat(1)))
	}
	if sxx.Sign() > 0 {
		m["REGR_SLOPE"] = quo(sxy, sxx)
		m["REGR_INTERCEPT"] = sub(meanY, mul(quo(sxy, sxx), meanX))
		m["REGR_R2"] = rat(1)
		if syy.Sign() > 0 {
			m["REGR_R2"] = quo(mul(sxy, sxy), mul(sxx, syy))
			m["CORR"] = mul(quo(mul(sxy, sxy), mul(sxx, syy)), rat(int64(sxy.Sign())))
		}
	}
	return m
}

func ratOf(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }

func meanOf(values []float64) *big.Rat {
	sum := new(big.Rat)
	for _, v := range values {
		sum.Add(sum, ratOf(v))
	}
	return quo(sum, rat(int64(len(values))))
}

// TestStatisticsOfCloseNumbers: numbers whose differences are small against themselves keep their digits.
func TestStatisticsOfCloseNumbers(t *testing.T) {
	const far = 1e15
	close := doublesOf(far+1, far+2, far+3, far+4, far+9)
	near := doublesOf(1, 2, 3, 4, 9)
	for _, name := range []string{"VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP", "SKEWNESS", "KURTOSIS"} {
		got, err := run(t, name, Options{}, close, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := run(t, name, Options{}, near, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.ValueStr(0) != want.ValueStr(0) {
			t.Errorf("%s of numbers far from 0 is %v, want %v", name, got, want)
		}
	}
}

// TestStatisticsForgetOddValues: infinite values and NaN make the result NaN only while they are there.
func TestStatisticsForgetOddValues(t *testing.T) {
	for _, name := range []string{"VAR_POP", "STDDEV_SAMP", "SKEWNESS", "KURTOSIS"} {
		for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e200} {
			values, kinds := []float64{odd, 1, 2, 3, 5}, []vec.Kind{0, 0, 0, 0, 0}
			if got, err := run(t, name, Options{Retract: true}, doublesOf(values...), kinds); err != nil || got.ValueStr(0) != "NaN" {
				t.Errorf("%s with %v is %v, %v", name, odd, got, err)
			}
			values, kinds = append(values, odd), append(kinds, vec.Delete)
			got, err := run(t, name, Options{Retract: true}, doublesOf(values...), kinds)
			want, _ := run(t, name, Options{}, doublesOf(1, 2, 3, 5), nil)
			if err != nil || got.ValueStr(0) != want.ValueStr(0) {
				t.Errorf("%s after %v is %v, %v, want %v", name, odd, got, err, want)
			}
		}
	}
}
