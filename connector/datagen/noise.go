package datagen

import (
	"math/bits"

	"github.com/zeebo/xxh3"
)

// noise is a stream of random words that can be read anywhere.
type noise uint64

func newNoise(seed uint64, name string) noise {
	return noise(mix(seed) ^ xxh3.HashString(name))
}

// at is the i-th word.
func (n noise) at(i uint64) uint64 { return mix(uint64(n) + i*0x9e3779b97f4a7c15) }

// other is a stream that has nothing to do with n.
func (n noise) other() noise { return noise(mix(uint64(n) ^ 0xd6e8feb86659fd93)) }

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below turns a random word into one below n; n = 0 stands for 2^64.
func below(word, n uint64) uint64 {
	if n == 0 {
		return word
	}
	hi, _ := bits.Mul64(word, n)
	return hi
}
