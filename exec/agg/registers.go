package agg

import (
	"errors"
	"math"
	"math/bits"
)

// registers is a HyperLogLog sketch of hashes: for each value of their first bits the greatest rank, the place of the first bit that is
// set behind them. It counts the ranks, so that an estimate need not look at each register; it depends on the hashes alone, not on their
// order nor on how sketches were merged.
type registers struct {
	ranks  [registerCount]uint8
	counts [mostRank + 1]int32 // of the registers, by their rank
}

const (
	indexBits     = 14
	registerCount = 1 << indexBits
	// mostRank is the rank of a hash whose other bits are all 0.
	mostRank = 64 - indexBits + 1
)

func newRegisters() *registers {
	r := &registers{}
	r.counts[0] = registerCount
	return r
}

func (r *registers) add(hash uint64) {
	rank := bits.LeadingZeros64(hash<<indexBits|1<<(indexBits-1)) + 1
	r.raise(hash>>(64-indexBits), uint8(rank))
}

func (r *registers) raise(register uint64, rank uint8) {
	if before := r.ranks[register]; rank > before {
		r.counts[before]--
		r.counts[rank]++
		r.ranks[register] = rank
	}
}

// merge adds the hashes of another sketch, given by its ranks.
func (r *registers) merge(ranks []byte) error {
	if len(ranks) != registerCount {
		return errors.New("a sketch of another size")
	}
	for i, rank := range ranks {
		if rank > mostRank {
			return errors.New("a sketch with a rank that no hash has")
		}
		r.raise(uint64(i), rank)
	}
	return nil
}

// estimate is the number of different hashes by Ertl's improved estimator, which needs no corrections for few or many.
func (r *registers) estimate() int64 {
	const m = float64(registerCount)
	z := m * tau(1-float64(r.counts[mostRank])/m)
	for rank := mostRank - 1; rank > 0; rank-- {
		z = (z + float64(r.counts[rank])) / 2
	}
	z += m * sigma(float64(r.counts[0])/m)
	return int64(math.Round(m * m / (2 * math.Ln2 * z)))
}

// sigma is the sum of x and x^(2^k)·2^(k-1) for all k from 1 on.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for before := math.NaN(); z != before; y += y {
		x *= x
		before = z
		z += x * y
	}
	return z
}

// tau is a third of 1-x less the sum of (1-x^(2^-k))²·2^-k for all k from 1 on.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for before := math.NaN(); z != before; {
		x = math.Sqrt(x)
		before = z
		y /= 2
		z -= (1 - x) * (1 - x) * y
	}
	return z / 3
}
