package parser

import "math"

// alternatives reads a | b.
func (p *parser) alternatives() *Pattern {
	lo := p.pos
	alt := &Pattern{Kind: PatternAlt}
	for p.err == nil {
		alt.Elems = append(alt.Elems, p.sequence())
		if !p.accept("|") {
			break
		}
	}
	return p.wrapPattern(lo, alt)
}

// sequence reads a b c.
func (p *parser) sequence() *Pattern {
	lo := p.pos
	seq := &Pattern{Kind: PatternSeq}
	for p.err == nil && (len(seq.Elems) == 0 || !p.done() && !p.is("|") && !p.is(",") && !p.is("-")) {
		seq.Elems = append(seq.Elems, p.quantified())
	}
	return p.wrapPattern(lo, seq)
}

// wrapPattern gives a pattern its span; one of a single element is that element.
func (p *parser) wrapPattern(lo int, pattern *Pattern) *Pattern {
	if len(pattern.Elems) == 1 {
		return pattern.Elems[0]
	}
	pattern.Span = p.spanFrom(lo)
	return pattern
}

// quantified reads a pattern and its quantifiers.
func (p *parser) quantified() *Pattern {
	lo := p.pos
	x := p.patternPrimary()
	for p.err == nil {
		r := &Pattern{Kind: PatternRepeat, Elems: []*Pattern{x}}
		if !p.quantifier(r) {
			return x
		}
		r.Reluctant = p.accept("?")
		r.Span = p.spanFrom(lo)
		x = r
	}
	return x
}

// quantifier reads *, +, ?, {n}, {n,}, {,m} or {n,m} if one follows.
func (p *parser) quantifier(r *Pattern) bool {
	switch {
	case p.accept("*"):
		r.Max = -1
	case p.accept("+"):
		r.Min, r.Max = 1, -1
	case p.accept("?"):
		r.Max = 1
	case p.is("{") && !p.isAt(1, "-"):
		p.brackets("{", func() { p.repeatRange(r) })
	default:
		return false
	}
	return true
}

// repeatRange reads n; n,; ,m or n,m.
func (p *parser) repeatRange(r *Pattern) {
	if !p.is(",") {
		r.Min = p.repeatCount()
		r.Max = r.Min
	}
	if p.accept(",") {
		if r.Max = -1; !p.done() {
			r.Max = p.repeatCount()
		}
	}
	if r.Max >= 0 && r.Max < r.Min {
		p.failAt(p.pos-1, "the second number of a repetition must not be smaller than the first")
	}
}

// repeatCount reads a number of repetitions.
func (p *parser) repeatCount() int { return int(min(p.integer(0), math.MaxInt32)) }

// patternPrimary reads a variable, a pattern in brackets, PERMUTE(…), {- … -}, ^ or $.
func (p *parser) patternPrimary() *Pattern {
	lo := p.pos
	x := &Pattern{}
	switch {
	case p.is("("):
		p.brackets("(", func() { x = p.alternatives() })
		return x
	case p.is("{"):
		x.Kind = PatternExclude
		p.brackets("{", func() {
			p.expect("-")
			x.Elems = []*Pattern{p.alternatives()}
			p.expect("-")
		})
	case p.is("PERMUTE") && p.isAt(1, "("):
		x.Kind = PatternPermute
		p.pos++
		p.list(func() { x.Elems = append(x.Elems, p.alternatives()) })
	case p.accept("^"):
		x.Kind = PatternStart
	case p.accept("$"):
		x.Kind = PatternEnd
	default:
		x.Var = p.ident()
	}
	x.Span = p.spanFrom(lo)
	return x
}
