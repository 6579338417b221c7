package text

import (
	"math/bits"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
)

// perSecond is the number of units in a second.
var perSecond = [...]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}

const secondsPerDay = 86400

// ParseDate parses YYYY-MM-DD into days since 1970-01-01. Years run from 0001 to 9999.
func ParseDate(b []byte) (int32, error) {
	if len(b) != 10 {
		return 0, ErrSyntax
	}
	days, ok := parseDate(b)
	if !ok {
		return 0, ErrSyntax
	}
	return int32(days), nil
}

// ParseTime parses HH:MM:SS[.f…] into units since midnight; digits beyond the unit are cut off.
func ParseTime(b []byte, unit arrow.TimeUnit) (int64, error) {
	if len(b) < 8 {
		return 0, ErrSyntax
	}
	sec, ok := parseClock(b)
	frac, rest, fracOK := parseFraction(b[8:], unit)
	if !ok || !fracOK || len(rest) != 0 {
		return 0, ErrSyntax
	}
	return sec*perSecond[unit] + frac, nil
}

// ParseTimestamp parses the text of a TIMESTAMP, YYYY-MM-DD HH:MM:SS[.f…], also with T between date and time and with a
// trailing Z, into units since 1970-01-01 00:00:00. Digits beyond the unit are cut off. Any other zone is ErrSyntax.
func ParseTimestamp(b []byte, unit arrow.TimeUnit) (int64, error) {
	v, rest, err := parseLocal(b, unit)
	if err != nil || len(rest) == 0 {
		return v, err
	}
	if len(rest) == 1 && (rest[0] == 'Z' || rest[0] == 'z') {
		return v, nil
	}
	return 0, ErrSyntax
}

// ParseTimestampLTZ parses the text of a TIMESTAMP_LTZ into units since 1970-01-01 00:00:00 UTC: as ParseTimestamp, but the
// text may end with an offset (+02:00, +0200, +02), and text without offset or Z is a wall clock of the zone loc.
func ParseTimestampLTZ(b []byte, unit arrow.TimeUnit, loc *time.Location) (int64, error) {
	v, rest, err := parseLocal(b, unit)
	if err != nil {
		return 0, err
	}
	if len(rest) == 0 {
		return ToUTC(v, unit, loc), nil
	}
	if len(rest) == 1 && (rest[0] == 'Z' || rest[0] == 'z') {
		return v, nil
	}
	offset, ok := parseOffset(rest)
	if !ok {
		return 0, ErrSyntax
	}
	return subtract(v, offset*perSecond[unit])
}

func subtract(a, b int64) (int64, error) {
	d := a - b
	if (a^b)&(a^d) < 0 {
		return 0, ErrRange
	}
	return d, nil
}

// parseLocal parses the date and the time of day and returns what follows them.
func parseLocal(b []byte, unit arrow.TimeUnit) (v int64, rest []byte, err error) {
	if len(b) < 19 || b[10] != ' ' && b[10] != 'T' && b[10] != 't' {
		return 0, nil, ErrSyntax
	}
	days, ok := parseDate(b)
	sec, clockOK := parseClock(b[11:])
	if !ok || !clockOK {
		return 0, nil, ErrSyntax
	}
	sec += days * secondsPerDay
	rest = b[19:]
	var frac int64
	if len(rest) > 0 && rest[0] == '.' {
		if frac, rest, ok = parseFraction(rest, unit); !ok {
			return 0, nil, ErrSyntax
		}
	}
	v, ok = scaleSeconds(sec, unit, frac)
	if !ok {
		return 0, nil, ErrRange
	}
	return v, rest, nil
}

// scaleSeconds is sec·units + frac; only nanoseconds can overflow for four-digit years.
func scaleSeconds(sec int64, unit arrow.TimeUnit, frac int64) (int64, bool) {
	v := sec*perSecond[unit] + frac
	if unit != arrow.Nanosecond {
		return v, true
	}
	hi, _ := bits.Mul64(uint64(max(sec, -sec)), 1e9)
	return v, hi == 0 && (v < 0) == (sec < 0)
}

// parseDate parses the first ten bytes of b.
func parseDate(b []byte) (days int64, ok bool) {
	_ = b[9]
	if b[4] != '-' || b[7] != '-' {
		return 0, false
	}
	y1, ok1 := two(b[0], b[1])
	y2, ok2 := two(b[2], b[3])
	month, ok3 := two(b[5], b[6])
	day, ok4 := two(b[8], b[9])
	year := y1*100 + y2
	if !(ok1 && ok2 && ok3 && ok4) || year == 0 || month-1 > 11 || day-1 > 30 || day > 28 && int(day) > DaysIn(int(year), int(month)) {
		return 0, false
	}
	return Days(int(year), int(month), int(day)), true
}

// parseClock parses the first eight bytes of b into seconds since midnight.
func parseClock(b []byte) (sec int64, ok bool) {
	_ = b[7]
	h, ok1 := two(b[0], b[1])
	m, ok2 := two(b[3], b[4])
	s, ok3 := two(b[6], b[7])
	if !(ok1 && ok2 && ok3) || b[2] != ':' || b[5] != ':' || h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	return int64(h*3600 + m*60 + s), true
}

func two(a, b byte) (uint, bool) {
	a, b = a-'0', b-'0'
	return uint(a)*10 + uint(b), a <= 9 && b <= 9
}

// parseFraction parses ".f…" at the start of b, if there is one, into units and returns what follows.
func parseFraction(b []byte, unit arrow.TimeUnit) (v int64, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '.' {
		return 0, b, true
	}
	scale := perSecond[unit]
	i := 1
	for i < len(b) && b[i]-'0' <= 9 {
		if scale > 1 {
			scale /= 10
			v += int64(b[i]-'0') * scale
		}
		i++
	}
	return v, b[i:], i > 1
}

// parseOffset parses +HH:MM, +HHMM or +HH into seconds east of UTC.
func parseOffset(b []byte) (sec int64, ok bool) {
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	h, ok := two(b[1], b[2])
	var m uint
	okM := true
	switch rest := b[3:]; {
	case len(rest) == 0:
	case len(rest) == 2:
		m, okM = two(rest[0], rest[1])
	case len(rest) == 3 && rest[0] == ':':
		m, okM = two(rest[1], rest[2])
	default:
		okM = false
	}
	if !ok || !okM || h > 18 || m > 59 {
		return 0, false
	}
	sec = int64(h*3600 + m*60)
	if b[0] == '-' {
		sec = -sec
	}
	return sec, true
}

// ToUTC takes a wall clock of the zone, as units since 1970-01-01 00:00:00 of that zone, to the instant it names. A clock that
// a change of offset skips or repeats is read with the offset in force before the change.
func ToUTC(v int64, unit arrow.TimeUnit, loc *time.Location) int64 {
	if loc == nil || loc == time.UTC {
		return v
	}
	per := perSecond[unit]
	sec := floorDiv(v, per)
	_, before := time.Unix(sec-secondsPerDay, 0).In(loc).Zone()
	_, guess := time.Unix(sec-int64(before), 0).In(loc).Zone()
	offset := int64(before)
	if guess != before { // past a change; unless the new offset puts the clock before it
		if _, again := time.Unix(sec-int64(guess), 0).In(loc).Zone(); again == guess {
			offset = int64(guess)
		}
	}
	return v - offset*per
}

// ToLocal is the wall clock of the zone at the instant, as units since 1970-01-01 00:00:00 of that zone.
func ToLocal(v int64, unit arrow.TimeUnit, loc *time.Location) int64 {
	if loc == nil || loc == time.UTC {
		return v
	}
	per := perSecond[unit]
	_, offset := time.Unix(floorDiv(v, per), 0).In(loc).Zone()
	return v + int64(offset)*per
}
