package parser

import (
	"fmt"
	"slices"
	"strings"
)

// repair is a small change to the tokens of a statement.
type repair struct {
	at       int // the token that is changed
	moves    int // how far the change moves the tokens behind it
	cost     int // repairs of less cost are preferred
	tokens   []token
	hint     string
	misspelt bool // the token at is what is wrong
}

// explain adds hints to the error: what is known of some mistakes, and repairs that have been tried and
// do get past the error.
func (p *parser) explain() {
	if p.repairing || len(p.toks) > maxExplainWords || len(p.src) > maxExplainBytes {
		return
	}
	if hint := p.knownMistake(); hint != "" {
		p.err.Hints = append([]string{hint}, p.err.Hints...)
		return
	}
	best, found := p.bestRepair()
	if !found {
		p.hintSemicolon()
		return
	}
	if best.misspelt && len(p.err.Expected) > 2 {
		p.err.Expected = nil
	}
	if best.misspelt && best.at < p.errTok {
		moved := ErrorAt(p.name, p.src, p.toks[best.at].span(), "unexpected "+describe(p.toks[best.at], p.src))
		moved.Incomplete = p.err.Incomplete
		p.err = moved
	}
	p.err.Hints = append([]string{best.hint}, p.err.Hints...)
}

// bestRepair tries repairs and returns the best that helps. One that makes the whole statement good is
// better than one that only gets further.
func (p *parser) bestRepair() (best repair, found bool) {
	bestCost := 0
	for _, r := range p.repairs() {
		helps, whole := p.try(r)
		if !helps {
			continue
		}
		cost := r.cost
		if !whole {
			cost += 100
		}
		if !found || cost < bestCost {
			best, bestCost, found = r, cost, true
		}
	}
	return best, found
}

// repairs lists what could be changed at the error or at the word before it.
func (p *parser) repairs() []repair {
	i := p.errTok
	list := p.respell(i, 0)
	if i > 0 {
		if p.toks[i-1].word == "" {
			list = append(list, p.respell(i-1, 1)...)
		}
		list = append(list, p.commaRepairs(i)...)
	}
	if t := p.toks[i]; t.reserved && p.meantAsName(i) {
		name := p.text(t)
		list = append(list, p.replace(i, token{kind: tokWord, lo: t.lo, hi: t.hi}, repair{
			cost: 15,
			hint: fmt.Sprintf("%s is a reserved word; to use it as a name write %s", t.word, quoteName(name)),
		}))
	}
	return list
}

// meantAsName tells whether a reserved word is in a place where a name is, rather than the beginning
// of a clause before which something is missing.
func (p *parser) meantAsName(i int) bool {
	if i > 0 && p.toks[i-1].word == "." {
		return false
	}
	switch p.toks[i].word {
	case "FROM", "WHERE", "HAVING":
		next := p.toks[i+1]
		return i > 0 && p.toks[i-1].word == "AS" || next.kind == tokOp && next.word != ";" && next.word != "("
	}
	return true
}

// respell replaces a word by words of the grammar that are near to it.
func (p *parser) respell(i, cost int) []repair {
	t := p.toks[i]
	if t.kind != tokWord {
		return nil
	}
	var list []repair
	for _, near := range nearWords(p.text(t)) {
		if t.reserved && near.distance > 1 {
			continue
		}
		word := knownWords[near.word]
		list = append(list, p.replace(i, token{tokWord, word.reserved, word.text, t.lo, t.hi}, repair{
			cost: 10*near.distance + cost, hint: "did you mean " + word.text + "?", misspelt: true,
		}))
	}
	return list
}

// commaRepairs inserts a comma before a token, or removes the one before it.
func (p *parser) commaRepairs(i int) []repair {
	before, t := p.toks[i-1], p.toks[i]
	switch {
	case !strings.HasPrefix(p.err.Msg, "unexpected "):
		return nil // it is not that a word stands where it cannot
	case before.endsOperand() && t.startsOperand():
		tokens := slices.Insert(slices.Clone(p.toks), i, token{kind: tokOp, word: ",", lo: t.lo, hi: t.lo})
		return []repair{{at: i, moves: 1, cost: 12, tokens: tokens, hint: "missing comma before " + describe(t, p.src) + "?"}}
	case before.word == ",":
		tokens := slices.Delete(slices.Clone(p.toks), i-1, i)
		return []repair{{at: i - 1, moves: -1, cost: 5, tokens: tokens, hint: "is the comma before " + describe(t, p.src) + " one too many?"}}
	}
	return nil
}

// replace completes a repair that replaces one token.
func (p *parser) replace(i int, t token, r repair) repair {
	r.at, r.tokens = i, slices.Clone(p.toks)
	r.tokens[i] = t
	return r
}

// try parses the statement with a repair. It tells whether that gets past the error and the word
// behind it, and whether the whole statement is good then.
func (p *parser) try(r repair) (helps, whole bool) {
	q := parser{name: p.name, src: p.src, toks: r.tokens, end: len(r.tokens) - 1, open: p.open, repairing: true}
	q.statement()
	if q.err == nil {
		return true, true
	}
	past := q.errTok - r.moves - p.errTok
	return past > 1 || past == 1 && r.misspelt && q.errTok == len(q.toks)-1, false
}

// knownMistake returns a hint for an error whose cause is known from its words, or "".
func (p *parser) knownMistake() string {
	t, before := p.toks[p.errTok], noToken
	if p.errTok > 0 {
		before = p.toks[p.errTok-1]
	}
	switch {
	case t.word == "==":
		return "equality is written ="
	case t.word == "&&":
		return "write AND"
	case t.kind == tokString && before.word == "AS":
		return "names are quoted with double quotes: " + quoteName(unquote(p.text(t)))
	case slices.Contains([]string{"UNION", "INTERSECT", "EXCEPT"}, t.word) && p.behindOrder(p.errTok):
		return "ORDER BY and LIMIT belong behind the last of the queries; brackets around one let it have its own"
	case t.word == "INSERT" && p.toks[0].word == "WITH":
		return "WITH belongs to the query: write INSERT INTO t WITH …"
	case t.word == "TABLE" && p.toks[p.errTok+1].kind == tokWord && (p.errTok == 0 || slices.Contains(p.err.Expected, "SELECT")):
		return "write SELECT * FROM " + p.text(p.toks[p.errTok+1])
	case t.word == "/*+":
		return "hints stand behind SELECT, and behind a table"
	case t.kind == tokBad && strings.HasSuffix(t.word, "'!'"):
		return "write NOT"
	case t.kind == tokBad && strings.ContainsAny(p.text(t), "“”‘’"):
		return `write ' around strings and " around names`
	}
	return ""
}

// behindOrder tells whether a token stands behind the ORDER BY, LIMIT or OFFSET of the query that it would go on.
func (p *parser) behindOrder(i int) bool {
	depth := 0
	for i--; i >= 0 && depth >= 0; i-- {
		switch t := p.toks[i]; t.word {
		case ")":
			depth++
		case "(":
			depth--
		case "ORDER", "LIMIT", "OFFSET", "FETCH":
			if depth == 0 {
				return true
			}
		case "SELECT", "VALUES":
			if depth == 0 {
				return false
			}
		}
	}
	return false
}

// hintSemicolon adds a hint if the error is about a word that would start the next statement.
func (p *parser) hintSemicolon() {
	word := p.toks[p.errTok].word
	if startsStatement[word] && slices.Contains(p.err.Expected, "the end of the statement") {
		p.err.Hints = append(p.err.Hints, "missing ';' before "+word+"?")
	}
}

// startsStatement are words that often start a statement whose predecessor has no semicolon.
var startsStatement = map[string]bool{
	"SELECT": true, "INSERT": true, "CREATE": true, "DROP": true, "SET": true, "EXPLAIN": true, "SHOW": true,
}
