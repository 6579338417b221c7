package state

import "math/bits"

// bitmap has one bit for each group.
type bitmap []uint64

func (b bitmap) has(i uint32) bool { return b[i>>6]>>(i&63)&1 != 0 }
func (b bitmap) set(i uint32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitmap) unset(i uint32)    { b[i>>6] &^= 1 << (i & 63) }

// resize returns b with room for n bits; new ones are clear.
func (b bitmap) resize(n int) bitmap {
	words := (n + 63) / 64
	if words <= len(b) {
		return b
	}
	if words > cap(b) {
		grown := make(bitmap, words, words*2)
		copy(grown, b)
		return grown
	}
	return b[:words]
}

func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// setRange sets the bits [from, to) that are set in mask.
func (b bitmap) setRange(from, to int, mask bitmap) {
	for i := from; i < to; {
		word := i >> 6
		run := ^uint64(0) << (i & 63)
		next := (word + 1) << 6
		if next > to {
			run &= ^uint64(0) >> (next - to)
		}
		b[word] |= run & mask[word]
		i = next
	}
}

// appendTo appends the numbers of the set bits to out.
func (b bitmap) appendTo(out []uint32) []uint32 {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			out = append(out, uint32(i<<6+bits.TrailingZeros64(w)))
		}
	}
	return out
}
