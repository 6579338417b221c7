package parser

// startsQuery tells whether a query starts at the current token.
func (p *parser) startsQuery() bool {
	switch p.tok(0).word {
	case "SELECT", "WITH", "VALUES":
		return true
	case "(":
		return p.holdsQuery(p.pos)
	}
	return false
}

// holdsQuery tells whether the bracket open holds a query, rather than an expression, a join or
// a list of names.
func (p *parser) holdsQuery(open int) bool {
	closes := int(p.pairs[open])
	for first := open + 1; first < closes; first++ {
		switch p.toks[first].word {
		case "SELECT", "WITH", "VALUES":
			return true
		case "(":
			if behind := int(p.pairs[first]) + 1; behind < closes && !endsBody(p.toks[behind].word) {
				return false
			}
			closes = int(p.pairs[first])
		default:
			return false
		}
	}
	return false
}

// endsBody tells whether a word ends a SELECT core or another query body, so that it belongs to the
// query around it.
func endsBody(word string) bool {
	switch word {
	case "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET", "FETCH", "EMIT", "WINDOW":
		return true
	}
	return false
}

// query reads a query that takes the rest of the range.
func (p *parser) query() *Query {
	lo := p.pos
	q := &Query{}
	if p.accept("WITH") {
		q.With = p.ctes()
	}
	q.Body = p.body()
	if p.accept("ORDER BY") {
		q.OrderBy = p.orders(p.find(p.endsOrder))
	}
	p.limits(q)
	if p.accept("EMIT") {
		q.Emit = p.emitClause()
	}
	p.finish()
	q.Span = p.spanFrom(lo)
	return q
}

// subquery reads a query in brackets.
func (p *parser) subquery() *Query {
	var q *Query
	p.brackets("(", func() { q = p.query() })
	return q
}

// ctes reads the named queries of WITH.
func (p *parser) ctes() []CTE {
	var list []CTE
	if p.is("RECURSIVE") && p.tok(1).isName() {
		p.failAt(p.pos, "WITH RECURSIVE is not supported", "leave RECURSIVE out if no query reads itself")
		return nil
	}
	p.commas(func() {
		lo := p.pos
		c := CTE{Name: p.ident()}
		if p.is("(") && !p.holdsQuery(p.pos) {
			c.Columns = p.identList()
		}
		if p.expect("AS") {
			c.Query = p.subquery()
		}
		c.Span = p.spanFrom(lo)
		list = append(list, c)
	})
	return list
}

// body reads set operations; INTERSECT binds tighter than UNION and EXCEPT.
func (p *parser) body() Body {
	return p.setOps([]SetOpKind{Union, Except}, func() Body {
		return p.setOps([]SetOpKind{Intersect}, p.simpleBody)
	})
}

// setOps reads operands joined by some kinds of set operations, from left to right.
func (p *parser) setOps(kinds []SetOpKind, operand func() Body) Body {
	lo := p.pos
	left := operand()
	for p.err == nil {
		op := &SetOp{L: left, OpPos: p.tok(0).span()}
		for _, k := range kinds {
			if p.accept(string(k)) {
				op.Op = k
				break
			}
		}
		if op.Op == "" {
			return left
		}
		if op.All = p.accept("ALL"); !op.All {
			p.accept("DISTINCT")
		}
		op.R = operand()
		op.Span = p.spanFrom(lo)
		left = op
	}
	return left
}

// simpleBody reads a SELECT, VALUES, or a query in brackets.
func (p *parser) simpleBody() Body {
	lo := p.pos
	switch {
	case p.is("SELECT"):
		return p.selectBody()
	case p.is("VALUES"):
		p.pos++
		v := &Values{Rows: p.valueRows(p.find(p.endsBodyAt))}
		v.Span = p.spanFrom(lo)
		return v
	case p.is("("):
		paren := &Paren{Query: p.subquery()}
		paren.Span = p.spanFrom(lo)
		return paren
	}
	p.wantWord(p.pos, "SELECT")
	p.wantWord(p.pos, "VALUES")
	p.unexpected()
	return nil
}

// endsBodyAt tells whether the token i ends a query body.
func (p *parser) endsBodyAt(i int) bool { return endsBody(p.toks[i].word) }

// selectBody reads a SELECT core and its WINDOW clause.
func (p *parser) selectBody() Body {
	lo := p.pos
	s := p.selectCore(p.find(p.endsBodyAt))
	if p.accept("WINDOW") {
		s.Windows = p.namedWindows()
	}
	s.Span = p.spanFrom(lo)
	return s
}

// endsOrder tells whether the token i ends ORDER BY, LIMIT or OFFSET of a query.
func (p *parser) endsOrder(i int) bool {
	switch p.toks[i].word {
	case "LIMIT", "OFFSET", "FETCH", "EMIT":
		return true
	}
	return false
}

// limits reads LIMIT, OFFSET and FETCH.
func (p *parser) limits(q *Query) {
	for p.err == nil {
		switch {
		case q.Limit == nil && p.accept("LIMIT"):
			q.Limit = p.limit()
		case q.Offset == nil && p.accept("OFFSET"):
			q.Offset = p.offset()
		case q.Limit == nil && p.accept("FETCH"):
			q.Limit = p.fetch()
		default:
			return
		}
	}
}

// limit reads what stands behind LIMIT.
func (p *parser) limit() Expr {
	if p.accept("ALL") {
		return nil
	}
	end := p.find(func(i int) bool { return p.endsOrder(i) || p.toks[i].word == "," })
	x := p.exprTo(end)
	if p.is(",") && p.err == nil {
		from := FormatExpr(x)
		rest := p.src[p.toks[p.pos].hi:p.toks[p.end-1].hi]
		p.failAt(p.pos, "LIMIT takes one number", "write LIMIT"+clip(rest)+" OFFSET "+from)
	}
	return x
}

// offset reads what stands behind OFFSET.
func (p *parser) offset() Expr {
	end := p.find(func(i int) bool {
		word := p.toks[i].word
		last := i+1 == p.end || p.endsOrder(i+1)
		return p.endsOrder(i) || (word == "ROW" || word == "ROWS") && last && i > p.pos && p.toks[i-1].endsOperand()
	})
	x := p.exprTo(end)
	if !p.accept("ROWS") {
		p.accept("ROW")
	}
	return x
}

// fetch reads what stands behind FETCH: {FIRST | NEXT} [n] {ROW | ROWS} ONLY.
func (p *parser) fetch() Expr {
	if !p.accept("FIRST") {
		p.expect("NEXT")
	}
	var x Expr = &Literal{Kind: LitInt, Text: "1"}
	if !p.is("ROW") && !p.is("ROWS") {
		x = p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "ROW" || p.toks[i].word == "ROWS" }))
	}
	if !p.accept("ROWS") {
		p.expect("ROW")
	}
	p.expect("ONLY")
	return x
}
