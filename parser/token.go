package parser

import "fmt"

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	tokEnd    tokenKind = iota // the end of the text
	tokWord                    // a bare word
	tokQuoted                  // "a" or `a`
	tokNumber                  // 1, 1.5, .5, 1e10
	tokString                  // 'a', N'a', U&'\4E2D'
	tokBytes                   // X'CAFE'
	tokOp                      // punctuation
	tokBad                     // what no statement can hold; word is the reason
)

// token is one word of the source.
type token struct {
	kind tokenKind
	// reserved tells that the word cannot be a name unless it is quoted.
	reserved bool
	// word is the canonical spelling of a word the grammar knows (in upper case) and of punctuation.
	// It is empty for names, literals, quoted words and all words that follow a dot.
	word   string
	lo, hi int32
}

func (t token) span() Span { return Span{t.lo, t.hi} }

// isName tells whether the token can be a name.
func (t token) isName() bool {
	return t.kind == tokQuoted || t.kind == tokWord && !t.reserved
}

// endsOperand tells whether an operand may end with the token, so that what follows is an operator.
func (t token) endsOperand() bool {
	switch t.kind {
	case tokOp:
		return t.word == ")" || t.word == "]"
	case tokWord:
		return !t.reserved || t.word == "NULL" || t.word == "TRUE" || t.word == "FALSE" || t.word == "UNKNOWN" || t.word == "END"
	}
	return t.kind != tokEnd && t.kind != tokBad
}

// startsOperand tells whether an operand may start with the token.
func (t token) startsOperand() bool {
	switch t.kind {
	case tokOp:
		return t.word == "(" || t.word == "-" || t.word == "+"
	case tokWord:
		return !t.reserved || operandWords[t.word]
	}
	return t.kind != tokEnd && t.kind != tokBad
}

// operandWords are the reserved words an operand can start with.
var operandWords = map[string]bool{
	"CASE": true, "CAST": true, "EXISTS": true, "FALSE": true, "INTERVAL": true, "LEFT": true,
	"NOT": true, "NULL": true, "RIGHT": true, "TRUE": true, "UNKNOWN": true,
}

// describe names the token in an error message.
func describe(t token, src string) string {
	text := t.span().Slice(src)
	switch t.kind {
	case tokEnd:
		return "end of the statement"
	case tokNumber:
		return "number " + clip(text)
	case tokString:
		return "string " + clip(text)
	case tokBytes:
		return "literal " + clip(text)
	case tokQuoted:
		return "name " + clip(text)
	case tokOp:
		if t.word == ";" {
			return "end of the statement"
		}
	case tokWord:
		if t.reserved {
			return t.word
		}
	}
	return fmt.Sprintf("'%s'", clip(text))
}

// clip shortens a text for an error message.
func clip(s string) string {
	const most = 40
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
