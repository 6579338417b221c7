package text

import (
	"math/bits"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// MaxPrecision is the largest number of digits of a DECIMAL.
const MaxPrecision = 38

// ParseDecimal parses a decimal number, with or without fraction and exponent, into an integer count of 10^-scale. It is exact
// but for digits beyond the scale, which are rounded half away from zero. A value of more than precision digits is ErrRange.
func ParseDecimal(b []byte, precision, scale int32) (decimal128.Num, error) {
	neg, digits, point, exp, ok := splitDecimal(b)
	if !ok {
		return decimal128.Num{}, ErrSyntax
	}
	keep := point + int(scale) + exp // leading digits that count; the one after them rounds
	var hi, lo uint64
	seen := 0
	for _, c := range digits {
		if c == '.' {
			continue
		}
		if seen == keep {
			if c >= '5' {
				hi, lo = mulAdd(hi, lo, 1, 1)
			}
			seen++
			break
		}
		if seen > keep {
			break
		}
		if hi > 1<<59 {
			return decimal128.Num{}, ErrRange
		}
		hi, lo = mulAdd(hi, lo, 10, uint64(c-'0'))
		seen++
	}
	for ; seen < keep && hi|lo != 0; seen++ {
		if hi > 1<<59 {
			return decimal128.Num{}, ErrRange
		}
		hi, lo = mulAdd(hi, lo, 10, 0)
	}
	limit := decimal128.GetScaleMultiplier(int(precision))
	if h := uint64(limit.HighBits()); hi > h || hi == h && lo >= limit.LowBits() {
		return decimal128.Num{}, ErrRange
	}
	n := decimal128.New(int64(hi), lo)
	if neg {
		n = n.Negate()
	}
	return n, nil
}

// mulAdd is (hi,lo)·m + a modulo 2^128.
func mulAdd(hi, lo, m, a uint64) (uint64, uint64) {
	h, l := bits.Mul64(lo, m)
	l, carry := bits.Add64(l, a, 0)
	return hi*m + h + carry, l
}

// splitDecimal takes the text apart: digits holds the digits and perhaps a point, point the number of digits before it.
func splitDecimal(b []byte) (neg bool, digits []byte, point, exp int, ok bool) {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	count, i := 0, 0
	point = -1
	for ; i < len(b); i++ {
		if b[i]-'0' <= 9 {
			count++
		} else if b[i] == '.' && point < 0 {
			point = count
		} else {
			break
		}
	}
	if point < 0 {
		point = count
	}
	digits = b[:i]
	if i < len(b) {
		exp, ok = parseExponent(b[i:])
		return neg, digits, point, exp, ok && count > 0
	}
	return neg, digits, point, 0, count > 0
}

// parseExponent parses e[+-]d…; values beyond any decimal are cut to ±100000.
func parseExponent(b []byte) (int, bool) {
	if len(b) < 2 || b[0]|0x20 != 'e' {
		return 0, false
	}
	b = b[1:]
	neg := b[0] == '-'
	if neg || b[0] == '+' {
		b = b[1:]
	}
	exp := 0
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		exp = min(exp*10+int(c-'0'), 100000)
	}
	if neg {
		exp = -exp
	}
	return exp, len(b) > 0
}

// AppendDecimal appends n, a count of 10^-scale, with exactly scale digits of fraction.
func AppendDecimal(dst []byte, n decimal128.Num, scale int32) []byte {
	hi, lo := uint64(n.HighBits()), n.LowBits()
	if n.Sign() < 0 {
		dst = append(dst, '-')
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	var buf [48]byte
	digits := appendUint128(buf[:0], hi, lo)
	whole := len(digits) - int(scale)
	if whole <= 0 {
		dst = append(dst, '0')
	} else {
		dst = append(dst, digits[:whole]...)
	}
	if scale <= 0 {
		return dst
	}
	dst = append(dst, '.')
	for ; whole < 0; whole++ {
		dst = append(dst, '0')
	}
	return append(dst, digits[len(digits)-min(len(digits), int(scale)):]...)
}

// appendUint128 appends the decimal digits of a number below 10^39.
func appendUint128(dst []byte, hi, lo uint64) []byte {
	if hi == 0 {
		return strconv.AppendUint(dst, lo, 10)
	}
	const e19 = 1e19
	qhi, r := hi/e19, hi%e19
	qlo, rest := bits.Div64(r, lo, e19)
	dst = appendUint128(dst, qhi, qlo)
	var low [19]byte
	for i := 18; i >= 0; i-- {
		low[i] = byte('0' + rest%10)
		rest /= 10
	}
	return append(dst, low[:]...)
}
