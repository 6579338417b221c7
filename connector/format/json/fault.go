package json

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"streamsql/connector/format"
	"streamsql/connector/internal/column"
	"streamsql/internal/text"
)

// fault is why a record is bad.
type fault struct {
	field  string
	reason string
}

// fail notes why the record is bad.
func (s *scanner) fail(field, reason string) int {
	s.fault = fault{field, reason}
	return -1
}

// unexpected fails since something else stands at p.
func (s *scanner) unexpected(p int, expected string) int {
	return s.fail("", "malformed JSON: expected "+expected+", got "+s.describe(p))
}

// mismatch fails since the value at p is of another type than the column.
func (s *scanner) mismatch(c *column.Column, p int) int {
	found := s.describe(p)
	end := s.skipValue(p)
	if end < 0 {
		return -1
	}
	if b := s.buf[p]; b == '"' {
		found = "string " + format.Excerpt(s.buf[p+1:end-1])
	} else if b == '-' || b-'0' <= 9 {
		found = "number " + string(s.buf[p:end])
	}
	return s.fail("", "expected "+typeName(c)+", got "+found)
}

// refuse fails since the value between p and end is not one of the column's type.
func (s *scanner) refuse(c *column.Column, p, end int, err error) int {
	if !errors.Is(err, text.ErrRange) {
		return s.mismatch(c, p)
	}
	return s.fail("", string(s.buf[p:end])+" is out of range for "+typeName(c))
}

// describe names what stands at p.
func (s *scanner) describe(p int) string {
	switch c := s.buf[p]; {
	case c == '\n':
		return "the end of the line"
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case c == '"':
		return "a string"
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.buf[p:], []byte(word)) {
			return word
		}
	}
	r, _ := utf8.DecodeRune(s.buf[p:])
	return fmt.Sprintf("%q", r)
}

func typeName(c *column.Column) string { return text.TypeName(c.Type) }
