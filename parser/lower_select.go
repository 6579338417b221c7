package parser

// selectCore reads a SELECT core that ends before a token.
func (p *parser) selectCore(end int) *Select {
	s := &Select{}
	p.within(end, func() {
		p.pos++
		s.Hints = p.hints()
		if s.Distinct = p.accept("DISTINCT"); !s.Distinct {
			p.accept("ALL")
		}
		if p.err != nil {
			return
		}
		l := p.newLowering()
		l.core = true
		l.selectText(s.Distinct)
		if sel := l.parse(); sel != nil {
			l.raiseSelect(s, sel)
		}
	})
	return s
}

// selectText lowers what follows SELECT, clause by clause. Clauses out of order are for sqlparser to
// find.
func (l *lowering) selectText(distinct bool) {
	if distinct {
		l.emit("distinct", l.pos-1)
	}
	l.items(exprList{commas: true, aliases: true})
	for l.going() {
		switch l.toks[l.pos].word {
		case "FROM":
			l.fromAt = l.pos
			l.flow("from")
			l.tables(true)
		case "WHERE":
			l.flow("where")
			l.items(exprList{})
		case "GROUP":
			l.groupBy()
		case "HAVING":
			l.flow("having")
			l.items(exprList{})
		default:
			l.bad()
		}
	}
}

// groupBy lowers GROUP BY. Lists in brackets and GROUPING SETS, CUBE and ROLLUP are elements only
// if they stand alone between the commas.
func (l *lowering) groupBy() {
	l.flow("group")
	if !l.is("BY") {
		l.items(exprList{commas: true})
		return
	}
	l.flow("by")
	for l.going() {
		if lo := l.pos; l.startsGroup() {
			g := l.group()
			l.hold(":v", lo, &g)
		} else {
			l.items(exprList{})
		}
		if !l.going() || !l.is(",") {
			return
		}
		l.flow(",")
	}
}

// tables lowers tables and joins up to the next clause; in brackets there are no commas between them.
func (l *lowering) tables(commas bool) {
	wantTable := true
	for l.going() {
		word := l.toks[l.pos].word
		switch {
		case wantTable:
			l.table()
			wantTable = false
		case word == "," && commas:
			l.flow(",")
			wantTable = true
		case word == "ON":
			l.flow("on")
			l.items(exprList{})
		case word == "USING":
			l.using()
		case word == "WHERE" || word == "GROUP" || word == "HAVING":
			return
		case joinWords[word] != "":
			wantTable = l.joinWord(word)
		default:
			l.bad()
		}
	}
}

// joinWords gives the lowering of the words of a join.
var joinWords = map[string]string{
	"JOIN": "join", "INNER": "inner", "CROSS": "cross", "NATURAL": "natural",
	"LEFT": "left", "RIGHT": "right", "FULL": "left", "OUTER": "outer", "SEMI": "outer", "ANTI": "outer",
}

// joinWord lowers one word of a join and tells whether a table must follow.
func (l *lowering) joinWord(word string) bool {
	before := l.toks[l.pos-1].word
	switch {
	case (word == "SEMI" || word == "ANTI") && before != "LEFT":
		l.bad()
	case word == "INNER" && before == "NATURAL":
		l.pos++ // sqlparser has no NATURAL INNER JOIN, and it is the same as NATURAL JOIN
	case word == "JOIN":
		if before != "INNER" && before != "CROSS" && joinWords[before] != "" {
			l.nest() // sqlparser looks for more joins before the ON of an outer join
		}
		l.flow("join")
		return true
	default:
		l.flow(joinWords[word])
	}
	return false
}

// table lowers one table, or a join in brackets.
func (l *lowering) table() {
	if l.is("(") && !l.holdsQuery(l.pos) {
		l.inside(func() { l.tables(false) })
		return
	}
	if !l.startsTable() {
		l.wantWord(l.pos, "a table")
		l.unexpected()
		return
	}
	lo := l.pos
	t := l.tableFactor()
	if l.err == nil {
		l.hold("t", lo, t)
	}
}

// using lowers USING (a, b).
func (l *lowering) using() {
	l.flow("using")
	if !l.is("(") {
		l.bad()
		return
	}
	l.inside(func() {
		for l.going() {
			lo := l.pos
			name := l.ident()
			if l.err != nil {
				return
			}
			l.hold("t", lo, name)
			if !l.is(",") {
				return
			}
			l.flow(",")
		}
	})
}
