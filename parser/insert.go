package parser

// insert reads INSERT up to the end of the range.
func (p *parser) insert() *Insert {
	lo := p.pos
	p.expect("INSERT")
	s := &Insert{}
	if s.Overwrite = p.accept("OVERWRITE"); !s.Overwrite {
		p.expect("INTO")
	}
	p.accept("TABLE")
	s.Table = p.qualified()
	s.Hints = p.hints()
	if p.is("PARTITION") && p.isAt(1, "(") {
		p.pos++
		p.list(func() { s.Partition = append(s.Partition, p.partitionValue()) })
	}
	if p.is("(") && !p.holdsQuery(p.pos) {
		s.Columns = p.identList()
	}
	if p.err == nil && !p.startsQuery() {
		p.wantWord(p.pos, "SELECT")
		p.wantWord(p.pos, "VALUES")
		p.unexpected()
	}
	s.Query = p.query()
	s.Span = p.spanFrom(lo)
	return s
}

// partitionValue reads column [= x].
func (p *parser) partitionValue() PartitionValue {
	lo := p.pos
	v := PartitionValue{Column: p.ident()}
	if p.accept("=") {
		v.X = p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "," }))
	}
	v.Span = p.spanFrom(lo)
	return v
}

// statementSet reads a statement set whose first words are given and that starts at token lo.
func (p *parser) statementSet(lo int, words string) *StatementSet {
	s := &StatementSet{}
	p.expect(words)
	for p.err == nil && !p.accept("END") {
		if !p.is("INSERT") {
			p.wantWord(p.pos, "INSERT")
			p.unexpected()
			return s
		}
		end := p.find(func(i int) bool { return p.toks[i].word == ";" })
		p.within(end, func() { s.Inserts = append(s.Inserts, p.insert()) })
		p.expect(";")
	}
	if p.err == nil && len(s.Inserts) == 0 {
		p.failAt(p.pos-1, "a statement set needs at least one INSERT")
	}
	s.Span = p.spanFrom(lo)
	return s
}

// valueRows reads the rows of VALUES, which end before a token.
func (p *parser) valueRows(end int) []ValueRow {
	var rows []ValueRow
	p.within(end, func() {
		if p.done() {
			p.wantWord(p.pos, "a row of values")
			p.unexpected()
			return
		}
		l := p.newLowering()
		l.items(exprList{commas: true})
		if l.going() {
			l.bad()
		}
		if sel := l.parse(); sel != nil {
			rows = l.raiseRows(sel.SelectExprs)
		}
	})
	return rows
}
