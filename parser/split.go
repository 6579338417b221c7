package parser

// piece is the range of the tokens of one statement, without its semicolon.
type piece struct {
	lo, hi int
	// open tells that no semicolon follows.
	open bool
}

// split cuts tokens into statements at semicolons. A statement set keeps those between its BEGIN and
// END. Empty statements are left out.
func split(toks []token) []piece {
	var pieces []piece
	lo, inSet := 0, false
	for i, t := range toks {
		switch {
		case i-lo >= 2 && startsSet(toks[i-2:i+1]):
			inSet = true
		case t.word == "END" && inSet && (toks[i-1].word == ";" || toks[i-1].word == "BEGIN"):
			inSet = false
		case t.kind == tokEnd || t.word == ";" && !inSet:
			if i > lo {
				pieces = append(pieces, piece{lo, i, t.kind == tokEnd})
			}
			lo, inSet = i+1, false
		}
	}
	return pieces
}

// startsSet tells whether three words start a statement set.
func startsSet(t []token) bool {
	return t[0].word == "STATEMENT" && t[1].word == "SET" && t[2].word == "BEGIN" ||
		t[0].word == "BEGIN" && t[1].word == "STATEMENT" && t[2].word == "SET"
}

// Complete tells whether src holds whole statements only: all quotes, comments and brackets are
// closed and the last statement is ended by a semicolon. A shell reads lines until it does. Text
// without any statement is complete.
func Complete(src string) bool {
	for _, p := range split(lex(src)) {
		if p.open {
			return false
		}
	}
	return true
}

// closing gives the closing bracket of an opening one.
var closing = map[string]string{"(": ")", "[": "]", "{": "}", "/*+": "*/"}

// maxBrackets is how deep brackets may be nested.
const maxBrackets = 100

// pairBrackets fills p.pairs: for each bracket the index of its partner.
func (p *parser) pairBrackets() {
	p.pairs = make([]int32, len(p.toks))
	var stack []int
	for i, t := range p.toks[:p.end] {
		if t.kind != tokOp {
			continue
		}
		switch t.word {
		case "(", "[", "{", "/*+":
			if stack = append(stack, i); len(stack) > maxBrackets {
				p.failAt(i, "brackets are nested too deeply, at most 100 may be open")
				return
			}
		case ")", "]", "}", "*/":
			if stack = p.closeBracket(stack, i); p.err != nil {
				return
			}
		}
	}
	if len(stack) > 0 {
		p.unclosed(stack[len(stack)-1])
	}
}

// closeBracket pairs the closing bracket i with the last open one.
func (p *parser) closeBracket(stack []int, i int) []int {
	if len(stack) == 0 {
		p.failAt(i, "unexpected "+describe(p.toks[i], p.src)+", it has no matching bracket before it")
		return nil
	}
	open := stack[len(stack)-1]
	if closing[p.toks[open].word] != p.toks[i].word {
		p.failAt(i, "unexpected "+describe(p.toks[i], p.src)+", expected '"+closing[p.toks[open].word]+"'")
		p.note(open, "to close this bracket")
		return nil
	}
	p.pairs[open], p.pairs[i] = int32(i), int32(open)
	return stack[:len(stack)-1]
}

// unclosed reports the opening bracket i, which is never closed.
func (p *parser) unclosed(i int) {
	p.failAt(i, "unclosed "+describe(p.toks[i], p.src))
	p.err.Incomplete = p.open
}
