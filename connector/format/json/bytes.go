package json

import (
	"encoding/binary"
	"math/bits"
)

// Every scan below runs over a buffer that ends with a line break and Padding bytes. A line break is valid nowhere inside a record,
// so each loop stops there at the latest, and eight bytes can be loaded from wherever it stands.

const (
	ones   = 0x0101010101010101
	tops   = 0x8080808080808080
	zeros  = 0x3030303030303030 // "00000000"
	quotes = '"' * ones
	slants = '\\' * ones
	blanks = ' ' * ones
)

// load is the eight bytes at p, the first one lowest.
func load(buf []byte, p int) uint64 { return binary.LittleEndian.Uint64(buf[p:]) }

// skip returns the place of the first byte from p on that is no blank. A line break is none.
func skip(buf []byte, p int) int {
	for buf[p] == ' ' || buf[p] == '\t' || buf[p] == '\r' {
		p++
	}
	return p
}

// plainEnd returns the place of the first byte from p on that ends a run of plain ASCII inside a string: a quote, a backslash, a
// control character or a byte beyond ASCII.
func plainEnd(buf []byte, p int) int {
	for {
		w := load(buf, p)
		q, s := w^quotes, w^slants
		stop := ((q-ones)&^q | (s-ones)&^s | (w-blanks)&^w | w) & tops
		if stop != 0 {
			return p + bits.TrailingZeros64(stop)>>3
		}
		p += 8
	}
}

// quoteEnd is plainEnd with bytes beyond ASCII counted as plain.
func quoteEnd(buf []byte, p int) int {
	for {
		w := load(buf, p)
		q, s := w^quotes, w^slants
		stop := ((q-ones)&^q | (s-ones)&^s | (w-blanks)&^w) & tops
		if stop != 0 {
			return p + bits.TrailingZeros64(stop)>>3
		}
		p += 8
	}
}

// pow10 holds the powers of ten up to 10^18.
var pow10 = func() (t [19]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] * 10
	}
	return t
}()

// digits reads the decimal digits at p, at most 16, and returns their value and number.
func digits(buf []byte, p int) (v uint64, n int) {
	v, n = digits8(load(buf, p))
	if n < 8 {
		return v, n
	}
	low, m := digits8(load(buf, p+8))
	return v*pow10[m] + low, 8 + m
}

// digits8 is the value and number of the digits that w begins with.
func digits8(w uint64) (v uint64, n int) {
	w ^= zeros // digits become 0 to 9
	other := ((w&^tops + 0x76*ones) | w) & tops
	n = bits.TrailingZeros64(other) >> 3
	if n == 0 {
		return 0, 0
	}
	w <<= 64 - 8*uint(n) // as if zeros stood before them
	w = w*10 + w>>8      // pairs
	const pairs = 0x000000FF000000FF
	return ((w&pairs)*0x000F424000000064 + (w>>16&pairs)*0x0000271000000001) >> 32, n
}
