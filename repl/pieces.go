package repl

import (
	"iter"
	"strings"
)

// piece is a part of a text of statements: a comment, something in quotes, or what stands between those.
type piece struct {
	kind pieceKind
	text string
}

type pieceKind int

const (
	plain pieceKind = iota
	quoted
	comment
)

// pieces takes a text apart. What is not closed goes to the end of the text.
func pieces(text string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for text != "" {
			at := strings.IndexAny(text, "'\"`-/")
			if at < 0 {
				yield(piece{plain, text})
				return
			}
			kind, n := special(text[at:])
			if kind == plain {
				at, n = at+n, 0
			}
			if at > 0 && !yield(piece{plain, text[:at]}) {
				return
			}
			if n > 0 && !yield(piece{kind, text[at : at+n]}) {
				return
			}
			text = text[at+n:]
		}
	}
}

// special tells what begins at the start of a text, and its length. A - or / that begins no comment is plain.
func special(text string) (pieceKind, int) {
	switch {
	case strings.HasPrefix(text, "--"):
		return comment, through(text, 2, "\n")
	case strings.HasPrefix(text, "/*"):
		return comment, through(text, 2, "*/")
	case text[0] == '-' || text[0] == '/':
		return plain, 1
	}
	return quoted, through(text, 1, text[:1]) // a doubled quote is read as two strings, which ends at the same place
}

// through is the length of text up to the end of the first occurrence of end at or behind from.
func through(text string, from int, end string) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}
