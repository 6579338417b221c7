package parser

// Postfix operators as slots of a lowering.
type (
	castTo   struct{ typ *Type }
	indexBy  struct{ i Expr }
	fieldOf  struct{ name Ident }
	zoneOf   struct{ zone Expr }
	filterBy struct{ cond Expr }
	withinBy struct{ keys []Order }
	nullsAre struct{ nulls NullTreatment }
	overOf   struct{ window *Window }
)

// postfix lowers one postfix operator behind an operand as COLLATE, and tells whether there was one.
func (l *lowering) postfix() bool {
	lo := l.pos
	var val any
	switch l.toks[l.pos].word {
	case "::":
		l.pos++
		val = castTo{l.typ()}
	case "[":
		var i Expr
		l.brackets("[", func() { i = l.expr() })
		val = indexBy{i}
	case ".":
		l.pos++
		val = fieldOf{l.fieldName()}
	case "AT":
		val = l.atZone()
	case "OVER":
		l.pos++
		val = overOf{l.over()}
	default:
		val = l.aggregatePostfix()
	}
	if val == nil {
		return false
	}
	if l.err == nil {
		l.emit("collate", lo)
		l.hold("t", lo, val)
	}
	return true
}

// aggregatePostfix reads FILTER, WITHIN GROUP, IGNORE NULLS or RESPECT NULLS, or returns nil.
func (l *lowering) aggregatePostfix() any {
	switch {
	case l.is("FILTER") && l.isAt(1, "("):
		l.pos++
		var cond Expr
		l.brackets("(", func() {
			if l.expect("WHERE") {
				cond = l.expr()
			}
		})
		return filterBy{cond}
	case l.looksAt("WITHIN GROUP"):
		l.pos += 2
		var keys []Order
		l.brackets("(", func() {
			if l.expect("ORDER BY") {
				keys = l.orders(l.end)
			}
		})
		return withinBy{keys}
	case l.looksAt("IGNORE NULLS"):
		l.pos += 2
		return nullsAre{IgnoreNulls}
	case l.looksAt("RESPECT NULLS"):
		l.pos += 2
		return nullsAre{RespectNulls}
	}
	return nil
}

// atZone reads AT TIME ZONE zone or AT LOCAL, or returns nil. The zone is a literal, a name or
// an expression in brackets.
func (l *lowering) atZone() any {
	if l.looksAt("AT LOCAL") {
		l.pos += 2
		return zoneOf{}
	}
	if !l.looksAt("AT TIME ZONE") {
		return nil
	}
	l.pos += 3
	if l.is("(") {
		var x Expr
		l.brackets("(", func() { x = l.expr() })
		return zoneOf{x}
	}
	if x := l.literal(); x != nil || l.err != nil {
		return zoneOf{x}
	}
	if !l.tok(0).isName() {
		l.wantWord(l.pos, "a time zone")
		l.unexpected()
		return zoneOf{}
	}
	name := l.qualified()
	return zoneOf{&ColumnRef{name.Span, name}}
}
