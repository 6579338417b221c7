package parser

// startsGroup tells whether the current token starts an element of GROUP BY other than an expression.
func (p *parser) startsGroup() bool {
	open := p.pos
	switch {
	case p.is("(") && !p.holdsQuery(p.pos):
	case (p.is("CUBE") || p.is("ROLLUP")) && p.isAt(1, "("):
		open++
	case p.looksAt("GROUPING SETS (") && p.pairs[p.pos+2] > 0:
		open += 2
	default:
		return false
	}
	behind := int(p.pairs[open]) + 1
	return behind >= p.end || p.toks[behind].word == "," || p.toks[behind].word == "HAVING"
}

// group reads an element of GROUP BY for which startsGroup is true.
func (p *parser) group() Group {
	lo := p.pos
	var g Group
	switch {
	case p.accept("GROUPING SETS"):
		g = p.groupElems(GroupSets)
	case p.accept("CUBE"):
		g = p.groupElems(GroupCube)
	case p.accept("ROLLUP"):
		g = p.groupElems(GroupRollup)
	default:
		p.brackets("(", func() {
			if !p.done() {
				g.Exprs = p.exprs(0)
			}
		})
		if g.Kind = GroupList; len(g.Exprs) == 1 {
			g.Kind = GroupExpr
		}
	}
	g.Span = p.spanFrom(lo)
	return g
}

// groupElems reads the elements of GROUPING SETS, CUBE or ROLLUP.
func (p *parser) groupElems(kind GroupKind) Group {
	g := Group{Kind: kind}
	p.list(func() { g.Elems = append(g.Elems, p.groupElem()) })
	return g
}

// groupElem reads an element of GROUPING SETS, CUBE or ROLLUP.
func (p *parser) groupElem() Group {
	var g Group
	p.within(p.find(func(i int) bool { return p.toks[i].word == "," }), func() {
		if p.startsGroup() {
			g = p.group()
			return
		}
		lo := p.pos
		x := p.expr()
		g = Group{Span: p.spanFrom(lo), Kind: GroupExpr, Exprs: []Expr{x}}
	})
	return g
}
