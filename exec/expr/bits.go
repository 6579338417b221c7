package expr

import (
	"encoding/binary"
	"math/bits"
)

// Bitmaps are words of 64 rows, the first row in the lowest bit. A nil bitmap of validity has every bit set. Bits behind the
// last row mean nothing.

// wordsFor is the number of words of a bitmap of n rows.
func wordsFor(n int) int { return (n + 63) >> 6 }

// lastMask has the bits set that count in the last word of n rows, n > 0.
func lastMask(n int) uint64 { return ^uint64(0) >> (-uint(n) & 63) }

func bit(words []uint64, i int) bool { return words[i>>6]>>(i&63)&1 != 0 }

func setBit(words []uint64, i int) { words[i>>6] |= 1 << (i & 63) }

func clearBit(words []uint64, i int) { words[i>>6] &^= 1 << (i & 63) }

func fill(words []uint64, v uint64) {
	for i := range words {
		words[i] = v
	}
}

// countBits is the number of set bits among the first n.
func countBits(words []uint64, n int) int {
	count := 0
	for i := 0; i < n>>6; i++ {
		count += bits.OnesCount64(words[i])
	}
	if n&63 != 0 {
		count += bits.OnesCount64(words[n>>6] & lastMask(n))
	}
	return count
}

// firstBit is the first set bit among the first n, or n or more if there is none.
func firstBit(words []uint64, n int) int {
	for k, w := range words[:wordsFor(n)] {
		if w != 0 {
			return k*64 + bits.TrailingZeros64(w)
		}
	}
	return n
}

// loadBits copies n bits of Arrow's bitmap src, from bit offset on, to the start of dst.
func loadBits(dst []uint64, src []byte, offset, n int) {
	src = src[offset>>3:]
	shift := uint(offset & 7)
	for i := range dst[:wordsFor(n)] {
		w := loadWord(src, i*8)
		if shift != 0 {
			w = w>>shift | loadWord(src, i*8+8)<<(64-shift)
		}
		dst[i] = w
	}
}

// loadWord is the eight bytes of src from at on, zero behind its end.
func loadWord(src []byte, at int) uint64 {
	if at+8 <= len(src) {
		return binary.LittleEndian.Uint64(src[at:])
	}
	var w uint64
	for i := at; i < len(src); i++ {
		w |= uint64(src[i]) << (8 * (i - at))
	}
	return w
}

// storeBits writes the first n bits of src as Arrow's bitmap.
func storeBits(dst []byte, src []uint64, n int) {
	bytes := (n + 7) >> 3
	for i := range bytes >> 3 {
		binary.LittleEndian.PutUint64(dst[i*8:], src[i])
	}
	for i := bytes &^ 7; i < bytes; i++ {
		dst[i] = byte(src[i>>3] >> (8 * (i & 7)))
	}
	if n&7 != 0 {
		dst[bytes-1] &= 1<<(n&7) - 1
	}
}

// appendRows appends the numbers of the set bits among the first n.
func appendRows(dst []uint32, words []uint64, n int) []uint32 {
	for k, w := range words[:wordsFor(n)] {
		if k == n>>6 {
			w &= lastMask(n)
		}
		if w == ^uint64(0) {
			for i := uint32(k * 64); i < uint32(k*64+64); i++ {
				dst = append(dst, i)
			}
			continue
		}
		for ; w != 0; w &= w - 1 {
			dst = append(dst, uint32(k*64+bits.TrailingZeros64(w)))
		}
	}
	return dst
}
