package expr

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func (w wide) big() *big.Int {
	n := new(big.Int)
	for i := 3; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w[i]))
	}
	return n
}

// drawWide draws numbers of every length, many of them with words of all zeros or ones, at which division goes wrong first.
func drawWide(t *rapid.T, name string) wide {
	var w wide
	words := rapid.IntRange(0, 4).Draw(t, name+" words")
	for i := range words {
		w[i] = rapid.OneOf(
			rapid.SampledFrom([]uint64{0, 1, 1 << 63, ^uint64(0), ^uint64(0) - 1, 1<<63 - 1}), rapid.Uint64(),
		).Draw(t, name)
	}
	return w
}

func TestWideArithmetic(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 256)
	rapid.Check(t, func(t *rapid.T) {
		x, y := drawWide(t, "x"), drawWide(t, "y")
		product, ok := x.times(y)
		want := new(big.Int).Mul(x.big(), y.big())
		if fits := want.Cmp(limit) < 0; ok != fits || fits && product.big().Cmp(want) != 0 {
			t.Fatalf("%v · %v = %v, %v", x, y, product, ok)
		}
		if got := x.compare(y); got != x.big().Cmp(y.big()) {
			t.Fatalf("%v compared with %v is %d", x, y, got)
		}
		if y.isZero() {
			return
		}
		q, r := x.divide(y)
		wantQ, wantR := new(big.Int).QuoRem(x.big(), y.big(), new(big.Int))
		if q.big().Cmp(wantQ) != 0 || r.big().Cmp(wantR) != 0 {
			t.Fatalf("%v / %v = %v rest %v", x, y, q, r)
		}
		if new(big.Int).Lsh(wantR, 1).Cmp(y.big()) >= 0 {
			wantQ.Add(wantQ, big.NewInt(1))
		}
		if got := x.divideRounded(y); got.big().Cmp(wantQ) != 0 && wantQ.Cmp(limit) < 0 {
			t.Fatalf("%v / %v rounded is %v", x, y, got)
		}
	})
}
