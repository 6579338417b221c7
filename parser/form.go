package parser

// form lowers an operand that starts with a word and has a grammar of its own. It returns false if the
// word starts no such operand here.
func (l *lowering) form(word string) bool {
	lo := l.pos
	switch word {
	case "CAST":
		return l.cast(lo, false)
	case "TRY_CAST":
		return l.isAt(1, "(") && l.cast(lo, true)
	case "EXISTS":
		return l.exists(lo)
	case "ANY", "SOME", "ALL":
		return l.isAt(1, "(") && l.holdsQuery(lo+1) && l.quantified(lo, word == "ALL")
	case "ARRAY":
		return l.isAt(1, "[") && l.constructor(lo, &Array{})
	case "MAP":
		return l.isAt(1, "[") && l.constructor(lo, &Map{})
	case "ROW":
		return l.isAt(1, "(") && l.constructor(lo, &Row{Explicit: true})
	}
	return false
}

// cast lowers CAST (x AS type) as a call of one argument.
func (l *lowering) cast(lo int, try bool) bool {
	c := &Cast{Try: try}
	if l.pos++; !l.is("(") {
		l.wantWord(l.pos, "'('")
		l.unexpected()
		return true
	}
	n := l.placeholder("t", lo, lo, c)
	l.inside(func() {
		as := l.find(func(i int) bool { return l.toks[i].word == "AS" })
		closes := l.end
		l.end = as
		l.items(exprList{})
		if l.going() && l.is(",") {
			l.wantWord(l.pos, "AS")
			l.unexpected()
		} else if l.going() {
			l.bad()
		}
		if l.end = closes; l.err != nil || l.broken {
			return
		}
		if l.pos == as && l.toks[as-1].word == "(" {
			l.wantWord(l.pos, "an expression")
			l.unexpected()
			return
		}
		l.expect("AS")
		c.Type = l.typ()
		l.finish()
	})
	l.slots[n].hi = l.pos
	return true
}

// exists lowers EXISTS (query).
func (l *lowering) exists(lo int) bool {
	l.pos++
	q := l.subquery()
	if l.err == nil {
		l.hold(":v", lo, &Exists{Span: l.spanFrom(lo), Query: q})
	}
	return true
}

// quantified lowers ANY (query) and ALL (query). The comparison before it is added when the tree is
// raised.
func (l *lowering) quantified(lo int, all bool) bool {
	l.pos++
	q := l.subquery()
	if l.err == nil {
		l.hold(":v", lo, &Quantified{Span: l.spanFrom(lo), All: all, Query: q})
	}
	return true
}

// constructor lowers ARRAY [a, b], MAP [k, v] and ROW (a, b) as calls.
func (l *lowering) constructor(lo int, x Expr) bool {
	l.pos++
	n := l.placeholder("t", lo, lo, x)
	l.inside(func() {
		if !l.done() {
			l.items(exprList{commas: true})
		}
	})
	l.slots[n].hi = l.pos
	return true
}
