package parser

// createTable writes CREATE TABLE, one column a line.
func (p *printer) createTable(s *CreateTable) {
	p.put("CREATE ")
	p.when(s.Temporary, "TEMPORARY ")
	p.when(s.External != nil, "EXTERNAL ")
	p.put("TABLE ")
	p.when(s.IfNotExists, "IF NOT EXISTS ")
	p.name(s.Name)
	if lines := tableLines(s); lines != nil {
		p.put(" (")
		for i, line := range lines {
			p.when(i > 0, ",")
			p.put("\n  ", line)
		}
		p.put("\n)")
	}
	p.comment(s.Comment)
	if s.PartitionedBy != nil {
		p.put(" PARTITIONED BY ")
		p.idents(s.PartitionedBy)
	}
	p.createTail(s)
}

// createTail writes what stands behind the columns of a table.
func (p *printer) createTail(s *CreateTable) {
	p.external(s.External)
	p.with(s.With)
	if s.Like != nil {
		p.put(" LIKE ")
		p.likeTable(s.Like)
	}
	if s.As != nil {
		p.put(" AS ")
		p.query(s.As)
	}
}

// with writes WITH (…), one property a line, if there are any.
func (p *printer) with(list []Property) {
	if len(list) == 0 {
		return
	}
	p.put(" WITH (")
	for i, x := range list {
		p.when(i > 0, ",")
		p.put("\n  ")
		p.property(x)
	}
	p.put("\n)")
}

// external writes the tail of CREATE EXTERNAL TABLE.
func (p *printer) external(e *External) {
	if e == nil {
		return
	}
	p.put(" TYPE ")
	p.label(e.Type)
	if e.Location != nil {
		p.put(" LOCATION ", quoteString(e.Location.Value))
	}
	if e.Properties != nil {
		p.put(" TBLPROPERTIES ", quoteString(e.Properties.Value))
	}
}

// tableLines are the columns, keys and the watermark of a table.
func tableLines(s *CreateTable) []string {
	var lines []string
	add := func(write func(p *printer)) {
		p := &printer{}
		write(p)
		lines = append(lines, p.String())
	}
	for _, c := range s.Columns {
		add(func(p *printer) { p.column(c) })
	}
	if w := s.Watermark; w != nil {
		add(func(p *printer) {
			p.put("WATERMARK FOR ")
			p.name(w.Column)
			p.put(" AS ")
			p.careful(func() { p.expr(w.X, levelAny) })
		})
	}
	if s.PrimaryKey != nil {
		add(func(p *printer) { p.key("PRIMARY KEY ", *s.PrimaryKey) })
	}
	for _, k := range s.Unique {
		add(func(p *printer) { p.key("UNIQUE ", k) })
	}
	return lines
}

// column writes a column of a table.
func (p *printer) column(c Column) {
	p.ident(c.Name)
	if c.Computed != nil {
		p.put(" AS ")
		p.careful(func() { p.expr(c.Computed, levelAny) })
	} else {
		p.put(" ")
		p.typ(c.Type)
	}
	if m := c.Metadata; m != nil {
		p.put(" METADATA")
		if m.Key != nil {
			p.put(" FROM ", quoteString(m.Key.Value))
		}
		p.when(m.Virtual, " VIRTUAL")
	}
	if c.Default != nil {
		p.put(" DEFAULT ")
		p.careful(func() { p.expr(c.Default, levelAny) })
	}
	p.comment(c.Comment)
}

// key writes a constraint.
func (p *printer) key(words string, k Key) {
	if k.Name != nil {
		p.put("CONSTRAINT ")
		p.ident(*k.Name)
		p.put(" ")
	}
	p.put(words)
	p.idents(k.Columns)
	p.when(k.NotEnforced, " NOT ENFORCED")
}

// likeTable writes t (options).
func (p *printer) likeTable(t *LikeTable) {
	p.name(t.Table)
	if len(t.Options) == 0 {
		return
	}
	p.put(" (")
	for i, o := range t.Options {
		p.when(i > 0, " ")
		p.put(o.Mode, " ", o.Feature)
	}
	p.put(")")
}

// createView writes CREATE VIEW.
func (p *printer) createView(s *CreateView) {
	p.put("CREATE ")
	p.when(s.OrReplace, "OR REPLACE ")
	p.when(s.Temporary, "TEMPORARY ")
	p.put("VIEW ")
	p.viewHead(s.IfNotExists, s.Name, s.Columns, s.Comment)
	p.put(" AS ")
	p.query(s.Query)
}

// createMaterializedView writes CREATE MATERIALIZED VIEW.
func (p *printer) createMaterializedView(s *CreateMaterializedView) {
	p.put("CREATE ")
	p.when(s.OrReplace, "OR REPLACE ")
	p.put("MATERIALIZED VIEW ")
	p.viewHead(s.IfNotExists, s.Name, s.Columns, s.Comment)
	p.with(s.With)
	p.put(" AS ")
	p.query(s.Query)
}

// viewHead writes the name, the columns and the comment of a view.
func (p *printer) viewHead(ifNotExists bool, name Name, columns []ViewColumn, comment string) {
	p.when(ifNotExists, "IF NOT EXISTS ")
	p.name(name)
	if columns != nil {
		p.put(" ")
		p.brackets(func() {
			commaList(p, columns, func(c ViewColumn) {
				p.ident(c.Name)
				p.comment(c.Comment)
			})
		})
	}
	p.comment(comment)
}

// createFunction writes CREATE FUNCTION.
func (p *printer) createFunction(s *CreateFunction) {
	p.put("CREATE ")
	p.when(s.OrReplace, "OR REPLACE ")
	p.when(s.Temporary, "TEMPORARY ")
	p.put("FUNCTION ")
	p.when(s.IfNotExists, "IF NOT EXISTS ")
	p.name(s.Name)
	if s.Class != nil {
		p.functionSource(s)
		return
	}
	p.brackets(func() {
		commaList(p, s.Params, func(x Param) {
			p.ident(x.Name)
			p.put(" ")
			p.typ(x.Type)
		})
	})
	if s.Returns != nil {
		p.put(" RETURNS ")
		p.typ(s.Returns)
	}
	p.put(" RETURN ")
	p.expr(s.Body, levelAny)
}

// functionSource writes AS 'class' LANGUAGE l USING JAR '…'.
func (p *printer) functionSource(s *CreateFunction) {
	p.put(" AS ", quoteString(s.Class.Value))
	if s.Language != "" {
		p.put(" LANGUAGE ")
		p.ident(Ident{Name: s.Language})
	}
	for i, jar := range s.Jars {
		if i == 0 {
			p.put(" USING JAR ")
		} else {
			p.put(", JAR ")
		}
		p.put(quoteString(jar.Value))
	}
}

// alterTable writes ALTER TABLE.
func (p *printer) alterTable(s *AlterTable) {
	p.put("ALTER TABLE ")
	p.when(s.IfExists, "IF EXISTS ")
	p.name(s.Name)
	switch {
	case s.RenameTo != nil:
		p.put(" RENAME TO ")
		p.name(*s.RenameTo)
	case s.Set != nil:
		p.put(" SET ")
		p.properties(s.Set)
	default:
		p.put(" RESET ")
		p.brackets(func() { commaList(p, s.Reset, func(k Text) { p.put(quoteString(k.Value)) }) })
	}
}
