package parser

// namedWindows reads what stands behind WINDOW: w AS (…), ….
func (p *parser) namedWindows() []NamedWindow {
	var list []NamedWindow
	p.commas(func() {
		lo := p.pos
		w := NamedWindow{Name: p.ident()}
		if p.expect("AS") {
			w.Window = p.window()
		}
		w.Span = p.spanFrom(lo)
		list = append(list, w)
	})
	return list
}

// over reads what stands behind OVER: a name or (…).
func (p *parser) over() *Window {
	if p.is("(") {
		return p.window()
	}
	if !p.tok(0).isName() {
		p.wantWord(p.pos, "'('")
	}
	name := p.ident()
	return &Window{Span: name.Span, Ref: &name, Bare: true}
}

// window reads ([name] [PARTITION BY …] [ORDER BY …] [frame]).
func (p *parser) window() *Window {
	lo := p.pos
	w := &Window{}
	p.brackets("(", func() {
		if p.tok(0).isName() && !p.startsWindowClause(p.pos) {
			name := p.ident()
			w.Ref = &name
		}
		if p.accept("PARTITION BY") {
			w.PartitionBy = p.exprsTo(p.find(p.endsPartition))
		}
		if p.accept("ORDER BY") {
			w.OrderBy = p.orders(p.find(p.startsFrame))
		}
		if p.accept("ROWS") {
			w.Frame = p.frame(FrameRows)
		} else if p.accept("RANGE") {
			w.Frame = p.frame(FrameRange)
		}
	})
	w.Span = p.spanFrom(lo)
	return w
}

// startsWindowClause tells whether a clause of a window starts at the token i.
func (p *parser) startsWindowClause(i int) bool {
	return p.toks[i].word == "PARTITION" && i+1 < p.end && p.toks[i+1].word == "BY" || p.endsPartition(i)
}

// endsPartition tells whether the token i ends PARTITION BY.
func (p *parser) endsPartition(i int) bool { return p.toks[i].word == "ORDER" || p.startsFrame(i) }

// startsFrame tells whether a frame starts at the token i.
func (p *parser) startsFrame(i int) bool {
	return p.toks[i].word == "ROWS" || p.toks[i].word == "RANGE"
}

// frame reads what stands behind ROWS or RANGE.
func (p *parser) frame(unit FrameUnit) *Frame {
	lo := p.pos - 1
	f := &Frame{Unit: unit}
	if p.accept("BETWEEN") {
		f.Start = p.bound()
		p.expect("AND")
		end := p.bound()
		f.End = &end
	} else {
		f.Start = p.bound()
	}
	f.Span = p.spanFrom(lo)
	return f
}

// bound reads one end of a frame.
func (p *parser) bound() Bound {
	lo := p.pos
	var b Bound
	switch {
	case p.accept("UNBOUNDED PRECEDING"):
		b.Kind = UnboundedPreceding
	case p.accept("UNBOUNDED FOLLOWING"):
		b.Kind = UnboundedFollowing
	case p.accept("CURRENT ROW"):
		b.Kind = CurrentRow
	default:
		b.X = p.exprTo(p.find(p.endsBound))
		b.Kind = Preceding
		if p.err == nil && !p.accept("PRECEDING") && p.expect("FOLLOWING") {
			b.Kind = Following
		}
	}
	b.Span = p.spanFrom(lo)
	return b
}

// endsBound tells whether the token i ends the distance of a frame bound.
func (p *parser) endsBound(i int) bool {
	switch p.toks[i].word {
	case "PRECEDING", "FOLLOWING":
		return i > p.pos
	}
	return p.toks[i].word == "AND"
}

// orders reads sort keys up to a token.
func (p *parser) orders(end int) []Order {
	var list []Order
	p.within(end, func() {
		p.commas(func() { list = append(list, p.order()) })
	})
	return list
}

// order reads one sort key: x [ASC | DESC] [NULLS FIRST | NULLS LAST].
func (p *parser) order() Order {
	lo := p.pos
	comma := p.find(func(i int) bool { return p.toks[i].word == "," })
	o := Order{X: p.exprTo(p.sortTail(comma))}
	if o.Desc = p.accept("DESC"); !o.Desc {
		p.accept("ASC")
	}
	if p.accept("NULLS FIRST") {
		o.Nulls = NullsFirst
	} else if p.accept("NULLS LAST") {
		o.Nulls = NullsLast
	}
	o.Span = p.spanFrom(lo)
	return o
}

// sortTail returns where the words behind a sort key start that ends at the token end.
func (p *parser) sortTail(end int) int {
	switch last := p.toks[end-1].word; {
	case end-2 > p.pos && (last == "FIRST" || last == "LAST") && p.toks[end-2].word == "NULLS":
		end -= 2
	case end-1 > p.pos && last == "NULLS" && p.toks[end-2].endsOperand() && !treatsNulls[p.toks[end-2].word]:
		end-- // FIRST or LAST is missing
	}
	if last := p.toks[end-1].word; end-1 > p.pos && (last == "ASC" || last == "DESC") {
		end--
	}
	return end
}

// treatsNulls are the words before NULLS behind a function.
var treatsNulls = map[string]bool{"IGNORE": true, "RESPECT": true}
