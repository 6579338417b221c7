package json

import (
	"streamsql/exec/vec"
)

// scanner reads records into columns. Its methods take the place of a value in buf and return the place behind it, or -1 after
// noting in fault why the record is bad.
type scanner struct {
	buf     []byte
	root    *object
	kinds   []vec.Kind // by row; nil unless records carry their kind
	stamp   uint64     // distinguishes objects
	depth   int
	scratch []byte
	fault   fault
}

// maxDepth bounds how deep values may be nested.
const maxDepth = 1000

// record reads the record at p, which no blank precedes, as the given row. It returns the place of its line break.
func (s *scanner) record(row, p int) int {
	if s.buf[p] != '{' {
		return s.unexpected(p, "a JSON object")
	}
	s.depth = 0
	p = s.object(s.root, row, p)
	if p < 0 {
		return -1
	}
	p = skip(s.buf, p)
	if s.buf[p] != '\n' {
		return s.unexpected(p, "the end of the line")
	}
	return p
}

// object reads the JSON object at p into the row's fields of o. Fields it lacks are NULL.
func (s *scanner) object(o *object, row, p int) int {
	s.stamp++
	stamp, missing, last := s.stamp, len(o.fields), &o.start
	buf := s.buf
	p = skip(buf, p+1)
	if buf[p] == '}' {
		return s.finish(o, row, stamp, missing, p+1)
	}
	for {
		k := last.next
		if k != nil && p+len(k.quoted) <= len(buf) && string(buf[p:p+len(k.quoted)]) == string(k.quoted) {
			p += len(k.quoted)
		} else if k, p = s.key(o, last, p); p < 0 {
			return -1
		}
		if buf[p] == ':' && buf[p+1] > ' ' {
			p++
		} else if p = s.after(p, ':'); p < 0 {
			return -1
		}
		f := k.field
		if f == nil || f.seen == stamp && f.exact == stamp && !k.exact {
			p = s.skipValue(p)
		} else {
			if f.seen != stamp || f.null == stamp {
				missing--
			}
			f.seen, f.null = stamp, 0
			if k.exact {
				f.exact = stamp
			}
			if buf[p] == 'n' {
				f.null = stamp
				missing++
				p = s.literal(p, "null")
			} else if p = s.value(f, row, p); p < 0 {
				s.blame(f)
			}
		}
		if p < 0 {
			return -1
		}
		if buf[p] <= ' ' {
			p = skip(buf, p)
		}
		if buf[p] == '}' {
			return s.finish(o, row, stamp, missing, p+1)
		}
		if buf[p] != ',' {
			return s.unexpected(p, "',' or '}'")
		}
		if p++; buf[p] <= ' ' {
			p = skip(buf, p)
		}
		last = k
	}
}

// after passes the byte c and the blanks around it.
func (s *scanner) after(p int, c byte) int {
	if s.buf[p] <= ' ' {
		p = skip(s.buf, p)
	}
	if s.buf[p] != c {
		return s.unexpected(p, "'"+string(c)+"'")
	}
	if p++; s.buf[p] <= ' ' {
		p = skip(s.buf, p)
	}
	return p
}

// key reads a key other than the one expected after last, and expects it next time.
func (s *scanner) key(o *object, last *key, p int) (*key, int) {
	if s.buf[p] != '"' {
		return nil, s.unexpected(p, "a field name in double quotes")
	}
	end, name := s.text(p)
	if end < 0 {
		return nil, -1
	}
	k := o.keys[string(s.buf[p:end])]
	if k == nil {
		k = o.learn(s.buf[p:end], string(name))
	}
	if k != &o.spare && last != &o.spare {
		last.next = k
	}
	return k, end
}

// finish makes the fields NULL that an object did not have.
func (s *scanner) finish(o *object, row int, stamp uint64, missing, p int) int {
	if missing == 0 {
		return p
	}
	for _, f := range o.fields {
		if f.seen == stamp && f.null != stamp {
			continue
		}
		if f.op {
			return s.fail(opName, "the kind of change is missing; it is one of +I, -U, +U, -D")
		}
		f.col.Begin(row)
		f.col.SetNull(row)
	}
	return p
}

// blame notes that a fault is in the value of a field, or in the part of it already noted.
func (s *scanner) blame(f *field) {
	name := opName
	if !f.op {
		name = f.col.Name
	}
	if s.fault.field != "" {
		name += "." + s.fault.field
	}
	s.fault.field = name
}
