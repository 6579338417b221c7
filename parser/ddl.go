package parser

// create reads CREATE by its second words.
func (p *parser) create() Stmt {
	lo := p.pos
	p.pos++
	if p.is("SAVEPOINT") {
		return p.createSavepoint(lo)
	}
	replace := p.accept("OR REPLACE")
	temporary := p.accept("TEMPORARY")
	switch {
	case !replace && !temporary && p.accept("EXTERNAL TABLE"):
		return p.createTable(lo, &CreateTable{External: &External{}})
	case !replace && p.accept("TABLE"):
		return p.createTable(lo, &CreateTable{Temporary: temporary})
	case p.accept("VIEW"):
		return p.createView(lo, &CreateView{OrReplace: replace, Temporary: temporary})
	case !temporary && p.accept("MATERIALIZED VIEW"):
		return p.createMaterializedView(lo, &CreateMaterializedView{OrReplace: replace})
	case p.accept("FUNCTION"):
		return p.createFunction(lo, &CreateFunction{OrReplace: replace, Temporary: temporary})
	}
	if !replace && !temporary {
		p.wantWord(p.pos, "SAVEPOINT")
	}
	p.unexpected()
	return nil
}

// createTable reads what stands behind CREATE TABLE.
func (p *parser) createTable(lo int, s *CreateTable) Stmt {
	s.IfNotExists = p.accept("IF NOT EXISTS")
	s.Name = p.qualified()
	if p.is("(") {
		p.brackets("(", func() {
			if !p.done() {
				p.commas(func() { p.tableElement(s) })
			}
		})
	}
	s.Comment = p.comment(nil)
	if p.accept("PARTITIONED BY") {
		s.PartitionedBy = p.identList()
	}
	if s.External != nil {
		p.external(s.External)
	} else {
		p.tableTail(s)
	}
	s.Span = p.spanFrom(lo)
	return s
}

// tableTail reads WITH, LIKE and AS of CREATE TABLE.
func (p *parser) tableTail(s *CreateTable) {
	if p.accept("WITH") {
		s.With = p.properties()
	}
	if p.accept("LIKE") {
		s.Like = p.likeTable()
	}
	if s.Like == nil && p.accept("AS") {
		s.As = p.query()
	}
}

// external reads the tail of CREATE EXTERNAL TABLE.
func (p *parser) external(e *External) {
	lo := p.pos
	p.expect("TYPE")
	e.Type = p.label("a type of table")
	if p.accept("LOCATION") {
		s := p.str()
		e.Location = &s
	}
	if p.accept("TBLPROPERTIES") {
		s := p.str()
		e.Properties = &s
	}
	e.Span = p.spanFrom(lo)
}

// tableElement reads a column, a constraint or the watermark of a table.
func (p *parser) tableElement(s *CreateTable) {
	lo := p.pos
	switch {
	case p.is("PRIMARY") && p.isAt(1, "KEY"), p.is("UNIQUE") && p.isAt(1, "("):
		p.keyConstraint(s, lo, nil)
	case p.is("CONSTRAINT") && (p.isAt(2, "PRIMARY") && p.isAt(4, "(") || p.isAt(2, "UNIQUE") && p.isAt(3, "(")):
		p.pos++
		name := p.ident()
		p.keyConstraint(s, lo, &name)
	case p.is("WATERMARK") && !p.columnFollows():
		p.watermark(s, lo)
	default:
		s.Columns = append(s.Columns, p.column(s))
	}
}

// columnFollows tells whether the word behind the current one makes that one the name of a column.
func (p *parser) columnFollows() bool {
	next := p.tok(1).word
	_, isType := typeNames[next]
	return isType || next == "AS"
}

// keyConstraint reads PRIMARY KEY (…) or UNIQUE (…).
func (p *parser) keyConstraint(s *CreateTable, lo int, name *Ident) {
	primary := p.accept("PRIMARY KEY")
	if !primary {
		p.expect("UNIQUE")
	}
	k := Key{Name: name, Columns: p.identList()}
	p.endKey(s, lo, primary, k)
}

// endKey reads NOT ENFORCED and adds a key that starts at token lo to the table.
func (p *parser) endKey(s *CreateTable, lo int, primary bool, k Key) {
	k.NotEnforced = p.accept("NOT ENFORCED")
	if k.Span = p.spanFrom(lo); p.err != nil {
		return
	}
	switch {
	case !primary:
		s.Unique = append(s.Unique, k)
	case s.PrimaryKey != nil:
		p.failSpan(lo, p.pos, "a table has one primary key at most", "write PRIMARY KEY (a, b) for a key of several columns")
	default:
		s.PrimaryKey = &k
	}
}

// watermark reads WATERMARK FOR column AS x.
func (p *parser) watermark(s *CreateTable, lo int) {
	p.pos++
	p.expect("FOR")
	w := &Watermark{Column: p.qualified()}
	p.expect("AS")
	w.X = p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "," }))
	if w.Span = p.spanFrom(lo); p.err == nil && s.Watermark != nil {
		p.failSpan(lo, p.pos, "a table has one watermark at most")
	}
	s.Watermark = w
}

// column reads name type …, or name AS x.
func (p *parser) column(s *CreateTable) Column {
	lo := p.pos
	c := Column{Name: p.ident()}
	if p.accept("AS") {
		c.Computed = p.exprTo(p.find(p.endsColumnExpr))
		c.Comment = p.comment(nil)
	} else {
		c.Type = p.nullableType()
		p.columnOptions(s, &c)
	}
	c.Span = p.spanFrom(lo)
	return c
}

// endsColumnExpr tells whether the token i ends the expression of a computed column or a default.
func (p *parser) endsColumnExpr(i int) bool {
	switch p.toks[i].word {
	case ",":
		return true
	case "COMMENT":
		return p.toks[i+1].kind == tokString && i > p.pos && p.toks[i-1].endsOperand()
	case "METADATA", "PRIMARY", "UNIQUE":
		return i > p.pos && p.toks[i-1].endsOperand()
	case "NOT":
		return p.toks[i+1].word == "NULL" && i > p.pos && p.toks[i-1].endsOperand()
	}
	return false
}

// columnOptions reads what may follow the type of a column, in any order.
func (p *parser) columnOptions(s *CreateTable, c *Column) {
	for p.err == nil && !p.done() && !p.is(",") {
		lo := p.pos
		switch {
		case c.Comment == "" && p.is("COMMENT"):
			c.Comment = p.comment(nil)
		case c.Metadata == nil && p.accept("METADATA"):
			c.Metadata = p.metadata(lo)
		case c.Default == nil && p.accept("DEFAULT"):
			c.Default = p.exprTo(p.find(p.endsColumnExpr))
		case !c.Type.NotNull && p.accept("NOT NULL"):
			c.Type.NotNull = true
		case p.accept("PRIMARY KEY"):
			p.endKey(s, lo, true, Key{Columns: []Ident{c.Name}})
		case p.accept("UNIQUE"):
			p.endKey(s, lo, false, Key{Columns: []Ident{c.Name}})
		default:
			p.wantWord(p.pos, ",")
			p.wantEnd()
			p.unexpected()
		}
	}
}

// metadata reads what stands behind METADATA, which is at token lo.
func (p *parser) metadata(lo int) *Metadata {
	m := &Metadata{}
	if p.accept("FROM") {
		key := p.str()
		m.Key = &key
	}
	m.Virtual = p.accept("VIRTUAL")
	m.Span = p.spanFrom(lo)
	return m
}

// likeTable reads what stands behind LIKE.
func (p *parser) likeTable() *LikeTable {
	lo := p.pos
	t := &LikeTable{Table: p.qualified()}
	if p.is("(") {
		p.brackets("(", func() {
			for p.err == nil && !p.done() {
				t.Options = append(t.Options, p.likeOption())
			}
		})
	}
	t.Span = p.spanFrom(lo)
	return t
}

// likeOption reads INCLUDING, EXCLUDING or OVERWRITING and a feature.
func (p *parser) likeOption() LikeOption {
	lo := p.pos
	mode := p.oneOf("INCLUDING", "EXCLUDING", "OVERWRITING")
	feature := p.oneOf("ALL", "CONSTRAINTS", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS")
	return LikeOption{p.spanFrom(lo), mode, feature}
}

// oneOf reads one of some words.
func (p *parser) oneOf(words ...string) string {
	for _, w := range words {
		if p.accept(w) {
			return w
		}
	}
	p.unexpected()
	return ""
}
