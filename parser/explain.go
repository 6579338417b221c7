package parser

// explainDetails gives the picture of a plan for each word of EXPLAIN.
var explainDetails = []struct {
	word   string
	detail ExplainDetail
}{
	{"LOGICAL", ExplainLogical},
	{"PHYSICAL", ExplainPhysical},
	{"STATE", ExplainState},
	{"CHANGELOG", ExplainChangelog},
	{"CHANGELOG_MODE", ExplainChangelog},
	{"GUARANTEE", ExplainGuarantee},
	{"JSON", ExplainJSON},
	{"JSON_EXECUTION_PLAN", ExplainJSON},
	{"COST", ExplainCost},
	{"ESTIMATED_COST", ExplainCost},
	{"ADVICE", ExplainAdvice},
	{"PLAN_ADVICE", ExplainAdvice},
}

// explainStmt reads EXPLAIN.
func (p *parser) explainStmt() Stmt {
	lo := p.pos
	p.pos++
	if p.accept("ANALYZE") {
		return p.explainAnalyze(lo)
	}
	s := &Explain{}
	switch {
	case p.accept("PLAN FOR"):
	case p.is("(") && !p.holdsQuery(p.pos):
		p.list(func() { s.Details = append(s.Details, p.explainDetail()) })
	case p.startsDetail():
		p.commas(func() { s.Details = append(s.Details, p.explainDetail()) })
	}
	s.Stmt = p.explained()
	s.Span = p.spanFrom(lo)
	return s
}

// startsDetail tells whether the current word is a picture of a plan.
func (p *parser) startsDetail() bool {
	for _, d := range explainDetails {
		if p.is(d.word) {
			return true
		}
	}
	return false
}

// explainDetail reads one picture of a plan.
func (p *parser) explainDetail() ExplainDetail {
	for _, d := range explainDetails {
		if p.accept(d.word) {
			return d.detail
		}
	}
	p.unexpected()
	return ""
}

// explained reads the statement EXPLAIN is about.
func (p *parser) explained() Stmt {
	switch {
	case p.startsQuery():
		return p.queryStmt()
	case p.is("INSERT"):
		return p.insert()
	case p.is("EXECUTE"):
		return p.statementSet(p.pos, "EXECUTE STATEMENT SET BEGIN")
	case p.is("STATEMENT"):
		return p.statementSet(p.pos, "STATEMENT SET BEGIN")
	case p.is("CREATE"):
		return p.explainedCreate()
	}
	for _, w := range []string{"SELECT", "INSERT", "EXECUTE STATEMENT SET", "CREATE"} {
		p.wantWord(p.pos, w)
	}
	p.unexpected()
	return nil
}

// explainedCreate reads a CREATE that holds a query.
func (p *parser) explainedCreate() Stmt {
	lo := p.pos
	s := p.create()
	if p.err != nil {
		return nil
	}
	switch s := s.(type) {
	case *CreateView, *CreateMaterializedView:
		return s
	case *CreateTable:
		if s.As != nil {
			return s
		}
	}
	p.failSpan(lo, p.pos, "EXPLAIN takes a statement with a query")
	p.incompleteAt(p.end)
	return nil
}

// explainAnalyze reads what stands behind EXPLAIN ANALYZE.
func (p *parser) explainAnalyze(lo int) Stmt {
	p.expect("JOB")
	s := &ExplainAnalyze{Job: p.label(aJob)}
	if p.accept("FOR") {
		s.For = p.duration()
	}
	s.Span = p.spanFrom(lo)
	return s
}
