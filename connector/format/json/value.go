package json

import (
	"unicode/utf8"

	"streamsql/connector/internal/column"
	"streamsql/connector/internal/scan"
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
		v, end, ok := scan.Integer(s.buf, p)
		if ok && c.SetInt(row, v) {
			return end
		}
		return s.number(c, row, p)
	case column.String:
		if s.buf[p] != '"' {
			return s.verbatim(c, row, p)
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
		v, end, ok := scan.Float(s.buf, p)
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

// verbatim reads a value that is no string into a STRING: as its JSON text.
func (s *scanner) verbatim(c *column.Column, row, p int) int {
	end := s.skipValue(p)
	if end > 0 {
		c.SetString(row, s.buf[p:end])
	}
	return end
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
	n := scan.Run(buf, p)
	if n == 0 || buf[p] == '0' && n > 1 {
		return p, false
	}
	p += n
	if buf[p] == '.' {
		n = scan.Run(buf, p+1)
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
		n = scan.Run(buf, p)
		if n == 0 {
			return p, false
		}
		p += n
	}
	return p, true
}
