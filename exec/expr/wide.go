package expr

import (
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// wide is an unsigned integer of 256 bits, lowest word first: room for the exact product of two DECIMALs.
type wide [4]uint64

// magnitude is |n|.
func magnitude(n decimal128.Num) wide {
	if n.Sign() < 0 {
		n = n.Negate()
	}
	return wide{n.LowBits(), uint64(n.HighBits())}
}

// num is w with a sign as a DECIMAL of at most precision digits; ok is false if it has more.
func (w wide) num(negative bool, precision int32) (n decimal128.Num, ok bool) {
	if w.compare(powerOfTen(precision)) >= 0 {
		return n, false
	}
	n = decimal128.New(int64(w[1]), w[0])
	if negative {
		n = n.Negate()
	}
	return n, true
}

// powersOfTen are 10^0 to 10^76.
var powersOfTen = func() (p [77]wide) {
	p[0] = wide{1}
	for i := 1; i < len(p); i++ {
		p[i], _ = p[i-1].times(wide{10})
	}
	return p
}()

func powerOfTen(n int32) wide { return powersOfTen[n] }

func (w wide) isZero() bool { return w[0]|w[1]|w[2]|w[3] == 0 }

func (w wide) compare(v wide) int {
	for i := 3; i >= 0; i-- {
		switch {
		case w[i] < v[i]:
			return -1
		case w[i] > v[i]:
			return 1
		}
	}
	return 0
}

// plus is w + v without carry out of 256 bits.
func (w wide) plus(v wide) wide {
	var c uint64
	for i := range w {
		w[i], c = bits.Add64(w[i], v[i], c)
	}
	return w
}

// minus is w - v for v <= w.
func (w wide) minus(v wide) wide {
	var c uint64
	for i := range w {
		w[i], c = bits.Sub64(w[i], v[i], c)
	}
	return w
}

// times is w · v; ok is false if it needs more than 256 bits.
func (w wide) times(v wide) (product wide, ok bool) {
	if w[1]|w[2]|w[3]|v[1]|v[2]|v[3] == 0 {
		product[1], product[0] = bits.Mul64(w[0], v[0])
		return product, true
	}
	ok = true
	for i, a := range w {
		if a == 0 {
			continue
		}
		var carry uint64
		for j, b := range v {
			hi, lo := bits.Mul64(a, b)
			if i+j > 3 {
				ok = ok && hi|lo == 0
				continue
			}
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			product[i+j], c = bits.Add64(product[i+j], lo, 0)
			carry = hi + c
		}
		ok = ok && carry == 0
	}
	return product, ok
}

// bitLen is the number of bits of w.
func (w wide) bitLen() int {
	for i := 3; i >= 0; i-- {
		if w[i] != 0 {
			return i*64 + bits.Len64(w[i])
		}
	}
	return 0
}

func (w wide) shiftLeft(n uint) (r wide) {
	for i := 3; i >= int(n/64); i-- {
		from := i - int(n/64)
		r[i] = w[from] << (n % 64)
		if from > 0 && n%64 != 0 {
			r[i] |= w[from-1] >> (64 - n%64)
		}
	}
	return r
}

func (w wide) shiftRight(n uint) (r wide) {
	for i := 0; i+int(n/64) < 4; i++ {
		from := i + int(n/64)
		r[i] = w[from] >> (n % 64)
		if from < 3 && n%64 != 0 {
			r[i] |= w[from+1] << (64 - n%64)
		}
	}
	return r
}

// divide is the quotient and the remainder of w and d, which is not 0.
func (w wide) divide(d wide) (quotient, remainder wide) {
	if d.bitLen() <= 64 {
		quotient, remainder[0] = w.divideWord(d[0])
		return quotient, remainder
	}
	if w.compare(d) < 0 {
		return wide{}, w
	}
	return w.divideLong(d)
}

func (w wide) divideWord(d uint64) (quotient wide, remainder uint64) {
	for i := 3; i >= 0; i-- {
		quotient[i], remainder = bits.Div64(remainder, w[i], d)
	}
	return quotient, remainder
}

// divideLong is schoolbook division with 64-bit digits (Knuth's algorithm D) for a divisor of two digits or more.
func (w wide) divideLong(d wide) (quotient, remainder wide) {
	n := (d.bitLen() + 63) / 64
	shift := uint(bits.LeadingZeros64(d[n-1]))
	d = d.shiftLeft(shift)
	u := [5]uint64{4: w.shiftRight(256 - shift)[0]}
	if shift == 0 {
		u[4] = 0
	}
	low := w.shiftLeft(shift)
	copy(u[:], low[:])
	for j := 4 - n; j >= 0; j-- {
		q := estimate(u[j+n], u[j+n-1], u[j+n-2], d[n-1], d[n-2])
		if subtractProduct(u[j:j+n+1], d[:n], q) {
			q--
			addBack(u[j:j+n+1], d[:n])
		}
		quotient[j] = q
	}
	copy(remainder[:n], u[:n])
	return quotient, remainder.shiftRight(shift)
}

// estimate is a digit of the quotient, or one more than it, from the leading digits of dividend and divisor.
func estimate(u2, u1, u0, d1, d0 uint64) uint64 {
	if u2 >= d1 {
		return ^uint64(0)
	}
	q, r := bits.Div64(u2, u1, d1)
	for {
		hi, lo := bits.Mul64(q, d0)
		if hi < r || hi == r && lo <= u0 {
			return q
		}
		q--
		var c uint64
		if r, c = bits.Add64(r, d1, 0); c != 0 {
			return q
		}
	}
}

// subtractProduct takes d·q from u and reports whether that was too much.
func subtractProduct(u, d []uint64, q uint64) bool {
	var carry, borrow uint64
	for i, digit := range d {
		hi, lo := bits.Mul64(q, digit)
		var c uint64
		lo, c = bits.Add64(lo, carry, 0)
		carry = hi + c
		u[i], borrow = bits.Sub64(u[i], lo, borrow)
	}
	u[len(d)], borrow = bits.Sub64(u[len(d)], carry, borrow)
	return borrow != 0
}

func addBack(u, d []uint64) {
	var c uint64
	for i, digit := range d {
		u[i], c = bits.Add64(u[i], digit, c)
	}
	u[len(d)] += c
}

// scaledUp is w · 10^n; ok is false if it needs more than 256 bits.
func (w wide) scaledUp(n int32) (wide, bool) {
	if n == 0 || w.isZero() {
		return w, true
	}
	return w.times(powerOfTen(n))
}

// scaledDown is w / 10^n, rounded half up.
func (w wide) scaledDown(n int32) wide {
	if n == 0 {
		return w
	}
	return w.divideRounded(powerOfTen(n))
}

// divideRounded is w / d, rounded half up.
func (w wide) divideRounded(d wide) wide {
	if w[2]|w[3]|d[1]|d[2]|d[3] == 0 {
		return wide{w[0], w[1]}.divideSmall(d[0])
	}
	q, r := w.divide(d)
	if r.compare(d.minus(r)) >= 0 {
		q = q.plus(wide{1})
	}
	return q
}

// divideSmall is divideRounded for a dividend of two words and a divisor of one.
func (w wide) divideSmall(d uint64) (q wide) {
	var r uint64
	q[1], r = w[1]/d, w[1]%d
	q[0], r = bits.Div64(r, w[0], d)
	if r >= d-r {
		var c uint64
		q[0], c = bits.Add64(q[0], 1, 0)
		q[1] += c
	}
	return q
}
