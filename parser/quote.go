package parser

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote returns the characters a quoted token stands for.
func unquote(text string) string {
	prefix := strings.IndexAny(text, "'\"`")
	quote := text[prefix : prefix+1]
	body := strings.ReplaceAll(text[prefix+1:len(text)-1], quote+quote, quote)
	if prefix == 2 {
		body, _ = decodeEscapes(body)
	}
	return body
}

// quoteString writes a string literal.
func quoteString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteName writes a quoted name.
func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// decodeEscapes decodes the escapes of U&'…': \XXXX, \+XXXXXX and \\. It returns false if one is
// malformed or no Unicode character.
func decodeEscapes(s string) (string, bool) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:i])
		if s = s[i+1:]; strings.HasPrefix(s, `\`) {
			b.WriteByte('\\')
			s = s[1:]
			continue
		}
		r, n := decodeEscape(s)
		if n == 0 {
			return "", false
		}
		b.WriteRune(r)
		s = s[n:]
	}
}

// decodeEscape decodes one escape without its backslash. It returns its length, or 0 if it is bad.
func decodeEscape(s string) (rune, int) {
	start, digits := 0, 4
	if strings.HasPrefix(s, "+") {
		start, digits = 1, 6
	}
	if len(s) < start+digits || !isHex(s[start:start+digits]) {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[start:start+digits], 16, 32)
	if err != nil || !utf8.ValidRune(rune(v)) {
		return 0, 0
	}
	return rune(v), start + digits
}

// isHex tells whether s is an even number of hexadecimal digits.
func isHex(s string) bool {
	return len(s)%2 == 0 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
