package parser

import "strconv"

// query writes a query.
func (p *printer) query(q *Query) {
	if len(q.With) > 0 {
		p.put("WITH ")
		commaList(p, q.With, p.cte)
		p.put(" ")
	}
	p.body(q.Body)
	p.orderBy(q.OrderBy)
	if q.Limit != nil {
		p.put(" LIMIT ")
		p.expr(q.Limit, levelAny)
	}
	if q.Offset != nil {
		p.put(" OFFSET ")
		p.careful(func() { p.expr(q.Offset, levelAny) })
	}
	if q.Emit != nil {
		p.put(" EMIT ")
		p.emit(q.Emit)
	}
}

// cte writes name (columns) AS (query).
func (p *printer) cte(c CTE) {
	p.ident(c.Name)
	if c.Columns != nil {
		p.put(" ")
		p.idents(c.Columns)
	}
	p.put(" AS ")
	p.subquery(c.Query)
}

// body writes what yields the rows of a query.
func (p *printer) body(b Body) {
	switch b := b.(type) {
	case *Select:
		p.selectCore(b)
	case *SetOp:
		p.body(b.L)
		p.put(" ", string(b.Op), " ")
		p.when(b.All, "ALL ")
		p.body(b.R)
	case *Values:
		p.put("VALUES ")
		commaList(p, b.Rows, p.valueRow)
	case *Paren:
		p.subquery(b.Query)
	}
}

// valueRow writes a row of VALUES. A subquery has its own brackets, and a second pair would belong to it.
func (p *printer) valueRow(r ValueRow) {
	if len(r.Exprs) == 1 {
		if q, ok := r.Exprs[0].(*Subquery); ok {
			p.subquery(q.Query)
			return
		}
	}
	p.brackets(func() { p.exprs(r.Exprs) })
}

// selectCore writes a SELECT up to its named windows.
func (p *printer) selectCore(s *Select) {
	p.put("SELECT ")
	if len(s.Hints) > 0 {
		p.hints(s.Hints)
		p.put(" ")
	}
	p.when(s.Distinct, "DISTINCT ")
	commaList(p, s.Items, p.item)
	if len(s.From) > 0 {
		p.put(" FROM ")
		commaList(p, s.From, p.tableRef)
	}
	if s.Where != nil {
		p.put(" WHERE ")
		p.expr(s.Where, levelAny)
	}
	if s.GroupBy != nil {
		p.put(" GROUP BY ")
		commaList(p, s.GroupBy, p.group)
	}
	if s.Having != nil {
		p.put(" HAVING ")
		p.expr(s.Having, levelAny)
	}
	if s.Windows != nil {
		p.put(" WINDOW ")
		commaList(p, s.Windows, p.namedWindow)
	}
}

// item writes x AS name.
func (p *printer) item(i Item) {
	p.expr(i.X, levelAny)
	if i.Alias != nil {
		p.put(" AS ")
		p.ident(*i.Alias)
	}
}

// namedWindow writes w AS (…).
func (p *printer) namedWindow(w NamedWindow) {
	p.ident(w.Name)
	p.put(" AS ")
	p.window(w.Window)
}

// group writes an element of GROUP BY.
func (p *printer) group(g Group) {
	switch g.Kind {
	case GroupExpr:
		p.groupExpr(g.Exprs[0])
	case GroupList:
		p.brackets(func() { p.exprs(g.Exprs) })
	case GroupSets:
		p.groupElems("GROUPING SETS ", g.Elems)
	case GroupCube:
		p.groupElems("CUBE ", g.Elems)
	case GroupRollup:
		p.groupElems("ROLLUP ", g.Elems)
	}
}

// groupExpr writes an expression of GROUP BY. A row gets brackets of its own, because bare it is a list.
func (p *printer) groupExpr(x Expr) {
	if row, ok := x.(*Row); ok && !row.Explicit {
		p.brackets(func() { p.expr(x, levelAny) })
		return
	}
	p.expr(x, levelAny)
}

// groupElems writes GROUPING SETS, CUBE or ROLLUP.
func (p *printer) groupElems(words string, elems []Group) {
	p.put(words)
	p.brackets(func() { commaList(p, elems, p.group) })
}

// hints writes /*+ … */.
func (p *printer) hints(list []Hint) {
	p.put("/*+ ")
	commaList(p, list, p.hint)
	p.put(" */")
}

// hint writes NAME(…).
func (p *printer) hint(h Hint) {
	p.ident(Ident{Name: h.Name})
	switch {
	case h.Properties != nil:
		p.properties(h.Properties)
	case h.Args != nil:
		p.brackets(func() { p.exprs(h.Args) })
	}
}

// emit writes what stands behind EMIT.
func (p *printer) emit(e *Emit) {
	p.put(string(e.Mode))
	p.emitInterval(" ", e.Every)
	p.emitInterval(" WITH DELAY ", e.Delay)
	p.triggers(" EARLY EVERY ", e.Early)
	p.triggers(" LATE EVERY ", e.Late)
	p.emitInterval(" ALLOWED LATENESS ", e.Lateness)
	if e.LatePolicy != "" {
		p.put(" LATE ", string(e.LatePolicy))
	}
	if e.Accumulation != "" {
		p.put(" ", string(e.Accumulation))
	}
}

// emitInterval writes words and an interval, if there is one.
func (p *printer) emitInterval(words string, i *Interval) {
	if i != nil {
		p.put(words)
		p.interval(i)
	}
}

// triggers writes words and triggers joined by OR, if there are any.
func (p *printer) triggers(words string, list []Trigger) {
	for i, t := range list {
		if i > 0 {
			words = " OR "
		}
		p.put(words)
		if t.Interval != nil {
			p.interval(t.Interval)
		} else {
			p.put(strconv.FormatInt(t.Rows, 10), " ROWS")
		}
	}
}
