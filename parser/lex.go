package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer cuts a text into tokens. It never fails: what it cannot read becomes a tokBad.
type lexer struct {
	src    string
	pos    int
	toks   []token
	inHint bool // between /*+ and */
}

// lex returns the tokens of src, ended by a tokEnd. Blanks and comments leave no tokens.
func lex(src string) []token {
	l := lexer{src: src, toks: make([]token, 0, len(src)/5+8)}
	for l.next() {
	}
	l.toks = append(l.toks, token{kind: tokEnd, lo: int32(len(src)), hi: int32(len(src))})
	return l.toks
}

// next reads one token and tells whether there was one.
func (l *lexer) next() bool {
	if !l.skipBlanks() {
		return l.pos < len(l.src)
	}
	start, c := l.pos, l.src[l.pos]
	switch {
	case c == '\'':
		l.quoted(start, start, tokString)
	case c == '"' || c == '`':
		l.quoted(start, start, tokQuoted)
	case isDigit(c) || c == '.' && l.startsFraction():
		l.number()
	case l.prefixedString():
	case l.startsWord():
		l.word()
	default:
		l.operator()
	}
	return true
}

// skipBlanks skips blanks and comments. It returns false at the end of the text and after a comment
// that has no end.
func (l *lexer) skipBlanks() bool {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		switch {
		case strings.HasPrefix(rest, "--"):
			l.skipPast("\n")
		case strings.HasPrefix(rest, "/*") && !strings.HasPrefix(rest, "/*+"):
			start := l.pos
			if l.pos += 2; !l.skipPast("*/") {
				l.add(tokBad, msgOpenComment, start)
				return false
			}
		default:
			r, n := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\ufeff' {
				return true
			}
			l.pos += n
		}
	}
	return false
}

// skipPast moves behind the next occurrence of mark, or to the end of the text if there is none.
func (l *lexer) skipPast(mark string) bool {
	i := strings.Index(l.src[l.pos:], mark)
	if i < 0 {
		l.pos = len(l.src)
		return false
	}
	l.pos += i + len(mark)
	return true
}

// add appends a token from start to the current position.
func (l *lexer) add(kind tokenKind, word string, start int) {
	l.toks = append(l.toks, token{kind: kind, word: word, lo: int32(start), hi: int32(l.pos)})
}

// Reasons of tokBad that other parts of the package look for.
const (
	msgOpenString  = "unterminated string"
	msgOpenName    = "unterminated quoted name"
	msgOpenComment = "unterminated comment"
	msgDigitName   = "a name cannot start with a digit"
)

// quoted reads a quoted token that starts at start and whose opening quote is at open. A doubled quote
// stands for one.
func (l *lexer) quoted(start, open int, kind tokenKind) {
	quote := l.src[open]
	l.pos = open + 1
	for {
		i := strings.IndexByte(l.src[l.pos:], quote)
		if i < 0 {
			l.pos = len(l.src)
			l.add(tokBad, openQuote(kind), start)
			return
		}
		if l.pos += i + 1; l.pos == len(l.src) || l.src[l.pos] != quote {
			break
		}
		l.pos++
	}
	body := l.src[open+1 : l.pos-1]
	if reason := badBody(kind, l.src[start:open], body); reason != "" {
		l.add(tokBad, reason, start)
		return
	}
	l.add(kind, "", start)
}

// openQuote is the reason why a quoted token without an end is bad.
func openQuote(kind tokenKind) string {
	if kind == tokQuoted {
		return msgOpenName
	}
	return msgOpenString
}

// badBody tells why the characters between quotes are not good, or "".
func badBody(kind tokenKind, prefix, body string) string {
	switch {
	case kind == tokQuoted && body == "":
		return "a quoted name cannot be empty"
	case kind == tokBytes && !isHex(body):
		return "X'…' takes an even number of hexadecimal digits"
	case len(prefix) == 2:
		if _, ok := decodeEscapes(body); !ok {
			return `U&'…' takes escapes \XXXX and \+XXXXXX of Unicode characters`
		}
	}
	return ""
}

// prefixedString reads X'…', N'…' and U&'…'.
func (l *lexer) prefixedString() bool {
	start, rest := l.pos, l.src[l.pos:]
	switch {
	case len(rest) > 1 && rest[1] == '\'' && (rest[0] == 'X' || rest[0] == 'x'):
		l.quoted(start, start+1, tokBytes)
	case len(rest) > 1 && rest[1] == '\'' && (rest[0] == 'N' || rest[0] == 'n'):
		l.quoted(start, start+1, tokString)
	case len(rest) > 2 && rest[1] == '&' && rest[2] == '\'' && (rest[0] == 'U' || rest[0] == 'u'):
		l.quoted(start, start+2, tokString)
	default:
		return false
	}
	return true
}

// startsFraction tells whether the dot at the current position starts a number such as .5; behind
// a name or bracket it does not.
func (l *lexer) startsFraction() bool {
	if l.pos+1 >= len(l.src) || !isDigit(l.src[l.pos+1]) {
		return false
	}
	if len(l.toks) == 0 {
		return true
	}
	last := l.toks[len(l.toks)-1]
	return int(last.hi) != l.pos || !(last.kind == tokWord || last.kind == tokQuoted || last.endsOperand())
}

// number reads a number. One that runs into a word is bad.
func (l *lexer) number() {
	start := l.pos
	l.digits()
	if l.pos < len(l.src) && l.src[l.pos] == '.' {
		l.pos++
		l.digits()
	}
	l.exponent()
	if l.startsWord() {
		l.wordChars()
		l.add(tokBad, msgDigitName, start)
		return
	}
	l.add(tokNumber, "", start)
}

// exponent reads the exponent of a number, if there is one.
func (l *lexer) exponent() {
	i := l.pos
	if i >= len(l.src) || l.src[i] != 'e' && l.src[i] != 'E' {
		return
	}
	if i++; i < len(l.src) && (l.src[i] == '+' || l.src[i] == '-') {
		i++
	}
	if i < len(l.src) && isDigit(l.src[i]) {
		l.pos = i
		l.digits()
	}
}

// digits skips decimal digits.
func (l *lexer) digits() {
	for l.pos < len(l.src) && isDigit(l.src[l.pos]) {
		l.pos++
	}
}

// startsWord tells whether a bare word starts at the current position.
func (l *lexer) startsWord() bool {
	if l.pos >= len(l.src) {
		return false
	}
	r, n := utf8.DecodeRuneInString(l.src[l.pos:])
	if r == '$' {
		next, _ := utf8.DecodeRuneInString(l.src[l.pos+n:])
		return isWordPart(next)
	}
	return isWordStart(r)
}

// word reads a bare word. One that directly follows a dot is a name, whatever it says.
func (l *lexer) word() {
	start := l.pos
	l.wordChars()
	t := token{kind: tokWord, lo: int32(start), hi: int32(l.pos)}
	if !l.behindDot(start) {
		if w, ok := lookupWord(l.src[start:l.pos]); ok {
			t.word, t.reserved = w.text, w.reserved
		}
	}
	l.toks = append(l.toks, t)
}

// behindDot tells whether the token before start is a dot without a blank between them.
func (l *lexer) behindDot(start int) bool {
	n := len(l.toks)
	return n > 0 && l.toks[n-1].word == "." && int(l.toks[n-1].hi) == start
}

// wordChars skips the characters of a word.
func (l *lexer) wordChars() {
	for l.pos < len(l.src) {
		r, n := utf8.DecodeRuneInString(l.src[l.pos:])
		if !isWordPart(r) {
			return
		}
		l.pos += n
	}
}

// longOperators are the punctuation of more than one character, and how the grammar calls it.
var longOperators = []struct{ text, word string }{
	{"<=", "<="},
	{">=", ">="},
	{"<>", "<>"},
	{"!=", "<>"},
	{"||", "||"},
	{"::", "::"},
	{"=>", "=>"},
	{"==", "=="},
	{"&&", "&&"},
}

// operator reads punctuation.
func (l *lexer) operator() {
	start, rest := l.pos, l.src[l.pos:]
	switch {
	case strings.HasPrefix(rest, "/*+"):
		l.pos, l.inHint = l.pos+3, true
		l.add(tokOp, "/*+", start)
		return
	case l.inHint && strings.HasPrefix(rest, "*/"):
		l.pos, l.inHint = l.pos+2, false
		l.add(tokOp, "*/", start)
		return
	}
	for _, op := range longOperators {
		if strings.HasPrefix(rest, op.text) {
			l.pos += len(op.text)
			l.add(tokOp, op.word, start)
			return
		}
	}
	l.single(start, rest)
}

// singleOperators are the characters that are tokens by themselves.
const singleOperators = "()[]{},.;+-*/%=<>|^?$:"

// single reads punctuation of one character, or a character that is no good.
func (l *lexer) single(start int, rest string) {
	r, n := utf8.DecodeRuneInString(rest)
	l.pos += n
	if i := strings.IndexRune(singleOperators, r); i >= 0 {
		l.add(tokOp, singleOperators[i:i+1], start)
		return
	}
	l.add(tokBad, fmt.Sprintf("unexpected character %q", r), start)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWordStart tells whether a bare word can start with r.
func isWordStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
	}
	return unicode.IsLetter(r)
}

// isWordPart tells whether a bare word can hold r.
func isWordPart(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordStart(r) || r >= '0' && r <= '9' || r == '$'
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Mc, r)
}

// isPlainWord tells whether a name can be written without quotes as far as its characters go.
func isPlainWord(name string) bool {
	for i, r := range name {
		if i == 0 && !isWordStart(r) || !isWordPart(r) {
			return false
		}
	}
	return name != ""
}
