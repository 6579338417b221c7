package expr

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// appendSigned appends digits with the sign that the flags ask for, filled up with zeros to the width if they say so.
func (d *printfDirective) appendSigned(dst []byte, negative bool, digits []byte) []byte {
	start := len(dst)
	closing := false
	switch {
	case negative && d.flags.bracket:
		dst, closing = append(dst, '('), true
	case negative:
		dst = append(dst, '-')
	case d.flags.plus:
		dst = append(dst, '+')
	case d.flags.blank:
		dst = append(dst, ' ')
	}
	grouped := 0 // digits in front of the point, if they get commas
	if d.flags.comma {
		grouped = wholeDigits(digits)
	}
	if d.flags.zeros {
		for n := d.width - (len(dst) - start) - len(digits) - max(grouped-1, 0)/3 - int(bitOf(closing)); n > 0; n-- {
			dst = append(dst, '0')
		}
	}
	for i, c := range digits[:grouped] {
		if i > 0 && (grouped-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c)
	}
	dst = append(dst, digits[grouped:]...)
	if closing {
		dst = append(dst, ')')
	}
	return dst
}

// wholeDigits is the number of digits in front of the point.
func wholeDigits(digits []byte) int {
	whole := 0
	for whole < len(digits) && digits[whole]-'0' < 10 {
		whole++
	}
	return whole
}

// appendInteger writes a whole number of so many bits.
func (d *printfDirective) appendInteger(dst []byte, v int64, bits int) []byte {
	var room [70]byte
	switch d.verb {
	case 'd':
		return d.appendSigned(dst, v < 0, strconv.AppendUint(room[:0], magnitudeOf(v), 10))
	case 'o':
		return d.appendUnsigned(dst, strconv.AppendUint(room[:0], uint64(v)<<(64-bits)>>(64-bits), 8), "0")
	}
	return d.appendUnsigned(dst, strconv.AppendUint(room[:0], uint64(v)<<(64-bits)>>(64-bits), 16), "0x")
}

func magnitudeOf(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func (d *printfDirective) appendUnsigned(dst, digits []byte, prefix string) []byte {
	start := len(dst)
	if d.flags.alternate {
		dst = append(dst, prefix...)
	}
	if d.flags.zeros {
		for n := d.width - (len(dst) - start) - len(digits); n > 0; n-- {
			dst = append(dst, '0')
		}
	}
	return append(dst, digits...)
}

// appendFloat writes a number by %e, %f or %g, with six digits of fraction, or of all for %g, unless the precision says otherwise.
func (d *printfDirective) appendFloat(dst []byte, v float64) []byte {
	if math.IsNaN(v) {
		return append(dst, "NaN"...)
	}
	var room [400]byte
	digits := room[:0]
	switch u := math.Abs(v); {
	case math.IsInf(u, 0):
		zeros := *d
		zeros.flags.zeros, zeros.flags.comma = false, false
		return zeros.appendSigned(dst, v < 0, []byte("Infinity"))
	case d.verb == 'g':
		digits = appendGeneral(digits, u, d.precision)
	default:
		precision := d.precision
		if precision < 0 {
			precision = 6
		}
		digits = strconv.AppendFloat(digits, u, d.verb, precision, 64)
	}
	return d.appendSigned(dst, math.Signbit(v), digits)
}

// appendGeneral writes so many significant digits, with an exponent if the number is small or has more digits than that.
func appendGeneral(dst []byte, v float64, precision int) []byte {
	switch {
	case precision < 0:
		precision = 6
	case precision == 0:
		precision = 1
	}
	start := len(dst)
	scientific := strconv.AppendFloat(dst, v, 'e', precision-1, 64)
	if v == 0 {
		return strconv.AppendFloat(dst, v, 'f', precision-1, 64)
	}
	at := len(scientific) - 1
	for scientific[at] != 'e' {
		at--
	}
	exponent, _ := strconv.Atoi(string(scientific[at+1:]))
	if exponent < -4 || exponent >= precision {
		return scientific
	}
	return strconv.AppendFloat(dst[:start], v, 'f', precision-1-exponent, 64)
}

// pad brings what dst holds from start on to the width, and to upper case if asked for.
func (d *printfDirective) pad(dst []byte, start int) []byte {
	if d.upper {
		size := len(dst)
		dst = appendUpper(dst, dst[start:])
		dst = dst[:start+copy(dst[start:], dst[size:])]
	}
	missing := d.width - utf8.RuneCount(dst[start:])
	if missing <= 0 {
		return dst
	}
	size := len(dst)
	for range missing {
		dst = append(dst, ' ')
	}
	if !d.flags.left {
		copy(dst[start+missing:], dst[start:size])
		for i := range missing {
			dst[start+i] = ' '
		}
	}
	return dst
}
