package agg

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
)

func init() {
	models["BOOL_AND"] = folded("true", func(acc, v string) string {
		if acc == "true" {
			return v
		}
		return "false"
	})
	models["BOOL_OR"] = folded("false", func(acc, v string) string {
		if acc == "false" {
			return v
		}
		return "true"
	})
	models["COUNT_IF"] = func(values []value, _ arrow.DataType) string {
		n := 0
		for _, v := range values {
			if v.text == "true" {
				n++
			}
		}
		return fmt.Sprint(n)
	}
	models["BIT_AND"] = foldedBits(-1, func(a, b int64) int64 { return a & b })
	models["BIT_OR"] = foldedBits(0, func(a, b int64) int64 { return a | b })
	models["BIT_XOR"] = foldedBits(0, func(a, b int64) int64 { return a ^ b })
	models["PRODUCT"] = func(values []value, dt arrow.DataType) string {
		return formatRat(productOf(notNull(values)), dt)
	}
	models["GEOMETRIC_MEAN"] = func(values []value, _ arrow.DataType) string {
		sum, n, negative := 0.0, 0.0, false
		for _, v := range notNull(values) {
			f, _ := v.number.Float64()
			negative = negative || f < 0
			sum += math.Log(f)
			n++
		}
		switch {
		case n == 0:
			return "NULL"
		case negative:
			return "NaN"
		}
		return fmt.Sprintf("%.9g", math.Exp(sum/n))
	}
}

// folded is a model that folds the texts of values.
func folded(start string, fold func(acc, v string) string) func([]value, arrow.DataType) string {
	return func(values []value, _ arrow.DataType) string {
		if values = notNull(values); len(values) == 0 {
			return "NULL"
		}
		acc := start
		for _, v := range values {
			acc = fold(acc, v.text)
		}
		return acc
	}
}

func foldedBits(start int64, fold func(a, b int64) int64) func([]value, arrow.DataType) string {
	return func(values []value, _ arrow.DataType) string {
		if values = notNull(values); len(values) == 0 {
			return "NULL"
		}
		acc := start
		for _, v := range values {
			acc = fold(acc, v.number.Num().Int64())
		}
		return fmt.Sprint(acc)
	}
}

func productOf(values []value) *big.Rat {
	if len(values) == 0 {
		return nil
	}
	p := rat(1)
	for _, v := range values {
		p.Mul(p, v.number)
	}
	return p
}

func TestProductOfExtremes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	const ins, del = vec.Insert, vec.Delete
	cases := []struct {
		name   string
		values []float64
		kinds  []vec.Kind
		want   string
	}{
		{"PRODUCT", []float64{1e300, 1e300, 1e-300, 1e-300}, nil, "1"},
		{"PRODUCT", []float64{1e300, 1e300}, nil, "+Inf"},
		{"PRODUCT", []float64{1e300, -1e300}, nil, "-Inf"},
		{"PRODUCT", []float64{1e-300, 1e-300}, nil, "0"},
		{"PRODUCT", []float64{2, 0, 3, 0}, []vec.Kind{ins, ins, ins, del}, "6"},
		{"PRODUCT", []float64{2, inf, 3, inf}, []vec.Kind{ins, ins, ins, del}, "6"},
		{"PRODUCT", []float64{2, nan, -3, nan}, []vec.Kind{ins, ins, ins, del}, "-6"},
		{"PRODUCT", []float64{-2, -3, -3}, []vec.Kind{ins, ins, del}, "-2"},
		{"PRODUCT", []float64{0, inf}, nil, "NaN"},
		{"PRODUCT", []float64{-inf, 2}, nil, "-Inf"},
		{"PRODUCT", []float64{0.1, 7, 0.1}, []vec.Kind{ins, ins, del}, "7"},
		{"GEOMETRIC_MEAN", []float64{1e300, 1e300, 1e300, 1e300}, nil, "1e+300"},
		{"GEOMETRIC_MEAN", []float64{1e-300, 1e300}, nil, "1"},
		{"GEOMETRIC_MEAN", []float64{5, 0}, nil, "0"},
		{"GEOMETRIC_MEAN", []float64{5, -1}, nil, "NaN"},
	}
	for _, c := range cases {
		got, err := run(t, c.name, Options{Retract: c.kinds != nil}, doublesOf(c.values...), c.kinds)
		if err != nil || got.ValueStr(0) != c.want && !sameDigits(got.ValueStr(0), c.want) {
			t.Errorf("%s(%v, %v) is %v, %v, want %s", c.name, c.values, c.kinds, got, err, c.want)
		}
	}
}

// TestBitsAreNotLost: bits of values that have gone leave those of the others alone, the sign bit too.
func TestBitsAreNotLost(t *testing.T) {
	values, kinds := bigints(-1, 6, 3, -1), []vec.Kind{vec.Insert, vec.Insert, vec.Insert, vec.Delete}
	for name, want := range map[string]string{"BIT_AND": "2", "BIT_OR": "7", "BIT_XOR": "5"} {
		got, err := run(t, name, Options{Retract: true}, values, kinds)
		if err != nil || got.ValueStr(0) != want {
			t.Errorf("%s is %v, %v, want %s", name, got, err, want)
		}
	}
	if got, err := run(t, "BIT_AND", Options{}, bigints(math.MinInt64, -1), nil); err != nil || got.ValueStr(0) != fmt.Sprint(math.MinInt64) {
		t.Errorf("BIT_AND is %v, %v", got, err)
	}
}
