package parser

import (
	"strconv"

	"github.com/xwb1989/sqlparser"
)

// A lowering turns a range of tokens into a text for sqlparser that is made of our own words only.
// Every name, literal and table of the range becomes a numbered placeholder (t0 where a name may stand,
// :v0 where a value may), and what sqlparser has no grammar for is read by hand and becomes
// a placeholder as well. Postfix operators become COLLATE, sqlparser's tightest postfix. What stands
// where nothing can is lowered to a backslash, which no grammar takes, so that sqlparser itself finds the
// first place that is wrong. The tree that sqlparser returns is raised to ours: placeholders give back
// what they stand for, and operators and brackets find their tokens next to those of their operands.
type lowering struct {
	*parser
	text  []byte
	marks []mark
	slots []slot
	// nesting counts prefix operators, CASEs and joins whose ends are still to come: sqlparser
	// keeps each on its stack.
	nesting int
	core    bool // the range is a SELECT core and not a list of expressions
	single  bool // the range is one expression
	broken  bool // a backslash is written, so nothing more is worth reading
	fromAt  int  // the token FROM of a core, 0 if there is none
}

// mark ties a word of the text, which ends before offset end, to a token.
type mark struct {
	end int32
	tok int32
}

// slot is what a placeholder stands for: an expression, a TableRef, an Ident, a Group, a Query or
// a postfix operator, and the tokens it covers.
type slot struct {
	lo, hi int
	val    any
}

// parseSQL is the only way into sqlparser. Tests watch it.
var parseSQL = sqlparser.ParseStrictDDL

// maxNesting bounds how many operators may wait for their ends.
const maxNesting = 1000

// newLowering starts a lowering of the current range.
func (p *parser) newLowering() *lowering {
	n := p.end - p.pos
	return &lowering{
		parser: p,
		text:   append(make([]byte, 0, 5*n+24), "select "...),
		marks:  make([]mark, 0, n+8),
		slots:  make([]slot, 0, n/2+4),
	}
}

// emit writes a word that stands for a token.
func (l *lowering) emit(word string, tok int) {
	l.text = append(l.text, word...)
	l.endWord(tok)
}

// endWord marks the end of a word of the text.
func (l *lowering) endWord(tok int) {
	l.marks = append(l.marks, mark{int32(len(l.text)), int32(tok)})
	l.text = append(l.text, ' ')
}

// flow writes a word for the current token and moves on.
func (l *lowering) flow(word string) {
	l.emit(word, l.pos)
	l.pos++
}

// placeholder writes a numbered placeholder with a prefix: t for names, :v for values, ::v for lists.
func (l *lowering) placeholder(prefix string, lo, hi int, val any) int {
	n := len(l.slots)
	l.slots = append(l.slots, slot{lo, hi, val})
	l.text = append(l.text, prefix...)
	l.text = strconv.AppendInt(l.text, int64(n), 10)
	l.endWord(lo)
	return n
}

// hold writes a placeholder for the tokens from lo to the current one.
func (l *lowering) hold(prefix string, lo int, val any) { l.placeholder(prefix, lo, l.pos, val) }

// bad writes a backslash for the current token: it cannot stand here.
func (l *lowering) bad() {
	if !l.broken {
		l.emit(`\`, l.pos)
	}
	l.broken = true
}

// going tells whether there is more to lower.
func (l *lowering) going() bool { return l.pos < l.end && l.err == nil && !l.broken }

// nest counts an operator whose end is still to come.
func (l *lowering) nest() {
	if l.nesting++; l.nesting > maxNesting {
		l.failAt(l.pos, "the expression is nested too deeply, at most 1000 operators may be open")
	}
}

// inside lowers what is between the bracket at the current token and its partner, with brackets
// around it.
func (l *lowering) inside(read func()) {
	closes := int(l.pairs[l.pos])
	l.flow("(")
	outer := l.end
	l.end = closes
	read()
	if l.going() {
		l.bad()
	}
	if l.end = outer; l.err == nil && !l.broken {
		l.flow(")")
	}
}

// parse gives the text to sqlparser and reports its error, if there is one, at the token it is about.
func (l *lowering) parse() *sqlparser.Select {
	if l.err != nil {
		l.checkBefore()
		return nil
	}
	stmt, err := parseSQL(string(l.text))
	if err != nil {
		l.syntaxError(err)
		return nil
	}
	sel, ok := stmt.(*sqlparser.Select)
	if !ok {
		l.unexpected()
		return nil
	}
	return sel
}

// checkBefore looks for an error before the one that a part read by hand has reported.
func (l *lowering) checkBefore() {
	if l.broken || len(l.marks) == 0 {
		return
	}
	found := l.err
	at := l.errTok
	l.text = append(l.text, `\ `...)
	_, err := parseSQL(string(l.text))
	if tok, ok := l.errorToken(err); ok && tok < at {
		l.err = nil
		l.syntaxError(err)
		return
	}
	l.err = found
}

// simple reads the range if it is a single name or literal, which needs no lowering.
func (p *parser) simple() Expr {
	start := p.pos
	x := p.literal()
	if x == nil && p.tok(0).isName() {
		x = p.simpleName()
	}
	if x == nil || p.err != nil || !p.done() {
		if p.err == nil {
			p.pos = start
		}
		return nil
	}
	return x
}

// simpleName reads a dotted name as a column, unless it reads as something else.
func (p *parser) simpleName() Expr {
	lo := p.pos
	if noParens[p.tok(0).word] {
		return nil
	}
	for p.isAt(1, ".") && p.tok(2).isName() {
		p.pos += 2
	}
	if p.pos+1 < p.end {
		return nil
	}
	p.pos = lo
	name := p.qualified()
	return &ColumnRef{name.Span, name}
}

// exprTo reads an expression that ends before a token.
func (p *parser) exprTo(end int) Expr {
	var x Expr
	p.within(end, func() { x = p.expr() })
	return x
}

// expr reads an expression that takes the rest of the range.
func (p *parser) expr() Expr {
	if list := p.exprs(1); len(list) > 0 {
		return list[0]
	}
	return nil
}

// exprsTo reads expressions separated by commas that end before a token.
func (p *parser) exprsTo(end int) []Expr {
	var list []Expr
	p.within(end, func() { list = p.exprs(0) })
	return list
}

// exprs reads expressions separated by commas that take the rest of the range, at most so many unless
// most is 0.
func (p *parser) exprs(most int) []Expr {
	if p.err != nil {
		return nil
	}
	if p.done() {
		p.wantWord(p.pos, "an expression")
		p.unexpected()
		return nil
	}
	if list := p.simples(most); list != nil {
		return list
	}
	l := p.newLowering()
	l.single = most == 1
	l.items(exprList{commas: !l.single})
	if l.going() {
		l.bad()
	}
	sel := l.parse()
	if sel == nil {
		return nil
	}
	return l.raiseExprs(sel.SelectExprs)
}

// simples reads the range if it is a list of simple expressions, or returns nil.
func (p *parser) simples(most int) []Expr {
	if most == 1 {
		if x := p.simple(); x != nil {
			return []Expr{x}
		}
		return nil
	}
	start, outer := p.pos, p.end
	var list []Expr
	for p.err == nil {
		p.end = outer
		comma := p.find(func(i int) bool { return p.toks[i].word == "," })
		p.end = comma
		x := p.simple()
		if p.end = outer; x == nil {
			break
		}
		if list = append(list, x); comma == outer {
			return list
		}
		p.pos++
	}
	if p.err == nil {
		p.pos = start
	}
	return nil
}
