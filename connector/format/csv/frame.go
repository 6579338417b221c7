package csv

import "bytes"

// cut is the length of the longest prefix of data, which begins with a record, that ends with a whole one.
//
// A quote opens a quoted field only where a field begins; anywhere else it is malformed and, for finding the end of the record, an
// ordinary byte.
func (d dialect) cut(data []byte) int {
	whole, p := 0, 0 // data[:whole] is whole records; p is outside of quotes
	for {
		i := bytes.IndexByte(data[p:], d.quote)
		if i < 0 {
			if nl := bytes.LastIndexByte(data[p:], '\n'); nl >= 0 {
				whole = p + nl + 1
			}
			return whole
		}
		open := p + i
		if nl := bytes.LastIndexByte(data[p:open], '\n'); nl >= 0 {
			whole = p + nl + 1
		}
		p = open + 1
		if open == 0 || data[open-1] == d.delimiter || data[open-1] == '\n' {
			if p = d.closing(data, p); p < 0 {
				return whole
			}
		}
	}
}

// closing is the place behind the quote that closes the quoted text at p, or -1 if none does.
func (d dialect) closing(data []byte, p int) int {
	for {
		i := bytes.IndexByte(data[p:], d.quote)
		if i < 0 {
			return -1
		}
		p += i + 1
		if p == len(data) || data[p] != d.quote {
			return p
		}
		p++
	}
}

// recordEnd is the place of the line break that ends the record at p, or the length of data.
func (d dialect) recordEnd(data []byte, p int) int {
	begins := true
	for ; p < len(data); p++ {
		switch c := data[p]; {
		case c == '\n':
			return p
		case c == d.quote && begins:
			if p = d.closing(data, p+1); p < 0 {
				return len(data)
			}
			p--
			begins = false
		default:
			begins = c == d.delimiter
		}
	}
	return p
}
