package json

import "streamsql/connector/internal/scan"

// Every scan of this package runs over a buffer that ends with a line break and Padding bytes. A line break is valid nowhere inside
// a record, so each loop stops there at the latest.

// skip returns the place of the first byte from p on that is no blank. A line break is none.
func skip(buf []byte, p int) int {
	for buf[p] == ' ' || buf[p] == '\t' || buf[p] == '\r' {
		p++
	}
	return p
}

// plainEnd returns the place of the first byte from p on that ends a run of plain ASCII inside a string: a quote, a backslash, a
// control character or a byte beyond ASCII.
func plainEnd(buf []byte, p int) int {
	for {
		w := scan.Load(buf, p)
		if stop := special(w) | w&scan.Tops; stop != 0 {
			return p + scan.First(stop)
		}
		p += 8
	}
}

// quoteEnd is plainEnd with bytes beyond ASCII counted as plain.
func quoteEnd(buf []byte, p int) int {
	for {
		if stop := special(scan.Load(buf, p)); stop != 0 {
			return p + scan.First(stop)
		}
		p += 8
	}
}

// special marks the quotes, backslashes and control characters of w; marks above the lowest one may be wrong.
func special(w uint64) uint64 {
	return scan.Zero(w^'"'*scan.Ones) | scan.Zero(w^'\\'*scan.Ones) | (w-' '*scan.Ones)&^w&scan.Tops
}
