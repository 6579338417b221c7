package text

import (
	"strconv"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
)

// fractionDigits is the number of digits after the second that a unit shows.
var fractionDigits = [...]int{arrow.Second: 0, arrow.Millisecond: 3, arrow.Microsecond: 6, arrow.Nanosecond: 9}

// AppendTimestamp appends v, units since 1970-01-01 00:00:00, as YYYY-MM-DD HH:MM:SS with the unit's digits of fraction.
func AppendTimestamp(dst []byte, v int64, unit arrow.TimeUnit) []byte {
	per := perSecond[unit]
	sec := floorDiv(v, per)
	days := floorDiv(sec, secondsPerDay)
	dst = appendCivil(dst, days)
	dst = append(dst, ' ')
	dst = appendClock(dst, int(sec-days*secondsPerDay))
	return appendFraction(dst, v-sec*per, unit)
}

// AppendTimestampLTZ appends the instant v as the wall clock of the zone; with a nil zone as that of UTC, marked by a Z.
func AppendTimestampLTZ(dst []byte, v int64, unit arrow.TimeUnit, loc *time.Location) []byte {
	if loc == nil {
		return append(AppendTimestamp(dst, v, unit), 'Z')
	}
	return AppendTimestamp(dst, ToLocal(v, unit, loc), unit)
}

// AppendDate appends days since 1970-01-01 as YYYY-MM-DD.
func AppendDate(dst []byte, days int32) []byte { return appendCivil(dst, int64(days)) }

// AppendTime appends units since midnight as HH:MM:SS with the unit's digits of fraction.
func AppendTime(dst []byte, v int64, unit arrow.TimeUnit) []byte {
	per := perSecond[unit]
	sec := floorDiv(v, per)
	dst = appendClock(dst, int(sec))
	return appendFraction(dst, v-sec*per, unit)
}

func appendCivil(dst []byte, days int64) []byte {
	year, month, day := Civil(days)
	if year < 0 {
		dst, year = append(dst, '-'), -year
	}
	if year > 9999 {
		dst = strconv.AppendInt(dst, int64(year), 10)
	} else {
		dst = appendTwo(appendTwo(dst, year/100), year%100)
	}
	dst = appendTwo(append(dst, '-'), month)
	return appendTwo(append(dst, '-'), day)
}

func appendClock(dst []byte, sec int) []byte {
	dst = appendTwo(dst, sec/3600)
	dst = appendTwo(append(dst, ':'), sec/60%60)
	return appendTwo(append(dst, ':'), sec%60)
}

func appendFraction(dst []byte, frac int64, unit arrow.TimeUnit) []byte {
	digits := fractionDigits[unit]
	if digits == 0 {
		return dst
	}
	var b [10]byte
	b[0] = '.'
	for i := digits; i > 0; i-- {
		b[i] = byte('0' + frac%10)
		frac /= 10
	}
	return append(dst, b[:digits+1]...)
}

func appendTwo(dst []byte, n int) []byte { return append(dst, byte('0'+n/10), byte('0'+n%10)) }
