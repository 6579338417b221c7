package json

import (
	"math"
	"unicode/utf8"

	"streamsql/connector/internal/column"
	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// value reads the value at p, which is not null, into the row of the field.
func (s *scanner) value(f *field, row, p int) int {
	c := f.col
	if c == nil {
		return s.kind(row, p)
	}
	switch c.Shape {
	case column.Int:
		v, end, ok := integer(s.buf, p)
		if ok && c.SetInt(row, v) {
			return end
		}
		return s.number(c, row, p)
	case column.String:
		if s.buf[p] != '"' {
			return s.mismatch(c, p)
		}
		if end := plainEnd(s.buf, p+1); s.buf[end] == '"' {
			c.SetString(row, s.buf[p+1:end])
			return end + 1
		}
		end, v := s.text(p)
		if end > 0 {
			c.SetString(row, v)
		}
		return end
	case column.Float:
		v, end, ok := float(s.buf, p)
		if ok && c.SetFloat(row, v) {
			return end
		}
		return s.number(c, row, p)
	case column.Bool:
		return s.boolean(c, row, p)
	case column.Date, column.Time, column.Timestamp, column.Bytes:
		return s.quoted(c, row, p)
	case column.Decimal:
		return s.number(c, row, p)
	}
	return s.nested(f, row, p)
}

// integer reads a number without fraction and exponent of at most 15 digits.
func integer(buf []byte, p int) (v int64, end int, ok bool) {
	neg := buf[p] == '-'
	if neg {
		p++
	}
	u, n := digits(buf, p)
	end = p + n
	if n-1 > 14 || n == 0 || buf[p] == '0' && n > 1 || buf[end] == '.' || buf[end]|0x20 == 'e' {
		return 0, p, false
	}
	if neg {
		return -int64(u), end, true
	}
	return int64(u), end, true
}

// float reads a number without exponent whose digits and power of ten are exact as float64, so that one division rounds correctly.
func float(buf []byte, p int) (v float64, end int, ok bool) {
	neg := buf[p] == '-'
	if neg {
		p++
	}
	mant, n := digits(buf, p)
	if n == 0 || n > 15 || buf[p] == '0' && n > 1 {
		return 0, p, false
	}
	end = p + n
	frac := 0
	if buf[end] == '.' {
		var low uint64
		low, frac = digits(buf, end+1)
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

// number reads any number, or what stands for one in quotes: a decimal, or a value that JSON has no number for.
func (s *scanner) number(c *column.Column, row, p int) int {
	if s.buf[p] == '"' {
		return s.quotedNumber(c, row, p)
	}
	end, isNumber := numberEnd(s.buf, p)
	if !isNumber {
		return s.mismatch(c, p)
	}
	lit := s.buf[p:end]
	var err error
	if c.Shape == column.Int {
		var v int64
		if v, err = text.ParseIntegral(lit); err == nil && !c.SetInt(row, v) {
			err = text.ErrRange
		}
	} else {
		err = c.SetText(row, lit)
	}
	if err != nil {
		return s.refuse(c, p, end, err)
	}
	return end
}

func (s *scanner) quotedNumber(c *column.Column, row, p int) int {
	end, v := s.text(p)
	if end < 0 {
		return -1
	}
	switch string(v) {
	case "NaN", "Infinity", "-Infinity":
		if c.Shape != column.Float {
			return s.mismatch(c, p)
		}
	default:
		if c.Shape != column.Decimal {
			return s.mismatch(c, p)
		}
	}
	if err := c.SetText(row, v); err != nil {
		return s.refuse(c, p, end, err)
	}
	return end
}

func (s *scanner) boolean(c *column.Column, row, p int) int {
	switch s.buf[p] {
	case 't':
		c.Words[row] = 1
		return s.literal(p, "true")
	case 'f':
		c.Words[row] = 0
		return s.literal(p, "false")
	}
	return s.mismatch(c, p)
}

// quoted reads a string that holds the text of the column's type.
func (s *scanner) quoted(c *column.Column, row, p int) int {
	if s.buf[p] != '"' {
		return s.mismatch(c, p)
	}
	end, v := s.text(p)
	if end < 0 {
		return -1
	}
	if err := c.SetText(row, v); err != nil {
		return s.refuse(c, p, end, err)
	}
	return end
}

// kind reads the kind of change of the row.
func (s *scanner) kind(row, p int) int {
	if s.buf[p] == '"' {
		end, v := s.text(p)
		if end < 0 {
			return -1
		}
		if k, ok := vec.ParseKind(string(v)); ok {
			s.kinds[row] = k
			return end
		}
	}
	return s.unexpected(p, "one of \"+I\", \"-U\", \"+U\", \"-D\"")
}

// literal passes the word at p.
func (s *scanner) literal(p int, word string) int {
	if end := p + len(word); end < len(s.buf) && string(s.buf[p:end]) == word {
		return end
	}
	return s.unexpected(p, word)
}

// text reads the string at p and returns what it stands for, which is valid until the next call.
func (s *scanner) text(p int) (end int, v []byte) {
	start := p + 1
	end = plainEnd(s.buf, start)
	if s.buf[end] == '"' {
		return end + 1, s.buf[start:end]
	}
	if s.buf[end] >= utf8.RuneSelf {
		end = quoteEnd(s.buf, end)
		if s.buf[end] == '"' && utf8.Valid(s.buf[start:end]) {
			return end + 1, s.buf[start:end]
		}
	}
	return s.escaped(start, end)
}

// numberEnd is the place behind the JSON number at p.
func numberEnd(buf []byte, p int) (end int, ok bool) {
	if buf[p] == '-' {
		p++
	}
	n := run(buf, p)
	if n == 0 || buf[p] == '0' && n > 1 {
		return p, false
	}
	p += n
	if buf[p] == '.' {
		n = run(buf, p+1)
		if n == 0 {
			return p, false
		}
		p += 1 + n
	}
	if buf[p]|0x20 == 'e' {
		p++
		if buf[p] == '+' || buf[p] == '-' {
			p++
		}
		n = run(buf, p)
		if n == 0 {
			return p, false
		}
		p += n
	}
	return p, true
}

// run is the number of digits at p.
func run(buf []byte, p int) int {
	n := 0
	for n < math.MaxInt32 {
		_, m := digits8(load(buf, p+n))
		n += m
		if m < 8 {
			break
		}
	}
	return n
}
