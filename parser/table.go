package parser

// startsTable tells whether a table factor other than a bracketed join starts at the current token.
func (p *parser) startsTable() bool {
	t := p.tok(0)
	switch t.word {
	case "LATERAL", "UNNEST", "TABLE":
		return true
	case "(":
		return p.holdsQuery(p.pos)
	}
	return t.isName() || t.kind == tokString
}

// tableFactor reads one table of FROM with all that belongs to it.
func (p *parser) tableFactor() TableRef {
	lo := p.pos
	lateral := p.accept("LATERAL")
	switch {
	case p.is("("):
		return p.derived(lo, lateral)
	case p.is("UNNEST"):
		return p.unnest(lo)
	case p.is("TABLE"):
		return p.wrappedTableFunc(lo, lateral)
	case lateral:
		return p.tableFunc(lo, true, p.qualified())
	case p.tok(0).kind == tokString:
		return p.pathTable(lo)
	}
	name := p.qualified()
	if p.is("(") && p.err == nil {
		return p.tableFunc(lo, false, name)
	}
	return p.namedTable(lo, name)
}

// derived reads a query in brackets.
func (p *parser) derived(lo int, lateral bool) TableRef {
	d := &Derived{Lateral: lateral, Query: p.subquery()}
	d.Match = p.matchRecognize()
	d.Alias = p.alias()
	d.Span = p.spanFrom(lo)
	return d
}

// unnest reads UNNEST (x, …) [WITH ORDINALITY].
func (p *parser) unnest(lo int) TableRef {
	u := &Unnest{}
	p.pos++
	p.brackets("(", func() { u.Exprs = p.exprsTo(p.end) })
	u.Ordinality = p.accept("WITH ORDINALITY")
	u.Alias = p.alias()
	u.Span = p.spanFrom(lo)
	return u
}

// wrappedTableFunc reads TABLE (f(…)).
func (p *parser) wrappedTableFunc(lo int, lateral bool) TableRef {
	var call *Call
	p.pos++
	p.brackets("(", func() {
		start := p.pos
		name := p.qualified()
		call = p.tableCall(start, name)
	})
	return p.tableFuncTail(lo, &TableFunc{Lateral: lateral, Call: call})
}

// tableFunc reads the arguments of a table function.
func (p *parser) tableFunc(lo int, lateral bool, name Name) TableRef {
	call := p.tableCall(p.pos-1, name)
	if p.err == nil {
		call.Span.Lo = name.Lo
	}
	return p.tableFuncTail(lo, &TableFunc{Lateral: lateral, Call: call})
}

// tableFuncTail reads what may follow a table function.
func (p *parser) tableFuncTail(lo int, f *TableFunc) TableRef {
	f.Match = p.matchRecognize()
	f.Alias = p.alias()
	f.Span = p.spanFrom(lo)
	return f
}

// pathTable reads a file as a table.
func (p *parser) pathTable(lo int) TableRef {
	t := &PathTable{Path: p.str(), Hints: p.hints()}
	t.Match = p.matchRecognize()
	t.Alias = p.alias()
	t.Span = p.spanFrom(lo)
	return t
}

// namedTable reads what may follow the name of a table.
func (p *parser) namedTable(lo int, name Name) TableRef {
	t := &Table{Name: name, Hints: p.hints()}
	if p.accept("FOR SYSTEM_TIME AS OF") {
		t.AsOf = p.exprTo(p.asOfEnd())
	}
	t.Match = p.matchRecognize()
	t.Alias = p.alias()
	t.Span = p.spanFrom(lo)
	return t
}

// asOfEnd returns where the time of FOR SYSTEM_TIME AS OF ends: at the next word of FROM, or
// before an alias without AS.
func (p *parser) asOfEnd() int {
	end := p.find(func(i int) bool {
		switch p.toks[i].word {
		case ",", "AS", "JOIN", "INNER", "FULL", "CROSS", "NATURAL", "ON", "USING", "WHERE", "GROUP", "HAVING":
			return true
		case "LEFT", "RIGHT":
			return p.toks[i+1].word != "("
		case "MATCH_RECOGNIZE":
			return i > p.pos && p.toks[i+1].word == "("
		}
		return false
	})
	if last := end - 1; last > p.pos && p.toks[end].word != "AS" && p.isBareAlias(last) {
		return last
	}
	return end
}

// isBareAlias tells whether the token i is an alias behind an expression, and not the unit of an interval.
func (p *parser) isBareAlias(i int) bool {
	before := p.toks[i-1]
	literal := before.kind == tokString || before.kind == tokNumber
	return p.toks[i].isName() && before.endsOperand() && !(literal && unitOf[p.toks[i].word] != "")
}

// alias reads [AS] name [(columns)], or returns nil if there is none.
func (p *parser) alias() *Alias {
	lo := p.pos
	if !p.accept("AS") && !p.tok(0).isName() {
		return nil
	}
	a := &Alias{Name: p.ident()}
	if p.is("(") {
		a.Columns = p.identList()
	}
	a.Span = p.spanFrom(lo)
	return a
}

// hints reads /*+ … */ if it follows.
func (p *parser) hints() []Hint {
	if !p.is("/*+") || p.err != nil {
		return nil
	}
	var list []Hint
	p.brackets("/*+", func() {
		for p.err == nil && !p.done() {
			list = append(list, p.hint())
			p.accept(",")
		}
	})
	return list
}

// hint reads NAME, NAME(a, b) or NAME('key' = 'value').
func (p *parser) hint() Hint {
	lo := p.pos
	h := Hint{Name: upper(p.ident().Name)}
	if p.is("(") {
		p.brackets("(", func() {
			if p.done() {
				return
			}
			if p.hasProperties() {
				p.commas(func() { h.Properties = append(h.Properties, p.property()) })
				return
			}
			h.Args = p.exprsTo(p.end)
		})
	}
	h.Span = p.spanFrom(lo)
	return h
}

// hasProperties tells whether the range holds properties.
func (p *parser) hasProperties() bool {
	return p.find(func(i int) bool { return p.toks[i].word == "=" }) < p.end
}
