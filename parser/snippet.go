package parser

import (
	"strings"
	"unicode"
)

// Widths of a drawn source line, in cells of the terminal.
const (
	tabCells  = 4
	maxCells  = 160 // longer lines are cut around the place
	leadCells = 60  // what is kept before the place in a line that is cut
	cutSign   = "…"
)

// drawLine returns the line of src where span starts, and the carets to print under it. Tabs become
// blanks, and a span over several lines is marked up to the end of its first.
func drawLine(src string, span Span) (text, carets string) {
	lo := min(max(int(span.Lo), 0), len(src))
	hi := min(max(int(span.Hi), lo), len(src))
	start := strings.LastIndexByte(src[:lo], '\n') + 1
	end := len(src)
	if i := strings.IndexByte(src[lo:], '\n'); i >= 0 {
		end = lo + i
	}
	before, inside, after := src[start:lo], src[lo:min(hi, end)], src[min(hi, end):end]
	before, inside = expand(before), expand(inside)
	after = strings.TrimRight(expand(after), " ")
	before, inside, after = cutLine(before, inside, after)
	carets = strings.Repeat(" ", cells(before)) + strings.Repeat("^", max(1, cells(inside)))
	return strings.TrimRight(before+inside+after, " "), carets
}

// expand replaces tabs and other control characters by blanks.
func expand(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			b.WriteString(strings.Repeat(" ", tabCells))
		case r == '\r':
		case unicode.IsControl(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cutLine shortens a long line to what is around the place.
func cutLine(before, inside, after string) (string, string, string) {
	if cells(before)+cells(inside)+cells(after) <= maxCells {
		return before, inside, after
	}
	if extra := cells(before) - leadCells; extra > 0 {
		before = cutSign + dropCells(before, extra)
	}
	room := maxCells - cells(before)
	if cells(inside) > room {
		return before, takeCells(inside, room) + cutSign, ""
	}
	if room -= cells(inside); cells(after) > room {
		after = takeCells(after, room) + cutSign
	}
	return before, inside, after
}

// cells is the width of s on a terminal.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

// takeCells returns the beginning of s that fits n cells.
func takeCells(s string, n int) string {
	for i, r := range s {
		if n -= runeCells(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// dropCells returns s without its first n cells.
func dropCells(s string, n int) string {
	for i, r := range s {
		if n <= 0 {
			return s[i:]
		}
		n -= runeCells(r)
	}
	return ""
}

// wide holds the ranges of characters that take two cells: East Asian wide and full width forms,
// and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0x33ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1},
		{Lo: 0x4e00, Hi: 0x9fff, Stride: 1},
		{Lo: 0xa000, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// runeCells is the number of terminal cells a character takes.
func runeCells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) || unicode.Is(unicode.Cf, r):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
