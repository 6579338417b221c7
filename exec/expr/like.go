package expr

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// likePattern is a pattern of LIKE, taken apart. % matches any characters, _ matches one; characters are code points.
type likePattern struct {
	kind     likeKind
	text     []byte        // of the simple kinds
	segments []likeSegment // between the %s, at least one
}

// likeKind tells the patterns that need no general matcher.
type likeKind int

const (
	likeGeneral  likeKind = iota
	likeEqual             // abc
	likePrefix            // abc%
	likeSuffix            // %abc
	likeContains          // %abc%
)

// likeSegment matches one stretch of text: parts of literal text, each followed by so many _.
type likeSegment struct {
	parts []likePart
	chars int // that it matches
}

type likePart struct {
	text []byte
	any  int
}

var errEscape = errors.New("the ESCAPE character must stand before %, _ or itself")

// parseLike takes a pattern apart; escape is 0 if there is none.
func parseLike(pattern string, escape rune) (*likePattern, error) {
	p := &likePattern{segments: make([]likeSegment, 1)}
	escaped := false
	for _, r := range pattern {
		s := &p.segments[len(p.segments)-1]
		switch {
		case escaped && r != '%' && r != '_' && r != escape:
			return nil, errEscape
		case !escaped && r == escape && escape != 0:
			escaped = true
			continue
		case !escaped && r == '%':
			p.segments = append(p.segments, likeSegment{})
		case !escaped && r == '_':
			s.addAny()
		default:
			s.addChar(r)
		}
		escaped = false
	}
	if escaped {
		return nil, errEscape
	}
	p.classify()
	return p, nil
}

func (s *likeSegment) addChar(r rune) {
	if len(s.parts) == 0 || s.parts[len(s.parts)-1].any > 0 {
		s.parts = append(s.parts, likePart{})
	}
	last := &s.parts[len(s.parts)-1]
	last.text = utf8.AppendRune(last.text, r)
	s.chars++
}

func (s *likeSegment) addAny() {
	if len(s.parts) == 0 {
		s.parts = append(s.parts, likePart{})
	}
	s.parts[len(s.parts)-1].any++
	s.chars++
}

// plain is the text of a segment without _; ok is false if it has one.
func (s *likeSegment) plain() (text []byte, ok bool) {
	switch {
	case len(s.parts) == 0:
		return nil, true
	case len(s.parts) == 1 && s.parts[0].any == 0:
		return s.parts[0].text, true
	}
	return nil, false
}

func (p *likePattern) classify() {
	first, last := &p.segments[0], &p.segments[len(p.segments)-1]
	switch n := len(p.segments); {
	case n == 1:
		p.simplify(first, likeEqual)
	case n == 2 && last.chars == 0:
		p.simplify(first, likePrefix)
	case n == 2 && first.chars == 0:
		p.simplify(last, likeSuffix)
	case n == 3 && first.chars+last.chars == 0:
		p.simplify(&p.segments[1], likeContains)
	}
}

func (p *likePattern) simplify(s *likeSegment, kind likeKind) {
	if text, ok := s.plain(); ok {
		p.kind, p.text = kind, text
	}
}

// match reports whether the pattern matches all of b.
func (p *likePattern) match(b []byte) bool {
	switch p.kind {
	case likeEqual:
		return bytes.Equal(b, p.text)
	case likePrefix:
		return bytes.HasPrefix(b, p.text)
	case likeSuffix:
		return bytes.HasSuffix(b, p.text)
	case likeContains:
		return bytes.Contains(b, p.text)
	}
	return p.matchSegments(b)
}

// matchSegments anchors the first segment at the start and the last at the end, and finds the others from left to right.
func (p *likePattern) matchSegments(b []byte) bool {
	n, ok := p.segments[0].at(b)
	if !ok {
		return false
	}
	b = b[n:]
	last := len(p.segments) - 1
	if last == 0 {
		return len(b) == 0
	}
	for i := range p.segments[1:last] {
		if b, ok = p.segments[1+i].skip(b); !ok {
			return false
		}
	}
	tail := tailChars(b, p.segments[last].chars)
	n, ok = p.segments[last].at(tail)
	return ok && n == len(tail)
}

// at matches the segment at the start of b and returns how many bytes it takes.
func (s *likeSegment) at(b []byte) (n int, ok bool) {
	for _, part := range s.parts {
		if !bytes.HasPrefix(b[n:], part.text) {
			return 0, false
		}
		n += len(part.text)
		for range part.any {
			if n == len(b) {
				return 0, false
			}
			n += charLen(b[n:])
		}
	}
	return n, true
}

// skip returns what follows the first match of the segment in b.
func (s *likeSegment) skip(b []byte) (rest []byte, ok bool) {
	if text, plain := s.plain(); plain {
		i := bytes.Index(b, text)
		if i < 0 {
			return nil, false
		}
		return b[i+len(text):], true
	}
	for {
		if n, ok := s.at(b); ok {
			return b[n:], true
		}
		if len(b) == 0 {
			return nil, false
		}
		b = b[charLen(b):]
	}
}

// charLen is the number of bytes of the first character of b; a byte that is not UTF-8 is a character.
func charLen(b []byte) int {
	if b[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRune(b)
	return n
}

// tailChars is the last n characters of b, or all of it if there are fewer.
func tailChars(b []byte, n int) []byte {
	i := len(b)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRune(b[:i])
		i -= size
	}
	return b[i:]
}

// appendLower appends b in lower case.
func appendLower(dst, b []byte) []byte {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return appendMapped(dst, b[i:], unicode.ToLower)
		}
		if c-'A' < 26 {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// appendUpper appends b in upper case.
func appendUpper(dst, b []byte) []byte {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return appendMapped(dst, b[i:], unicode.ToUpper)
		}
		if c-'a' < 26 {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// appendMapped appends b with each character replaced; bytes that are not UTF-8 stay.
func appendMapped(dst, b []byte, mapping func(rune) rune) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, b[0])
		} else {
			dst = utf8.AppendRune(dst, mapping(r))
		}
		b = b[n:]
	}
	return dst
}

// likeCache keeps the last pattern, so that one that stays the same is taken apart once.
type likeCache struct {
	fold    bool // letters of either case are the same
	known   bool
	pattern string
	escape  string
	parsed  *likePattern
	err     error
	lower   []byte
}

// find returns the parsed pattern.
func (c *likeCache) find(pattern, escape []byte) (*likePattern, error) {
	if c.known && string(pattern) == c.pattern && string(escape) == c.escape {
		return c.parsed, c.err
	}
	c.known, c.pattern, c.escape = true, string(pattern), string(escape)
	c.parsed, c.err = c.parse()
	return c.parsed, c.err
}

func (c *likeCache) parse() (*likePattern, error) {
	pattern, escape := c.pattern, rune(0)
	if c.escape != "" {
		var n int
		if escape, n = utf8.DecodeRuneInString(c.escape); n != len(c.escape) {
			return nil, errors.New("ESCAPE takes a single character, got " + quote(c.escape))
		}
	}
	if c.fold {
		pattern = strings.ToLower(pattern)
		escape = unicode.ToLower(escape)
	}
	return parseLike(pattern, escape)
}
