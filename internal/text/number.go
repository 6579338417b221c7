package text

import (
	"math"
	"strconv"
	"unsafe"
)

// ParseInt64 parses a decimal integer with an optional sign.
func ParseInt64(b []byte) (int64, error) {
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 {
		return 0, ErrSyntax
	}
	if len(b) > 18 {
		return parseLongInt(b, neg)
	}
	var n int64
	for _, c := range b {
		d := c - '0'
		if d > 9 {
			return 0, ErrSyntax
		}
		n = n*10 + int64(d)
	}
	if neg {
		n = -n
	}
	return n, nil
}

// parseLongInt is ParseInt64 for digits that may not fit.
func parseLongInt(b []byte, neg bool) (int64, error) {
	var n uint64
	fits := true
	for _, c := range b {
		d := c - '0'
		if d > 9 {
			return 0, ErrSyntax
		}
		if n > (math.MaxUint64-9)/10 {
			fits = false
		}
		n = n*10 + uint64(d)
	}
	switch {
	case neg && fits && n <= 1<<63:
		return -int64(n), nil
	case !neg && fits && n < 1<<63:
		return int64(n), nil
	}
	return 0, ErrRange
}

// ParseIntegral parses a decimal number, with or without fraction and exponent, whose value is an integer: 12, 12.0, 1.2e1. One
// that is not is ErrSyntax.
func ParseIntegral(b []byte) (int64, error) {
	neg, digits, point, exp, ok := splitDecimal(b)
	if !ok {
		return 0, ErrSyntax
	}
	whole := point + exp // leading digits that stand before the point once the exponent is applied
	var n uint64
	fits := true
	seen := 0
	for _, c := range digits {
		switch {
		case c == '.':
			continue
		case seen < whole:
			fits = fits && n <= 1<<63/10
			n = n*10 + uint64(c-'0')
		case c != '0':
			return 0, ErrSyntax
		}
		seen++
	}
	for ; seen < whole && n != 0 && fits; seen++ {
		fits = n <= 1<<63/10
		n *= 10
	}
	switch {
	case fits && neg && n <= 1<<63:
		return -int64(n), nil
	case fits && !neg && n < 1<<63:
		return int64(n), nil
	}
	return 0, ErrRange
}

// pow10 holds the powers of ten a float64 represents exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// ParseFloat64 parses a decimal number, with or without fraction and exponent, to the nearest float64. It also takes NaN,
// Infinity, +Infinity and -Infinity in any case, and Inf for Infinity. A number too large is ErrRange, never Infinity.
func ParseFloat64(b []byte) (float64, error) {
	if v, ok := parseShortFloat(b); ok {
		return v, nil
	}
	return parseFloat(b, 64)
}

// ParseFloat32 is ParseFloat64 to the nearest float32.
func ParseFloat32(b []byte) (float32, error) {
	v, err := parseFloat(b, 32)
	return float32(v), err
}

func parseFloat(b []byte, bits int) (float64, error) {
	for _, c := range b {
		if c == '_' || c == 'x' || c == 'X' || c == 'p' || c == 'P' { // Go's own spellings are not SQL's
			return 0, ErrSyntax
		}
	}
	v, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), bits)
	if err == nil {
		return v, nil
	}
	if math.IsInf(v, 0) {
		return 0, ErrRange
	}
	return 0, ErrSyntax
}

// parseShortFloat handles numbers whose digits fit 53 bits and whose power of ten is exact: one division or multiplication of
// exact values rounds correctly.
func parseShortFloat(b []byte) (v float64, ok bool) {
	i, n := 0, len(b)
	neg := n > 0 && b[0] == '-'
	if neg {
		i = 1
	}
	var mant uint64
	start := i
	for i < n && b[i]-'0' <= 9 {
		mant = mant*10 + uint64(b[i]-'0')
		i++
	}
	digits, exp := i-start, 0
	if i < n && b[i] == '.' {
		i++
		frac := i
		for i < n && b[i]-'0' <= 9 {
			mant = mant*10 + uint64(b[i]-'0')
			i++
		}
		exp = i - frac
		digits += exp
	}
	if i != n || digits == 0 || digits > 19 || exp >= len(pow10) || mant > 1<<53 {
		return 0, false
	}
	v = float64(mant) / pow10[exp]
	if neg {
		v = -v
	}
	return v, true
}

// AppendFloat64 appends the shortest text that parses back to v: a fraction is always shown ("1.0"), the exponent form is
// used below 1e-6 and from 1e16 on. Non-finite values are NaN, Infinity and -Infinity.
func AppendFloat64(dst []byte, v float64) []byte { return appendFloat(dst, v, 64) }

// AppendFloat32 is AppendFloat64 for a float32.
func AppendFloat32(dst []byte, v float32) []byte { return appendFloat(dst, float64(v), 32) }

func appendFloat(dst []byte, v float64, bits int) []byte {
	switch {
	case v != v:
		return append(dst, "NaN"...)
	case v > math.MaxFloat64:
		return append(dst, "Infinity"...)
	case v < -math.MaxFloat64:
		return append(dst, "-Infinity"...)
	}
	abs := math.Abs(v)
	if abs < 1e15 && v == math.Trunc(v) && (v != 0 || !math.Signbit(v)) && bits == 64 {
		return append(strconv.AppendInt(dst, int64(v), 10), ".0"...)
	}
	if abs != 0 && (abs < 1e-6 || abs >= 1e16) {
		return strconv.AppendFloat(dst, v, 'e', -1, bits)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', -1, bits)
	for _, c := range dst[start:] {
		if c == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// ParseBool parses true, t, yes, y, 1 and false, f, no, n, 0 in any case.
func ParseBool(b []byte) (bool, error) {
	var word [5]byte
	if len(b) > len(word) {
		return false, ErrSyntax
	}
	for i, c := range b {
		if c-'A' < 26 {
			c += 'a' - 'A'
		}
		word[i] = c
	}
	switch string(word[:len(b)]) {
	case "true", "t", "yes", "y", "1":
		return true, nil
	case "false", "f", "no", "n", "0":
		return false, nil
	}
	return false, ErrSyntax
}
