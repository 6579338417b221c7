package expr

import (
	"bytes"
	"strings"

	"streamsql/internal/text"
)

// dateParts is what a pattern has read from text.
type dateParts struct {
	year, month, day, dayOfYear int
	hour, minute, second        int
	nanos                       int64
	afternoon, hasHalf          bool
	offset                      int
	hasOffset                   bool
}

// parse reads text that must follow the pattern to its end.
func (p datePattern) parse(b []byte) (d dateParts, ok bool) {
	d, rest, ok := p.parsePrefix(b)
	return d, ok && len(rest) == 0
}

// parsePrefix reads text that begins as the pattern says, and gives the rest.
func (p datePattern) parsePrefix(b []byte) (d dateParts, rest []byte, ok bool) {
	d = dateParts{year: 1970, month: 1, day: 1}
	for i := range p {
		adjacent := i+1 < len(p) && p[i+1].isNumber()
		if b, ok = p[i].parse(b, &d, adjacent); !ok {
			return d, b, false
		}
	}
	return d, b, d.valid()
}

// isNumber reports whether the token is read as digits.
func (t *dateToken) isNumber() bool {
	switch t.letter {
	case 0, 'G', 'E', 'a', halfLetter, 'Z', 'X', 'x', 'z', 'V':
		return false
	case 'M', 'L':
		return t.count < 3
	}
	return true
}

// parse reads the token at the start of b and returns the rest; adjacent says that digits of another token follow.
func (t *dateToken) parse(b []byte, d *dateParts, adjacent bool) (rest []byte, ok bool) {
	switch t.letter {
	case 0:
		if len(b) < len(t.text) || string(b[:len(t.text)]) != t.text {
			return nil, false
		}
		return b[len(t.text):], true
	case 'a', halfLetter:
		return parseHalf(b, d)
	case 'E':
		_, rest, ok = parseName(b, dayNames[:], t.count > 3)
		return rest, ok
	case 'Z', 'X', 'x', 'z', 'V':
		return t.parseOffset(b, d)
	case 'S':
		return t.parseFraction(b, d)
	case 'M', 'L':
		if t.count >= 3 {
			i, rest, ok := parseName(b, monthNames[:], t.count > 3)
			d.month = i + 1
			return rest, ok
		}
	}
	if t.blank {
		b = bytes.TrimLeft(b, " ")
		adjacent = false
	}
	n, rest, ok := t.parseDigits(b, adjacent)
	return rest, ok && d.set(t, n)
}

// parseDigits reads a number: exactly as many digits as letters if another number follows, else at least one.
func (t *dateToken) parseDigits(b []byte, adjacent bool) (n int, rest []byte, ok bool) {
	most := 9
	if adjacent || t.letter == 'y' && t.count == 2 {
		most = t.count
	}
	i := 0
	for i < len(b) && i < most && b[i]-'0' <= 9 {
		n = n*10 + int(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0 && (i >= t.count || !adjacent)
}

// set stores a number; ok is false for letters that cannot be read.
func (d *dateParts) set(t *dateToken, n int) (ok bool) {
	switch t.letter {
	case 'y', 'u':
		d.year = n
		if t.count == 2 {
			d.year = 2000 + n
		}
	case 'M', 'L':
		d.month = n
	case 'd':
		d.day = n
	case 'D':
		d.dayOfYear = n
	case 'H':
		d.hour = n
	case 'k':
		d.hour = n % 24
	case 'h', 'K':
		d.hour, d.hasHalf = n%12, true
		return n <= 12
	case 'm':
		d.minute = n
	case 's':
		d.second = n
	case 'n':
		d.nanos = int64(n)
	default:
		return false
	}
	return true
}

func parseHalf(b []byte, d *dateParts) (rest []byte, ok bool) {
	if len(b) < 2 || b[1]|0x20 != 'm' {
		return nil, false
	}
	d.afternoon = b[0]|0x20 == 'p'
	return b[2:], d.afternoon || b[0]|0x20 == 'a'
}

// parseName finds the name, or its first three letters, in any case.
func parseName(b []byte, names []string, full bool) (i int, rest []byte, ok bool) {
	for i, name := range names {
		if !full {
			name = name[:3]
		}
		if len(b) >= len(name) && strings.EqualFold(string(b[:len(name)]), name) {
			return i, b[len(name):], true
		}
	}
	return 0, nil, false
}

// parseFraction reads up to as many digits as letters.
func (t *dateToken) parseFraction(b []byte, d *dateParts) (rest []byte, ok bool) {
	scale := nanosPerSecond
	i := 0
	for i < len(b) && i < t.count && b[i]-'0' <= 9 {
		scale /= 10
		d.nanos += int64(b[i]-'0') * scale
		i++
	}
	return b[i:], i > 0
}

// parseOffset reads Z, +02, +0200 or +02:00.
func (t *dateToken) parseOffset(b []byte, d *dateParts) (rest []byte, ok bool) {
	d.hasOffset = true
	if len(b) > 0 && (b[0] == 'Z' || b[0] == 'z') {
		return b[1:], true
	}
	if len(b) < 3 || b[0] != '+' && b[0] != '-' {
		return nil, false
	}
	hours, ok1 := twoDigits(b[1:])
	rest = b[3:]
	if len(rest) > 2 && rest[0] == ':' {
		rest = rest[1:]
	}
	minutes, ok2 := twoDigits(rest)
	if ok2 {
		rest = rest[2:]
	}
	d.offset = hours*3600 + minutes*60
	if b[0] == '-' {
		d.offset = -d.offset
	}
	return rest, ok1 && hours <= 18 && minutes < 60
}

func twoDigits(b []byte) (n int, ok bool) {
	if len(b) < 2 || b[0]-'0' > 9 || b[1]-'0' > 9 {
		return 0, false
	}
	return int(b[0]-'0')*10 + int(b[1]-'0'), true
}

func (d *dateParts) valid() bool {
	if d.hasHalf && d.afternoon {
		d.hour += 12
	}
	if d.dayOfYear > 0 {
		days := text.Days(d.year, 1, 1) + int64(d.dayOfYear) - 1
		d.year, d.month, d.day = text.Civil(days)
	}
	return d.year > 0 && d.year <= 9999 && d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= text.DaysIn(d.year, d.month) &&
		d.hour < 24 && d.minute < 60 && d.second < 60
}

// millis is the time of the wall clock as milliseconds since 1970-01-01 00:00:00.
func (d *dateParts) millis() int64 {
	seconds := int64(d.hour*3600+d.minute*60+d.second) + text.Days(d.year, d.month, d.day)*(day/second)
	return seconds*1000 + d.nanos/1e6
}
