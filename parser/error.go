package parser

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is an error at a place of a source text. The parser returns such errors; later layers build
// them with ErrorAt for what they find wrong with a node.
type Error struct {
	File      string   // the name of the source, may be empty
	Src       string   // the whole source; Span lies in it
	Line, Col int      // the start of Span, from 1; columns count characters
	Span      Span     // the bytes the error is about
	Msg       string   // what is wrong, without place and without a period
	Expected  []string // what could stand here instead, as it reads in a sentence
	Hints     []string // what to do, each a sentence of its own
	Notes     []Note   // other places that matter
	// Incomplete tells that the text ends too early (an open quote, bracket or statement), so that
	// a shell asks for another line instead of complaining.
	Incomplete bool
}

// Note is a remark about another place of the source.
type Note struct {
	Span Span
	Msg  string
}

// ErrorAt returns an error about the bytes span of src, the text that was given to Parse under the
// same name.
func ErrorAt(name, src string, span Span, msg string, hints ...string) *Error {
	line, col := Position(src, int(span.Lo))
	return &Error{File: name, Src: src, Line: line, Col: col, Span: span, Msg: msg, Hints: hints}
}

// Position returns the line and column of a byte offset of src, both from 1. Columns count characters.
func Position(src string, offset int) (line, col int) {
	offset = min(max(offset, 0), len(src))
	before := src[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[start:])
}

// Error returns the error in one line: file:line:col: message.
func (e *Error) Error() string {
	s := e.place(e.Span.Lo) + ": " + e.message()
	if len(e.Hints) > 0 {
		s += " (" + strings.Join(e.Hints, "; ") + ")"
	}
	return s
}

// message is Msg with what was expected.
func (e *Error) message() string {
	if len(e.Expected) == 0 {
		return e.Msg
	}
	return e.Msg + ", expected " + orList(e.Expected)
}

// place is file:line:col of an offset, without the file if it has no name.
func (e *Error) place(offset int32) string {
	line, col := Position(e.Src, int(offset))
	if e.File == "" {
		return fmt.Sprintf("%d:%d", line, col)
	}
	return fmt.Sprintf("%s:%d:%d", e.File, line, col)
}

// Detail returns the error in several lines: the message, the line of the source with carets under
// the place, notes and hints. It has no newline at its end.
func (e *Error) Detail() string {
	var b strings.Builder
	b.WriteString("error: " + e.message())
	e.snippet(&b, e.Span, "")
	for _, n := range e.Notes {
		e.snippet(&b, n.Span, " "+n.Msg)
	}
	for _, h := range e.Hints {
		b.WriteString("\n  hint: " + h)
	}
	return b.String()
}

// snippet writes the place, the source line of span and carets under it.
func (e *Error) snippet(b *strings.Builder, span Span, remark string) {
	line, _ := Position(e.Src, int(span.Lo))
	text, carets := drawLine(e.Src, span)
	number := fmt.Sprint(line)
	margin := strings.Repeat(" ", len(number))
	fmt.Fprintf(b, "\n  --> %s\n %s | %s\n %s | %s%s", e.place(span.Lo), number, text, margin, carets, remark)
}

// orList joins words as in "a, b or c".
func orList(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
