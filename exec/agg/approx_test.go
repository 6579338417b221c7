package agg

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
)

// TestApproxCountDistinct: the estimate is good, and the same however the rows are divided, merged and restored.
func TestApproxCountDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		call, err := Resolve("APPROX_COUNT_DISTINCT", []arrow.DataType{bigint}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := rapid.SampledFrom([]int{0, 1, exactHashes - 1, exactHashes, exactHashes + 1, 5000, 60_000}).Draw(t, "values")
		from := rapid.Int64().Draw(t, "from")
		cut := rapid.IntRange(0, n).Draw(t, "cut")
		overlap := rapid.IntRange(0, cut).Draw(t, "overlap")
		whole, left, right, restored := newGroups(t, mem, call), newGroups(t, mem, call), newGroups(t, mem, call), newGroups(t, mem, call)
		add := func(g *groupsOf, lo, hi int) {
			values := array.NewInt64Builder(mem)
			defer values.Release()
			key := array.NewInt32Builder(mem)
			defer key.Release()
			for i := lo; i < hi; i++ {
				values.Append(from + int64(i)*7919)
				key.Append(0)
			}
			b := batch{key: key.NewArray(), args: []arrow.Array{values.NewArray()}}
			g.update(b)
			b.release()
		}
		add(whole, 0, n)
		add(left, 0, cut)
		add(right, cut-overlap, n)
		if rapid.Bool().Draw(t, "swap") {
			left, right = right, left
		}
		left.merge(right)
		restored.merge(left)
		add(restored, 0, n)
		keys, result := whole.results()
		if result.Len() > 0 {
			got := float64(result.(*array.Int64).Value(0))
			if n <= exactHashes && got != float64(n) || math.Abs(got-float64(n)) > 0.03*float64(n) {
				t.Fatalf("%v of %d", got, n)
			}
		}
		vec.Batch{Cols: []arrow.Array{keys, result}}.Release()
		whole.requireSameResults(left)
		whole.requireSameResults(restored)
		for _, g := range []*groupsOf{whole, left, right, restored} {
			g.close()
		}
		mem.AssertSize(t, 0)
	})
}

// TestRegisters: estimates of random hashes are within some standard errors, of which there is one in 128, whatever their number.
func TestRegisters(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	r := newRegisters()
	if r.estimate() != 0 {
		t.Errorf("nothing is estimated as %d", r.estimate())
	}
	for n := 1; n <= 3_000_000; n++ {
		r.add(random.Uint64())
		switch n {
		case 1, 10, 100, 1000, 10_000, 30_000, 60_000, 100_000, 1_000_000, 3_000_000:
			if got := float64(r.estimate()); math.Abs(got-float64(n)) > 0.02*float64(n)+0.5 {
				t.Errorf("%d are estimated as %v", n, got)
			}
		}
	}
	total := int32(0)
	for _, n := range r.counts {
		total += n
	}
	if total != registerCount {
		t.Errorf("%d registers are counted", total)
	}
	for _, ranks := range [][]byte{nil, make([]byte, 3), append(make([]byte, registerCount-1), mostRank+1)} {
		if r.merge(ranks) == nil {
			t.Errorf("%d ranks are taken", len(ranks))
		}
	}
	full := newRegisters()
	full.add(0)
	if full.ranks[0] != mostRank {
		t.Errorf("the rank of 0 is %d", full.ranks[0])
	}
}

func TestApproxCountDistinctRefusesUpdates(t *testing.T) {
	_, err := Resolve("APPROX_DISTINCT", []arrow.DataType{bigint}, Options{Retract: true})
	if err == nil || !strings.Contains(err.Error(), "APPROX_COUNT_DISTINCT cannot take rows back") {
		t.Fatal(err)
	}
}

// TestApproxPercentiles: they are off by 1 % at most.
func TestApproxPercentiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 1e9), 1, 2000).Draw(t, "values")
		fractions := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 4).Draw(t, "fractions")
		if rapid.Bool().Draw(t, "negative") {
			for i := range values {
				values[i] = -values[i]
			}
		}
		for _, fraction := range fractions {
			fractionColumn := make([]float64, len(values))
			for i := range fractionColumn {
				fractionColumn[i] = fraction
			}
			result := func(name string) float64 {
				r, err := aggregate(t, name, Options{}, nil, doublesOf(values...), doublesOf(fractionColumn...))
				if err != nil {
					t.Fatal(err)
				}
				return r.(*array.Float64).Value(0)
			}
			got, want := result("APPROX_PERCENTILE"), result("PERCENTILE")
			if math.Abs(got-want) > 0.01001*math.Abs(want) {
				t.Fatalf("%v of %v is %v, exactly %v", fraction, values, got, want)
			}
		}
	})
}

func TestApproxQuantiles(t *testing.T) {
	n := make([]int64, 1000)
	values := make([]int64, len(n))
	for i := range n {
		n[i], values[i] = 4, int64(i)
	}
	r, err := aggregate(t, "APPROX_QUANTILES", Options{}, nil, bigints(values...), bigints(n...))
	if err != nil {
		t.Fatal(err)
	}
	got := vec.Values[float64](r.(*array.List).ListValues())
	for i, want := range []float64{0, 249.75, 499.5, 749.25, 999} {
		if math.Abs(got[i]-want) > 0.01*want {
			t.Errorf("%v, want about %v", got, want)
		}
	}
	for _, n := range []int64{0, -1, 10_001} {
		if _, err := aggregate(t, "APPROX_QUANTILES", Options{}, nil, bigints(1), bigints(n)); err == nil {
			t.Errorf("%d parts are taken", n)
		}
	}
}

// TestBuckets: what stands for a number differs from it by 1 % at most, and stands for itself.
func TestBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		b := bucketOf(x)
		if b != bucketOf(b) || math.Abs(b-x) > 0.010000001*math.Abs(x) {
			t.Fatalf("%v stands for %v and %v for %v", b, x, bucketOf(b), b)
		}
	})
	for _, x := range []float64{0, math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if b := bucketOf(x); b != bucketOf(b) || b != x && math.Abs(b-x) > 0.0100001*math.Abs(x) {
			t.Errorf("%v stands for %v", b, x)
		}
	}
	if !math.IsNaN(bucketOf(math.NaN())) {
		t.Error("NaN is put into a bucket")
	}
}
