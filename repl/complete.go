package repl

import (
	"errors"
	"strings"
	"unicode"

	"streamsql/parser"
)

// complete tells whether a text can be executed: it ends with a semicolon that closes a statement, rather than one inside of
// quotes, a comment or a statement set.
func complete(text string) bool {
	if !terminated(text) {
		return false
	}
	_, err := parser.Parse("", text)
	return !incomplete(err)
}

// incomplete tells whether an error of the parser says that the text ends too early.
func incomplete(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if incomplete(e) {
				return true
			}
		}
	}
	var at *parser.Error
	return errors.As(err, &at) && at.Incomplete
}

// terminated tells whether the last thing in a text that is neither blank nor comment is a semicolon.
func terminated(text string) bool { return strings.HasSuffix(oneLine(text), ";") && !open(text) }

// open tells whether a text ends inside of quotes or a comment.
func open(text string) bool {
	last := piece{}
	for p := range pieces(text) {
		last = p
	}
	switch {
	case last.kind == quoted:
		return len(last.text) < 2 || last.text[len(last.text)-1] != last.text[0]
	case strings.HasPrefix(last.text, "/*") && last.kind == comment:
		return len(last.text) < 4 || !strings.HasSuffix(last.text, "*/")
	}
	return false
}

// blank tells whether a text has nothing but blanks, comments and semicolons.
func blank(text string) bool { return strings.Trim(oneLine(text), " ;") == "" }

// oneLine returns the text of statements in one line, without comments and needless blanks. A line break in quotes becomes a
// blank.
func oneLine(text string) string {
	var b strings.Builder
	space := false // a blank is due
	for p := range pieces(text) {
		switch p.kind {
		case comment:
			space = true
		case quoted:
			writeWord(&b, strings.ReplaceAll(p.text, "\n", " "), space)
			space = false
		default:
			words := strings.Fields(p.text)
			space = space || p.text != strings.TrimLeftFunc(p.text, unicode.IsSpace)
			for i, word := range words {
				writeWord(&b, word, space || i > 0)
			}
			space = len(words) == 0 && space || p.text != strings.TrimRightFunc(p.text, unicode.IsSpace)
		}
	}
	return b.String()
}

func writeWord(b *strings.Builder, word string, space bool) {
	if space && b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(word)
}
