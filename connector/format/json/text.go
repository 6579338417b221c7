package json

import (
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads the rest of a string that begins at start and is plain up to p. It returns what the string stands for, in scratch.
func (s *scanner) escaped(start, p int) (end int, v []byte) {
	out := append(s.scratch[:0], s.buf[start:p]...)
	defer func() { s.scratch = out[:0] }()
	if !utf8.Valid(out) {
		return s.fail("", "the text is not valid UTF-8"), nil
	}
	for {
		switch c := s.buf[p]; {
		case c == '"':
			return p + 1, out
		case c == '\\':
			n := 0
			out, n = unescape(out, s.buf, p)
			if n == 0 {
				return s.unexpected(p, "an escape such as \\n or \\u00e9"), nil
			}
			p += n
		case c < ' ':
			return s.unexpected(p, "a closing quote"), nil
		default:
			next := quoteEnd(s.buf, p)
			if !utf8.Valid(s.buf[p:next]) {
				return s.fail("", "the text is not valid UTF-8"), nil
			}
			out = append(out, s.buf[p:next]...)
			p = next
		}
	}
}

// unescape appends what the escape at p stands for and returns its length, or 0 if it is none.
func unescape(out, buf []byte, p int) ([]byte, int) {
	switch c := buf[p+1]; c {
	case '"', '\\', '/':
		return append(out, c), 2
	case 'n':
		return append(out, '\n'), 2
	case 't':
		return append(out, '\t'), 2
	case 'r':
		return append(out, '\r'), 2
	case 'b':
		return append(out, '\b'), 2
	case 'f':
		return append(out, '\f'), 2
	case 'u':
		return unescapeUnit(out, buf, p)
	}
	return out, 0
}

// unescapeUnit is unescape for \uXXXX, alone or as the first half of a surrogate pair. Half a pair becomes U+FFFD.
func unescapeUnit(out, buf []byte, p int) ([]byte, int) {
	r, ok := unit(buf, p)
	if !ok {
		return out, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := unit(buf, p+6); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return utf8.AppendRune(out, pair), 12
			}
		}
		r = utf8.RuneError
	}
	return utf8.AppendRune(out, r), 6
}

// unit reads \uXXXX at p.
func unit(buf []byte, p int) (rune, bool) {
	if p+6 > len(buf) || buf[p] != '\\' || buf[p+1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range buf[p+2 : p+6] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20-'a' <= 5:
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
