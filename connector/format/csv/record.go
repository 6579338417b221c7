package csv

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"streamsql/connector/format"
	"streamsql/connector/internal/column"
	"streamsql/connector/internal/scan"
	"streamsql/internal/text"
)

// fault is why a record is bad.
type fault struct {
	field  string
	reason string
}

// record reads the record at p as the given row. It returns the place of its line break, or -1 after noting a fault.
func (d *decoder) record(row, p int) int {
	last := len(d.fields) - 1
	for i := range d.fields {
		f := &d.fields[i]
		end := d.value(f, row, p)
		if end < 0 {
			if f.col != nil && d.fault.field == "" {
				d.fault.field = f.col.Name
			}
			return -1
		}
		isLast := d.buf[end] != d.delimiter
		if isLast != (i == last) {
			return d.miscount(p, i)
		}
		p = end + 1
	}
	return p - 1
}

// miscount fails since the record's number of fields is wrong; the field at p, with the given index, is the last one or the first
// too many.
func (d *decoder) miscount(p, index int) int {
	n := index + 1
	rest := d.buf[p:d.recordEnd(d.buf[:d.size], p)]
	for {
		i := 0
		if len(rest) > 0 && rest[0] == d.quote {
			i = max(0, d.closing(rest, 1))
		}
		j := bytes.IndexByte(rest[i:], d.delimiter)
		if j < 0 {
			d.fault = fault{"", fmt.Sprintf("expected %d fields, got %d", len(d.fields), n)}
			return -1
		}
		rest = rest[i+j+1:]
		n++
	}
}

// value reads the field at p into the row and returns the place of the delimiter or line break that ends it, or -1.
func (d *decoder) value(f *field, row, p int) int {
	c := f.col
	if c != nil && d.numbers {
		switch c.Shape {
		case column.Int:
			if v, end, ok := scan.Integer(d.buf, p); ok && c.SetInt(row, v) {
				if end = d.ended(end); end >= 0 {
					return end
				}
			}
		case column.Float:
			if v, end, ok := scan.Float(d.buf, p); ok && c.SetFloat(row, v) {
				if end = d.ended(end); end >= 0 {
					return end
				}
			}
		}
	}
	if d.buf[p] == d.quote {
		return d.quoted(f, row, p)
	}
	end := d.fieldEnd(p)
	if d.buf[end] == d.quote {
		return d.fail("a quote inside an unquoted field")
	}
	if c == nil {
		return end
	}
	v := d.buf[p:end]
	if n := len(v); n > 0 && v[n-1] == '\r' && d.buf[end] == '\n' {
		v = v[:n-1]
	}
	if string(v) == d.null {
		c.SetNull(row)
		return end
	}
	if !d.set(f, row, v) {
		return -1
	}
	return end
}

// fieldEnd is the place of the first delimiter, line break or quote from p on.
func (d *decoder) fieldEnd(p int) int {
	for {
		w := scan.Load(d.buf, p)
		stop := scan.Zero(w^d.delimiters) | scan.Zero(w^'\n'*scan.Ones) | scan.Zero(w^d.ends)
		if stop != 0 {
			return p + scan.First(stop)
		}
		p += 8
	}
}

// ended is the place of the delimiter or line break that a field has at p, or -1 if it goes on.
func (d *decoder) ended(p int) int {
	if d.buf[p] == '\r' {
		p++
	} else if d.buf[p] == d.delimiter {
		return p
	}
	if d.buf[p] == '\n' {
		return p
	}
	return -1
}

// quoted is value for a field in quotes, which is never NULL.
func (d *decoder) quoted(f *field, row, p int) int {
	after := d.closing(d.buf[:d.size], p+1)
	if after < 0 {
		return d.fail("the quoted field is not closed")
	}
	end := d.ended(after)
	if end < 0 {
		return d.fail(fmt.Sprintf("%q after the closing quote of a field", d.buf[after]))
	}
	v := d.buf[p+1 : after-1]
	d.breaks += bytes.Count(v, []byte{'\n'})
	if f.col == nil {
		return end
	}
	if bytes.IndexByte(v, d.quote) >= 0 {
		v = d.undouble(v)
	}
	if !d.set(f, row, v) {
		return -1
	}
	return end
}

// undouble makes one quote of every two. What it returns is valid until the next call.
func (d *decoder) undouble(v []byte) []byte {
	out := d.scratch[:0]
	for i := 0; i < len(v); i++ {
		out = append(out, v[i])
		if v[i] == d.quote {
			i++
		}
	}
	d.scratch = out
	return out
}

// set writes a row from the text of a value other than NULL.
func (d *decoder) set(f *field, row int, v []byte) bool {
	c := f.col
	if c.Shape == column.String {
		c.SetString(row, v)
		return utf8.Valid(v) || d.fail("the text is not valid UTF-8") > 0
	}
	v = text.TrimSpace(v)
	if f.cell != nil {
		c.Begin(row)
		reason := f.cell.Set(row, v)
		return reason == "" || d.fail(reason) > 0
	}
	err := c.SetText(row, v)
	if err == nil {
		return true
	}
	name := text.TypeName(c.Type)
	switch {
	case errors.Is(err, text.ErrRange):
		d.fail(fmt.Sprintf("%s is out of range for %s", v, name))
	case len(v) == 0 && d.null != "":
		d.fail(fmt.Sprintf("expected %s, got an empty field (NULL is written %s)", name, d.null))
	case !d.header && strings.EqualFold(string(v), c.Name):
		d.fail(fmt.Sprintf("expected %s, got the column's name; '%s' = 'true' says that files begin with those", name, headerKey))
	default:
		d.fail(fmt.Sprintf("expected %s, got %s", name, format.Excerpt(v)))
	}
	return false
}

// fail notes why the record is bad.
func (d *decoder) fail(reason string) int {
	d.fault = fault{"", reason}
	return -1
}
