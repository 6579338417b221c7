package format

import (
	"fmt"
	"unicode/utf8"
)

// Row notes, for a decoder, that the next row is on the current line.
func (c *Chunk) Row() {
	if c.RowLines != nil {
		c.RowLines = append(c.RowLines, int32(c.Lines))
	}
}

// Gap notes, for a decoder, that after the given number of rows comes a line that is none: from there on the lines of rows have to
// be kept.
func (c *Chunk) Gap(rows int) {
	if c.RowLines != nil {
		return
	}
	c.RowLines = make([]int32, rows, 2*rows+16)
	for i := range c.RowLines {
		c.RowLines[i] = int32(i)
	}
}

// Excerpt quotes the beginning of v for a message.
func Excerpt(v []byte) string {
	const most = 40
	if len(v) <= most {
		return fmt.Sprintf("%q", v)
	}
	n := most
	for n > 0 && !utf8.RuneStart(v[n]) {
		n--
	}
	return fmt.Sprintf("%q…", v[:n])
}
