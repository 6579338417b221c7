package json

import (
	"streamsql/connector/format"
	"streamsql/connector/internal/column"
)

// nested reads the array or object at p into the row of a column of Shape List, Map or Struct.
func (s *scanner) nested(f *field, row, p int) int {
	opening := byte('{')
	if f.col.Shape == column.List {
		opening = '['
	}
	if s.buf[p] != opening {
		return s.mismatch(f.col, p)
	}
	if s.depth++; s.depth > maxDepth {
		return s.fail("", "values are nested too deep")
	}
	f.col.Begin(row)
	switch f.col.Shape {
	case column.List:
		p = s.list(f, row, p)
	case column.Map:
		p = s.entries(f, row, p)
	default:
		p = s.object(f.object, row, p)
	}
	s.depth--
	return p
}

func (s *scanner) list(f *field, row, p int) int {
	c, elem := f.col, f.inner[0]
	i := int(c.Ends[row])
	elem.col.Begin(i)
	p = skip(s.buf, p+1)
	if s.buf[p] == ']' {
		c.Ends[row+1] = int32(i)
		return p + 1
	}
	for {
		if p = s.element(elem, i, p); p < 0 {
			return -1
		}
		i++
		p = skip(s.buf, p)
		if s.buf[p] == ']' {
			c.Ends[row+1] = int32(i)
			return p + 1
		}
		if s.buf[p] != ',' {
			return s.unexpected(p, "',' or ']'")
		}
		p = skip(s.buf, p+1)
	}
}

// element reads the value at p, which may be null, into a row of a column inside another.
func (s *scanner) element(f *field, row, p int) int {
	f.col.Grow(row + 1)
	if s.buf[p] != 'n' {
		return s.value(f, row, p)
	}
	f.col.SetNull(row)
	return s.literal(p, "null")
}

// entry is a key of a map with the place of its value.
type entry struct {
	key   string
	value int
}

// entries reads a map. Of a key that occurs more than once the last value counts.
func (s *scanner) entries(f *field, row, p int) int {
	entries, end := s.scanEntries(p)
	if end < 0 {
		return -1
	}
	c, key, value := f.col, f.inner[0], f.inner[1]
	first := int(c.Ends[row])
	key.col.Begin(first)
	value.col.Begin(first)
	for i, e := range entries {
		key.col.Grow(first + i + 1)
		if err := key.col.SetText(first+i, []byte(e.key)); err != nil {
			return s.fail("", "the key "+format.Excerpt([]byte(e.key))+" is no "+typeName(key.col))
		}
		if s.element(value, first+i, e.value) < 0 {
			return -1
		}
	}
	c.Ends[row+1] = int32(first + len(entries))
	return end
}

// scanEntries finds the entries of the object at p and the place behind it.
func (s *scanner) scanEntries(p int) (entries []entry, end int) {
	index := map[string]int{}
	p = skip(s.buf, p+1)
	if s.buf[p] == '}' {
		return nil, p + 1
	}
	for {
		if s.buf[p] != '"' {
			return nil, s.unexpected(p, "a key in double quotes")
		}
		next, name := s.text(p)
		if next < 0 {
			return nil, -1
		}
		e := entry{key: string(name)}
		if e.value = s.after(next, ':'); e.value < 0 {
			return nil, -1
		}
		if p = s.skipValue(e.value); p < 0 {
			return nil, -1
		}
		if i, again := index[e.key]; again {
			entries[i] = e
		} else {
			index[e.key] = len(entries)
			entries = append(entries, e)
		}
		p = skip(s.buf, p)
		if s.buf[p] == '}' {
			return entries, p + 1
		}
		if s.buf[p] != ',' {
			return nil, s.unexpected(p, "',' or '}'")
		}
		p = skip(s.buf, p+1)
	}
}

// skipValue passes the value at p, whatever it is, as long as it is valid JSON.
func (s *scanner) skipValue(p int) int {
	switch c := s.buf[p]; {
	case c == '"':
		end := plainEnd(s.buf, p+1)
		if s.buf[end] == '"' {
			return end + 1
		}
		end, _ = s.text(p)
		return end
	case c == '{' || c == '[':
		if s.depth++; s.depth > maxDepth {
			return s.fail("", "values are nested too deep")
		}
		p = s.skipNested(p, c == '{')
		s.depth--
		return p
	case c == 't':
		return s.literal(p, "true")
	case c == 'f':
		return s.literal(p, "false")
	case c == 'n':
		return s.literal(p, "null")
	}
	end, ok := numberEnd(s.buf, p)
	if !ok {
		return s.unexpected(end, "a value")
	}
	return end
}

func (s *scanner) skipNested(p int, object bool) int {
	closing, expected := byte(']'), "',' or ']'"
	if object {
		closing, expected = '}', "',' or '}'"
	}
	p = skip(s.buf, p+1)
	if s.buf[p] == closing {
		return p + 1
	}
	for {
		if object {
			if s.buf[p] != '"' {
				return s.unexpected(p, "a field name in double quotes")
			}
			if p, _ = s.text(p); p < 0 {
				return -1
			}
			if p = s.after(p, ':'); p < 0 {
				return -1
			}
		}
		if p = s.skipValue(p); p < 0 {
			return -1
		}
		p = skip(s.buf, p)
		if s.buf[p] == closing {
			return p + 1
		}
		if s.buf[p] != ',' {
			return s.unexpected(p, expected)
		}
		p = skip(s.buf, p+1)
	}
}
