// Package scan reads bytes eight at a time. Its functions may load up to 15 bytes beyond the value they look at: buffers must end
// with that much padding.
package scan

import (
	"encoding/binary"
	"math/bits"
)

// Ones has every byte 1: a byte times Ones is a word full of it.
const Ones = 0x0101010101010101

// Tops has the top bit of every byte set.
const Tops = 0x8080808080808080

// Load is the eight bytes at p, the first one lowest.
func Load(buf []byte, p int) uint64 { return binary.LittleEndian.Uint64(buf[p:]) }

// Zero marks the zero bytes of w in Tops. Marks above the lowest one may be wrong.
func Zero(w uint64) uint64 { return (w - Ones) &^ w & Tops }

// First is the index of the lowest byte marked in Tops, 8 if there is none.
func First(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// pow10 holds the powers of ten up to 10^16.
var pow10 = func() (t [17]uint64) {
	t[0] = 1
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1] * 10
	}
	return t
}()

// Digits reads the decimal digits at p, at most 16, and returns their value and number.
func Digits(buf []byte, p int) (v uint64, n int) {
	v, n = digits8(Load(buf, p))
	if n < 8 {
		return v, n
	}
	low, m := digits8(Load(buf, p+8))
	return v*pow10[m] + low, 8 + m
}

// digits8 is the value and number of the digits that w begins with.
func digits8(w uint64) (v uint64, n int) {
	w ^= '0' * Ones // digits become 0 to 9
	n = First(((w&^Tops + (0x80-10)*Ones) | w) & Tops)
	if n == 0 {
		return 0, 0
	}
	w <<= 64 - 8*uint(n) // as if zeros stood before them
	w = w*10 + w>>8      // pairs
	const pairs = 0x000000FF000000FF
	return ((w&pairs)*(100+1000000<<32) + (w>>16&pairs)*(1+10000<<32)) >> 32, n
}

// Run is the number of decimal digits at p.
func Run(buf []byte, p int) int {
	n := 0
	for {
		_, m := digits8(Load(buf, p+n))
		if n += m; m < 8 {
			return n
		}
	}
}

// Integer reads a number of at most 15 digits, without superfluous zeros and with nothing of a fraction or an exponent behind it.
func Integer(buf []byte, p int) (v int64, end int, ok bool) {
	neg := buf[p] == '-'
	if neg {
		p++
	}
	u, n := Digits(buf, p)
	end = p + n
	if n-1 > 14 || n == 0 || buf[p] == '0' && n > 1 || buf[end] == '.' || buf[end]|0x20 == 'e' {
		return 0, p, false
	}
	if neg {
		return -int64(u), end, true
	}
	return int64(u), end, true
}

// Float reads a number as Integer does, but perhaps with a fraction, of at most 15 digits in all: they and their power of ten are
// exact as float64, so that one division rounds correctly.
func Float(buf []byte, p int) (v float64, end int, ok bool) {
	neg := buf[p] == '-'
	if neg {
		p++
	}
	mant, n := Digits(buf, p)
	if n == 0 || n > 15 || buf[p] == '0' && n > 1 {
		return 0, p, false
	}
	end = p + n
	frac := 0
	if buf[end] == '.' {
		var low uint64
		low, frac = Digits(buf, end+1)
		if frac == 0 || n+frac > 15 {
			return 0, p, false
		}
		mant = mant*pow10[frac] + low
		end += 1 + frac
	}
	if buf[end]|0x20 == 'e' {
		return 0, p, false
	}
	v = float64(mant) / float64(pow10[frac])
	if neg {
		v = -v
	}
	return v, end, true
}
