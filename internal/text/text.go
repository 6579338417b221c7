// Package text converts between SQL values and their text. It is the one place that knows how numbers, timestamps and
// decimals are spelled; the formats, CAST and the shell's tables all use it, so a value reads the same wherever it is shown.
//
// Parse functions take bytes, allocate nothing and return ErrSyntax or ErrRange bare: the caller knows the value's place and
// type and words the message. They accept no surrounding blanks unless they say so.
package text

import "errors"

// ErrSyntax says that the text does not have the form of the type.
var ErrSyntax = errors.New("malformed text")

// ErrRange says that the text is well-formed and its value does not fit the type.
var ErrRange = errors.New("value out of range")

// TrimSpace returns b without the ASCII blanks around it.
func TrimSpace(b []byte) []byte {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }
