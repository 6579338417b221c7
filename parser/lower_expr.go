package parser

// exprList says what a list of expressions may hold.
type exprList struct {
	commas  bool // more than one expression
	aliases bool // names behind expressions, and stars with a table
}

// items lowers expressions up to the end of the range, a word that starts a clause, or a comma if
// there are none in the list.
func (l *lowering) items(list exprList) {
	outer := l.nesting
	after := false // whether the last thing read was an operand
	prefixes := 0  // operators before the current operand
	for l.going() {
		if !after {
			if prefixes++; l.is("CASE") {
				prefixes = 0
			}
			if after = l.operand(); after {
				l.nesting -= min(prefixes-1, l.nesting-outer)
				prefixes = 0
			}
			continue
		}
		word := l.toks[l.pos].word
		if l.core && clauseWords[word] || word == "," && !list.commas {
			break
		}
		if word == "," {
			l.nesting = outer
		}
		if l.postfix() {
			continue
		}
		after = l.operator(list)
	}
	l.nesting = outer
}

// clauseWords end an expression in a SELECT core. LEFT and RIGHT behind an operand are joins.
var clauseWords = map[string]bool{
	"FROM": true, "WHERE": true, "GROUP": true, "HAVING": true, "ON": true, "USING": true, "JOIN": true,
	"INNER": true, "LEFT": true, "RIGHT": true, "FULL": true, "CROSS": true, "NATURAL": true,
}

// operand lowers one token or island where an operand may start, and tells whether it was a whole
// operand.
func (l *lowering) operand() bool {
	t := l.toks[l.pos]
	switch t.word {
	case "NOT", "-", "+":
		l.nest()
		l.flow(flowing[t.word])
		return false
	case "CASE":
		l.nest()
		l.flow("case")
		return false
	case "WHEN":
		l.flow("when")
		return false
	case "*":
		l.flow("*")
		return true
	case "(":
		l.bracket()
		return true
	}
	return l.primary(t)
}

// primary lowers a literal, a name, a call or another form that starts with a word.
func (l *lowering) primary(t token) bool {
	lo := l.pos
	if x := l.literal(); x != nil || l.err != nil {
		l.hold(":v", lo, x)
		return true
	}
	switch {
	case l.form(t.word):
	case t.isName() || (t.word == "LEFT" || t.word == "RIGHT") && l.isAt(1, "("):
		l.named()
	default:
		l.bad()
		return false
	}
	return true
}

// bracket lowers a query or an expression or row in brackets.
func (l *lowering) bracket() {
	if !l.holdsQuery(l.pos) {
		l.inside(func() { l.items(exprList{commas: true}) })
		return
	}
	lo := l.pos
	q := l.subquery()
	if l.err == nil {
		l.hold(":v", lo, &Subquery{Span: l.spanFrom(lo), Query: q})
	}
}

// named lowers a column, a call or a star with a table.
func (l *lowering) named() {
	lo := l.pos
	first := l.identOf(l.toks[l.pos])
	word := l.toks[l.pos].word
	l.pos++
	name := l.dotted(lo, first)
	switch {
	case l.err != nil:
	case l.is("("):
		l.call(lo, name)
	case l.is("."):
		n := l.placeholder("t", lo, l.pos, name)
		l.flow(".")
		l.flow("*")
		l.slots[n].hi = l.pos
	case noParens[word] && len(name.Parts) == 1:
		l.hold(":v", lo, &Call{Span: name.Span, Name: name, NoParens: true})
	default:
		l.hold("t", lo, &ColumnRef{Span: name.Span, Name: name})
	}
}

// noParens are the functions that are called without brackets.
var noParens = map[string]bool{
	"CURRENT_DATE": true, "CURRENT_TIME": true, "CURRENT_TIMESTAMP": true, "LOCALTIME": true,
	"LOCALTIMESTAMP": true,
}

// flowing gives the lowering of operators that sqlparser knows under the same or another name.
var flowing = map[string]string{
	"NOT": "not", "-": "-", "+": "+", "AND": "and", "OR": "or", "*": "*", "/": "/", "%": "%",
	"=": "=", "<>": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">=", "||": "|",
	"WHEN": "when", "THEN": "then", "ELSE": "else", ",": ",",
}

// operator lowers what stands behind an operand and is no postfix, and tells whether an operand
// is complete behind it.
func (l *lowering) operator(list exprList) bool {
	t := l.toks[l.pos]
	switch t.word {
	case "END":
		l.nesting = max(l.nesting-1, 0)
		l.flow("end")
		return true
	case "IS":
		return l.isTest()
	case "NOT":
		l.flow("not")
		return true
	case "BETWEEN":
		l.flow("between")
		if (l.is("SYMMETRIC") || l.is("ASYMMETRIC")) && l.tok(1).startsOperand() {
			l.pos++
		}
		return false
	case "IN":
		return l.in()
	case "LIKE":
		l.flow("like")
		return false
	case "AS":
		return l.as(list)
	}
	if word := flowing[t.word]; word != "" {
		l.flow(word)
		return false
	}
	return l.softOperator(t, list)
}

// softOperator lowers operators that are words free for names elsewhere, and aliases.
func (l *lowering) softOperator(t token, list exprList) bool {
	switch {
	case !l.tok(1).startsOperand():
	case t.word == "ILIKE" || t.word == "RLIKE":
		l.flow("like")
		return false
	case t.word == "ESCAPE":
		l.flow("escape")
		return false
	case t.word == "OVERLAPS":
		l.flow("<=>")
		return false
	}
	if t.word == "SIMILAR" && l.isAt(1, "TO") {
		l.flow("like")
		l.pos++
		return false
	}
	if list.aliases && t.isName() {
		l.aliasName()
		return true
	}
	l.bad()
	return false
}

// as lowers AS and the name behind it.
func (l *lowering) as(list exprList) bool {
	if !list.aliases {
		l.bad()
		return false
	}
	l.flow("as")
	if !l.tok(0).isName() {
		l.bad()
		return false
	}
	l.aliasName()
	return true
}

// aliasName lowers the name of an item of a select list.
func (l *lowering) aliasName() {
	lo := l.pos
	name := l.ident()
	l.hold("t", lo, name)
}

// in lowers IN with a list or a query, and tells whether the operand is complete.
func (l *lowering) in() bool {
	l.flow("in")
	if !l.is("(") {
		l.bad()
		return false
	}
	lo := l.pos
	switch {
	case l.holdsQuery(lo):
		if q := l.subquery(); l.err == nil {
			l.hold("::v", lo, q)
		}
	case int(l.pairs[lo]) == lo+1:
		l.failSpan(lo, lo+2, "IN needs at least one value")
	default:
		l.inside(func() { l.items(exprList{commas: true}) })
	}
	return true
}

// isTest lowers IS with all that belongs to it, and tells whether the operand is complete.
func (l *lowering) isTest() bool {
	lo := l.pos
	test, op := l.isWords()
	switch {
	case l.err != nil:
	case op != "":
		l.emit("<=>", lo)
		return false
	case test != "":
		l.emit("is", lo)
		l.emit("null", l.pos-1)
	}
	return true
}

// isWords reads IS and what it tests. It returns a test or the operator IS [NOT] DISTINCT FROM.
func (p *parser) isWords() (IsTest, Op) {
	p.pos++
	not := p.accept("NOT")
	if p.accept("DISTINCT FROM") {
		if not {
			return "", OpNotDistinctFrom
		}
		return "", OpDistinctFrom
	}
	if p.accept("JSON") {
		return p.jsonTest(), ""
	}
	for _, test := range []IsTest{IsNull, IsTrue, IsFalse, IsUnknown} {
		if p.accept(string(test)) {
			return test, ""
		}
	}
	p.unexpected()
	return "", ""
}

// jsonTest reads what may follow IS JSON.
func (p *parser) jsonTest() IsTest {
	switch p.tok(0).word {
	case "VALUE", "OBJECT", "ARRAY", "SCALAR":
		p.pos++
		return IsJSON + " " + IsTest(p.toks[p.pos-1].word)
	}
	return IsJSON
}
