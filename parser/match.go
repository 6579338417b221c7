package parser

// matchRecognize reads MATCH_RECOGNIZE (…) if it follows, or returns nil.
func (p *parser) matchRecognize() *Match {
	if !p.is("MATCH_RECOGNIZE") || !p.isAt(1, "(") {
		return nil
	}
	lo := p.pos
	m := &Match{}
	p.pos++
	p.brackets("(", func() {
		p.matchInput(m)
		p.matchOutput(m)
		p.matchPattern(m)
	})
	m.Alias = p.alias()
	m.Span = p.spanFrom(lo)
	return m
}

// matchInput reads PARTITION BY and ORDER BY.
func (p *parser) matchInput(m *Match) {
	if p.accept("PARTITION BY") {
		m.PartitionBy = p.exprsTo(p.find(func(i int) bool { return p.toks[i].word == "ORDER" || p.startsMatchClause(i) }))
	}
	if p.accept("ORDER BY") {
		m.OrderBy = p.orders(p.find(p.startsMatchClause))
	}
}

// startsMatchClause tells whether a clause behind ORDER BY starts at the token i.
func (p *parser) startsMatchClause(i int) bool {
	next := p.toks[i+1].word
	switch p.toks[i].word {
	case "MEASURES", "DEFINE", "SUBSET":
		return !isClauseBreak(next)
	case "ONE":
		return next == "ROW"
	case "ALL":
		return next == "ROWS"
	case "AFTER":
		return next == "MATCH"
	case "PATTERN":
		return next == "("
	}
	return false
}

// isClauseBreak tells whether a word separates the elements of a list.
func isClauseBreak(word string) bool { return word == "," || word == ")" }

// matchOutput reads MEASURES, ROWS PER MATCH and AFTER MATCH.
func (p *parser) matchOutput(m *Match) {
	if p.accept("MEASURES") {
		p.within(p.find(p.startsMatchClause), func() {
			p.commas(func() { m.Measures = append(m.Measures, p.measure()) })
		})
	}
	if p.accept("ALL ROWS PER MATCH") {
		m.AllRows = true
	} else {
		p.accept("ONE ROW PER MATCH")
	}
	if p.accept("AFTER MATCH") {
		m.After = p.matchSkip()
	}
}

// measure reads x AS name.
func (p *parser) measure() Item {
	lo := p.pos
	x := p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "AS" || p.toks[i].word == "," }))
	p.expect("AS")
	name := p.ident()
	return Item{p.spanFrom(lo), x, &name}
}

// matchSkip reads what stands behind AFTER MATCH.
func (p *parser) matchSkip() *MatchSkip {
	lo := p.pos - 2
	s := &MatchSkip{}
	p.expect("SKIP")
	switch {
	case p.accept("PAST LAST ROW"):
		s.Kind = SkipPastLastRow
	case p.accept("TO NEXT ROW"):
		s.Kind = SkipToNextRow
	case p.accept("TO FIRST"):
		s.Kind, s.Var = SkipToFirst, p.ident()
	case p.accept("TO LAST"):
		s.Kind, s.Var = SkipToLast, p.ident()
	case p.accept("TO"):
		s.Kind, s.Var = SkipToLast, p.ident()
	default:
		p.unexpected()
	}
	s.Span = p.spanFrom(lo)
	return s
}

// matchPattern reads PATTERN, WITHIN, SUBSET and DEFINE.
func (p *parser) matchPattern(m *Match) {
	if p.expect("PATTERN") {
		p.brackets("(", func() { m.Pattern = p.alternatives() })
	}
	if p.accept("WITHIN") {
		m.Within = p.duration()
	}
	if p.accept("SUBSET") {
		p.commas(func() { m.Subsets = append(m.Subsets, p.subset()) })
	}
	if p.expect("DEFINE") {
		p.commas(func() { m.Define = append(m.Define, p.define()) })
	}
}

// subset reads name = (a, b).
func (p *parser) subset() MatchSubset {
	lo := p.pos
	s := MatchSubset{Name: p.ident()}
	p.expect("=")
	s.Vars = p.identList()
	s.Span = p.spanFrom(lo)
	return s
}

// define reads variable AS x.
func (p *parser) define() Item {
	lo := p.pos
	name := p.ident()
	p.expect("AS")
	x := p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "," }))
	return Item{p.spanFrom(lo), x, &name}
}
