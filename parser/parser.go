package parser

import (
	"slices"
	"strings"
)

// parser reads one statement by recursive descent over its tokens. Everything between brackets or up
// to a word that ends a clause is read as a range of its own: end is where the current range ends.
//
// The first error is kept in err and moves the position to the end of the range, so that all that
// follows finds nothing more to read and no caller has to ask.
type parser struct {
	name, src string
	toks      []token // of the statement, and the one behind it
	pairs     []int32 // of a bracket: the index of its partner
	pos, end  int
	open      bool // the statement is not ended by a semicolon

	nesting int // of < in types

	wants  []string // what would have been read at wantAt
	wantAt int
	begun  int // where the phrase starts of which only the beginning stands before wantAt
	cutAt  int // where a phrase starts that the end of the statement cuts off, 0 if there is none

	err       *Error
	errTok    int  // the token the error is about
	repairing bool // this is an attempt to repair a statement: no more hints
}

// noToken stands for what is behind the end of a range.
var noToken token

// tok returns the token at offset n from the current one, or noToken outside of the range.
func (p *parser) tok(n int) token {
	if i := p.pos + n; i >= 0 && i < p.end {
		return p.toks[i]
	}
	return noToken
}

// done tells whether the range is read up to its end.
func (p *parser) done() bool { return p.pos >= p.end }

// is tells whether the current token is this word or punctuation.
func (p *parser) is(word string) bool { return p.pos < p.end && p.toks[p.pos].word == word }

// isAt tells whether the token at offset n is this word or punctuation.
func (p *parser) isAt(n int, word string) bool { return p.tok(n).word == word }

// looksAt tells whether the words of a phrase follow.
func (p *parser) looksAt(phrase string) bool {
	n, all := p.match(phrase)
	p.noteCut(n, all)
	return all
}

// noteCut notes where a phrase starts of which only the first n words follow, because the statement
// ends there.
func (p *parser) noteCut(n int, all bool) {
	if !all && n > 0 && p.pos+n == len(p.toks)-1 {
		p.cutAt = p.pos
	}
}

// match counts how many words of a phrase follow and tells whether all do.
func (p *parser) match(phrase string) (n int, all bool) {
	for rest := phrase; rest != ""; n++ {
		word := rest
		if i := strings.IndexByte(rest, ' '); i >= 0 {
			word, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		if p.tok(n).word != word {
			return n, false
		}
	}
	return n, true
}

// accept reads the words of a phrase if they follow.
func (p *parser) accept(phrase string) bool {
	n, all := p.match(phrase)
	if all {
		p.pos += n
		return true
	}
	p.noteCut(n, all)
	p.want(n, phrase)
	return false
}

// want notes that a phrase could have stood here, of which the first n words do.
func (p *parser) want(n int, phrase string) {
	at := p.pos + n
	if at < p.wantAt {
		return
	}
	if n > 0 {
		p.begun = p.pos
	}
	for ; n > 0; n-- {
		_, phrase, _ = strings.Cut(phrase, " ")
	}
	p.wantWord(at, phrase)
}

// wantWord notes that a word could have stood at a token.
func (p *parser) wantWord(at int, word string) {
	if at > p.wantAt {
		p.wantAt, p.wants = at, p.wants[:0]
	}
	if at == p.wantAt {
		p.wants = append(p.wants, word)
	}
}

// expect reads the words of a phrase; it is an error if they do not follow.
func (p *parser) expect(phrase string) bool {
	for rest := phrase; rest != "" && p.err == nil; {
		word, more, _ := strings.Cut(rest, " ")
		if !p.accept(word) {
			p.unexpected()
			return false
		}
		rest = more
	}
	return p.err == nil
}

// finish makes sure that nothing is left of the range.
func (p *parser) finish() {
	if !p.done() {
		p.wantEnd()
		p.unexpected()
	}
}

// wantEnd notes that the range could have ended here.
func (p *parser) wantEnd() {
	if word := p.endName(); word != "" {
		p.wantWord(p.pos, word)
	}
}

// endName describes the end of the range in a list of what was expected, or returns "" if
// a clause of the statement follows the range.
func (p *parser) endName() string {
	switch t := p.toks[p.end]; {
	case t.kind == tokEnd || t.word == ";":
		return "the end of the statement"
	case t.kind == tokOp:
		return "'" + t.word + "'"
	}
	return ""
}

// within runs read on the range up to end and makes sure that it reads all of it.
func (p *parser) within(end int, read func()) {
	if p.err != nil {
		return
	}
	outer := p.end
	p.end = end
	read()
	p.finish()
	p.end = outer
	if p.err != nil {
		p.pos = p.end
		return
	}
	p.pos = end
}

// brackets reads an opening bracket, what is inside, and its partner.
func (p *parser) brackets(open string, read func()) {
	if !p.is(open) {
		p.wantWord(p.pos, "'"+open+"'")
		p.unexpected()
		return
	}
	closes := int(p.pairs[p.pos])
	p.pos++
	p.within(closes, read)
	if p.err == nil {
		p.pos++
	}
}

// commas reads elements separated by commas up to the end of the range or the first other word.
func (p *parser) commas(read func()) {
	for p.err == nil {
		read()
		if !p.accept(",") {
			return
		}
	}
}

// list reads (a, b, …) with at least one element.
func (p *parser) list(read func()) { p.brackets("(", func() { p.commas(read) }) }

// find returns the first token from the current one to the end of the range, outside of inner
// brackets, for which stop is true, or the end of the range.
func (p *parser) find(stop func(i int) bool) int {
	for i := p.pos; i < p.end; i++ {
		if stop(i) {
			return i
		}
		i = p.skip(i)
	}
	return p.end
}

// skip returns the index of the partner of an opening bracket, and i for all else.
func (p *parser) skip(i int) int {
	if j := int(p.pairs[i]); j > i {
		return j
	}
	return i
}

// spanFrom is the span from the token lo to the last one read.
func (p *parser) spanFrom(lo int) Span { return p.spanOf(lo, p.pos) }

// spanOf is the span of the tokens from lo up to hi.
func (p *parser) spanOf(lo, hi int) Span {
	if hi <= lo {
		return Span{p.toks[lo].lo, p.toks[lo].lo}
	}
	return Span{p.toks[lo].lo, p.toks[hi-1].hi}
}

// text is the source of a token.
func (p *parser) text(t token) string { return p.src[t.lo:t.hi] }

// failAt reports an error at a token, unless there is one already.
func (p *parser) failAt(i int, msg string, hints ...string) {
	p.failSpan(i, i+1, msg, hints...)
}

// failSpan reports an error about the tokens from lo up to hi. The end of the statement is right behind its last word.
func (p *parser) failSpan(lo, hi int, msg string, hints ...string) {
	if p.err == nil {
		span := p.spanOf(lo, hi)
		if p.toks[lo].kind == tokEnd && lo > 0 {
			last := p.toks[lo-1].hi
			span = Span{last, last}
		}
		p.err = ErrorAt(p.name, p.src, span, msg, hints...)
		p.errTok = lo
	}
	p.pos = p.end
}

// note adds a remark about a token to the error.
func (p *parser) note(i int, msg string) {
	p.err.Notes = append(p.err.Notes, Note{p.toks[i].span(), msg})
}

// unexpected reports that the current token cannot stand here, with what was wanted instead.
func (p *parser) unexpected() {
	if p.err != nil {
		return
	}
	p.unexpectedAt(p.furthest(p.pos))
}

// unexpectedAt reports that a token cannot stand where it does, with what was wanted there.
func (p *parser) unexpectedAt(at int) {
	p.failAt(at, "unexpected "+describe(p.toks[at], p.src))
	if p.wantAt == at {
		p.err.Expected = expectedWords(p.wants)
	}
	p.incompleteAt(at)
}

// furthest returns the token that is wrong if the token i is not what was expected: if i begins
// a phrase, it is the one where the phrase breaks off.
func (p *parser) furthest(i int) int {
	if p.begun == i && p.wantAt > i {
		return p.wantAt
	}
	return i
}

// expectedWords makes a list for an error message: each word once, punctuation in quotes.
func expectedWords(wants []string) []string {
	var list []string
	for _, w := range wants {
		if strings.Trim(w, "(),=.;[]") == "" {
			w = "'" + w + "'"
		}
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// incompleteAt marks the error as one that more text may mend if the token i is the end of an open
// statement.
func (p *parser) incompleteAt(i int) {
	p.err.Incomplete = p.open && p.toks[i].kind == tokEnd
}
