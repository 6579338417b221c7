package parser

// createView reads what stands behind CREATE VIEW.
func (p *parser) createView(lo int, s *CreateView) Stmt {
	s.IfNotExists = p.accept("IF NOT EXISTS")
	s.Name = p.qualified()
	s.Columns = p.viewColumns()
	s.Comment = p.comment(nil)
	s.Query = p.asQuery()
	s.Span = p.spanFrom(lo)
	return s
}

// createMaterializedView reads what stands behind CREATE MATERIALIZED VIEW.
func (p *parser) createMaterializedView(lo int, s *CreateMaterializedView) Stmt {
	s.IfNotExists = p.accept("IF NOT EXISTS")
	s.Name = p.qualified()
	s.Columns = p.viewColumns()
	s.Comment = p.comment(nil)
	if p.accept("WITH") {
		s.With = p.properties()
	}
	s.Query = p.asQuery()
	s.Span = p.spanFrom(lo)
	return s
}

// viewColumns reads (a [COMMENT 'c'], b), if it follows.
func (p *parser) viewColumns() []ViewColumn {
	if !p.is("(") {
		return nil
	}
	var list []ViewColumn
	p.list(func() {
		lo := p.pos
		c := ViewColumn{Name: p.ident(), Comment: p.comment(nil)}
		c.Span = p.spanFrom(lo)
		list = append(list, c)
	})
	return list
}

// asQuery reads AS query.
func (p *parser) asQuery() *Query {
	if !p.expect("AS") {
		return nil
	}
	return p.query()
}

// createFunction reads what stands behind CREATE FUNCTION.
func (p *parser) createFunction(lo int, s *CreateFunction) Stmt {
	s.IfNotExists = p.accept("IF NOT EXISTS")
	s.Name = p.qualified()
	switch {
	case p.is("("):
		p.macro(s)
	case p.accept("AS"):
		class := p.str()
		s.Class = &class
		p.functionSource(s)
	default:
		p.wantWord(p.pos, "'('")
		p.unexpected()
	}
	s.Span = p.spanFrom(lo)
	return s
}

// functionSource reads [LANGUAGE l] [USING JAR '…', JAR '…'].
func (p *parser) functionSource(s *CreateFunction) {
	if p.accept("LANGUAGE") {
		s.Language = upper(p.ident().Name)
	}
	if p.accept("USING") {
		p.commas(func() {
			p.expect("JAR")
			s.Jars = append(s.Jars, p.str())
		})
	}
}

// macro reads (x type, …) [RETURNS type] RETURN x.
func (p *parser) macro(s *CreateFunction) {
	p.brackets("(", func() {
		if !p.done() {
			p.commas(func() { s.Params = append(s.Params, p.param()) })
		}
	})
	if p.accept("RETURNS") {
		s.Returns = p.nullableType()
	}
	if p.expect("RETURN") {
		s.Body = p.expr()
	}
}

// param reads one parameter of a macro.
func (p *parser) param() Param {
	lo := p.pos
	x := Param{Name: p.ident(), Type: p.nullableType()}
	x.Span = p.spanFrom(lo)
	return x
}
