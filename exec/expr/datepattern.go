package expr

import (
	"fmt"
	"strconv"
	"strings"

	"streamsql/internal/text"
)

// datePattern is a pattern of Java's date formats, such as yyyy-MM-dd HH:mm:ss.SSS, taken apart.
type datePattern []dateToken

// dateToken is a run of one pattern letter, or literal text with letter 0.
type dateToken struct {
	letter byte
	count  int
	blank  bool // numbers are filled up with blanks and not with zeros
	text   string
}

// dateLetters are the letters a pattern may have.
const dateLetters = "GyuMLdDEaHhKkmsSnQwVzZXx"

// parseDatePattern takes a pattern apart. Text between apostrophes stands for itself, as do characters other than letters.
func parseDatePattern(pattern string) (datePattern, error) {
	var p datePattern
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch {
		case c == '\'':
			literal, next, ok := quotedText(pattern, i)
			if !ok {
				return nil, fmt.Errorf("the pattern %s has an apostrophe without its partner", quote(pattern))
			}
			p = append(p, dateToken{text: literal})
			i = next
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			n := 1
			for i+n < len(pattern) && pattern[i+n] == c {
				n++
			}
			if strings.IndexByte(dateLetters, c) < 0 {
				return nil, fmt.Errorf("the pattern %s has the letter %c, which means nothing; put text between apostrophes", quote(pattern), c)
			}
			p = append(p, dateToken{letter: c, count: n})
			i += n
		default:
			p = append(p, dateToken{text: pattern[i : i+1]})
			i++
		}
	}
	return p, nil
}

// quotedText is the text between the apostrophe at i and its partner; two in a row are one.
func quotedText(pattern string, i int) (literal string, next int, ok bool) {
	if strings.HasPrefix(pattern[i:], "''") {
		return "'", i + 2, true
	}
	var b strings.Builder
	for i++; i < len(pattern); i++ {
		if pattern[i] != '\'' {
			b.WriteByte(pattern[i])
			continue
		}
		if i+1 == len(pattern) || pattern[i+1] != '\'' {
			return b.String(), i + 1, true
		}
		b.WriteByte('\'')
		i++
	}
	return "", 0, false
}

var (
	monthNames = [...]string{
		"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
	}
	dayNames = [...]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// moment is a time taken apart for a pattern: its date, nanoseconds of the day, and offset from UTC in seconds.
type moment struct {
	days, nanos      int64
	year, month, day int
	offset           int
}

func momentOf(days, nanos int64, offset int) moment {
	m := moment{days: days, nanos: nanos, offset: offset}
	m.year, m.month, m.day = text.Civil(days)
	return m
}

// append appends the text of m.
func (p datePattern) append(dst []byte, m *moment) []byte {
	for i := range p {
		dst = p[i].append(dst, m)
	}
	return dst
}

func (t *dateToken) append(dst []byte, m *moment) []byte {
	switch t.letter {
	case 0:
		return append(dst, t.text...)
	case 'y', 'u':
		if t.count == 2 {
			return appendPadded(dst, m.year%100, 2)
		}
		return appendPadded(dst, m.year, t.count)
	case 'M', 'L':
		return t.appendName(dst, m.month, monthNames[m.month-1])
	case 'E':
		return t.appendName(dst, int(weekday(m.days))+1, dayNames[weekday(m.days)])
	case 'G':
		return append(dst, era(m.year)...)
	case 'a':
		return append(dst, [...]string{"AM", "PM"}[m.nanos/(12*nanosPerHour)]...)
	case 'S':
		return appendFraction(dst, m.nanos%nanosPerSecond, t.count)
	case 'Z', 'X', 'x', 'z', 'V':
		return t.appendOffset(dst, m.offset)
	case halfLetter:
		return append(dst, [...]string{"am", "pm"}[m.nanos/(12*nanosPerHour)]...)
	case epochLetter:
		return strconv.AppendInt(dst, m.days*(day/second)+m.nanos/nanosPerSecond-int64(m.offset), 10)
	case isoYearLetter:
		if t.count == 2 {
			return appendPadded(dst, strftimeNumber(t.letter, m)%100, 2)
		}
		return appendPadded(dst, strftimeNumber(t.letter, m), t.count)
	case centuryLetter, isoDayLetter, sundayWeekLetter, mondayWeekLetter, isoWeekdayLetter, weekdayLetter:
		return appendPadded(dst, strftimeNumber(t.letter, m), t.count)
	}
	n := t.number(m)
	if t.blank && n < 10 {
		return appendPadded(append(dst, ' '), n, 1)
	}
	return appendPadded(dst, n, t.count)
}

func era(year int) string {
	if year <= 0 {
		return "BC"
	}
	return "AD"
}

// number is the value of a letter that stands for a number.
func (t *dateToken) number(m *moment) int {
	hours := int(m.nanos / nanosPerHour)
	switch t.letter {
	case 'd':
		return m.day
	case 'D':
		return int(dayOfYear(m.days))
	case 'H':
		return hours
	case 'k':
		return (hours+23)%24 + 1
	case 'K':
		return hours % 12
	case 'h':
		return (hours+11)%12 + 1
	case 'm':
		return int(m.nanos / nanosPerMinute % 60)
	case 's':
		return int(m.nanos / nanosPerSecond % 60)
	case 'n':
		return int(m.nanos % nanosPerSecond)
	case 'Q':
		return (m.month + 2) / 3
	}
	return int((dayOfYear(thursdayOf(m.days))-1)/7 + 1) // w
}

// appendName appends a number, its three-letter name or its full name, by the number of letters.
func (t *dateToken) appendName(dst []byte, n int, name string) []byte {
	switch {
	case t.count > 3:
		return append(dst, name...)
	case t.count == 3 || t.letter == 'E':
		return append(dst, name[:3]...)
	}
	return appendPadded(dst, n, t.count)
}

func appendPadded(dst []byte, n, width int) []byte {
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	var buf [20]byte
	digits := strconv.AppendInt(buf[:0], int64(n), 10)
	for i := len(digits); i < width; i++ {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// appendFraction appends the first so many digits of the fraction of a second.
func appendFraction(dst []byte, nanos int64, digits int) []byte {
	for scale := int64(1e8); digits > 0; digits-- {
		if scale == 0 {
			dst = append(dst, '0')
			continue
		}
		dst = append(dst, byte('0'+nanos/scale%10))
		scale /= 10
	}
	return dst
}

// appendOffset appends +0200 for Z, +02:00 for three letters, +02 for one; X writes Z for UTC.
func (t *dateToken) appendOffset(dst []byte, offset int) []byte {
	if t.letter == 'X' && offset == 0 {
		return append(dst, 'Z')
	}
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	dst = appendPadded(append(dst, sign), offset/3600, 2)
	minutes := offset / 60 % 60
	switch {
	case t.letter == 'Z' || t.count == 2:
		return appendPadded(dst, minutes, 2)
	case t.count == 1 && minutes == 0 && t.letter != 'z':
		return dst
	}
	return appendPadded(append(dst, ':'), minutes, 2)
}
