package parser

import "strconv"

// ident reads one name.
func (p *parser) ident() Ident {
	if t := p.tok(0); t.isName() {
		p.pos++
		return p.identOf(t)
	}
	p.wantWord(p.pos, "a name")
	p.unexpected()
	return Ident{}
}

// identOf is the name a token stands for.
func (p *parser) identOf(t token) Ident {
	text := p.text(t)
	if t.kind == tokQuoted {
		return Ident{t.span(), unquote(text), true}
	}
	return Ident{t.span(), text, false}
}

// qualified reads a dotted name.
func (p *parser) qualified() Name {
	lo := p.pos
	first := p.ident()
	if p.err != nil {
		return Name{}
	}
	return p.dotted(lo, first)
}

// dotted reads the parts behind the first of a name that starts at token lo. It leaves a dot that
// is followed by a star.
func (p *parser) dotted(lo int, first Ident) Name {
	n := Name{Parts: append(make([]Ident, 0, 2), first)}
	for p.is(".") && !p.isAt(1, "*") && p.err == nil {
		p.pos++
		n.Parts = append(n.Parts, p.fieldName())
	}
	n.Span = p.spanFrom(lo)
	return n
}

// fieldName reads the name behind a dot.
func (p *parser) fieldName() Ident {
	t := p.tok(0)
	if !t.isName() {
		p.wantAt, p.wants = p.pos, append(p.wants[:0], "a name after the dot")
		p.unexpected()
		return Ident{}
	}
	p.pos++
	return p.identOf(t)
}

// identList reads (a, b, …).
func (p *parser) identList() []Ident {
	var names []Ident
	p.list(func() { names = append(names, p.ident()) })
	return names
}

// str reads a string.
func (p *parser) str() Text {
	if t := p.tok(0); t.kind == tokString {
		p.pos++
		return Text{t.span(), unquote(p.text(t))}
	}
	p.wantWord(p.pos, "a string")
	p.unexpected()
	return Text{}
}

// acceptStr reads a string if there is one.
func (p *parser) acceptStr() *Text {
	if p.tok(0).kind != tokString {
		p.wantWord(p.pos, "a string")
		return nil
	}
	s := p.str()
	return &s
}

// label reads the name of a job or savepoint: a word or a string.
func (p *parser) label(what string) Text {
	t := p.tok(0)
	switch {
	case t.kind == tokString:
		return p.str()
	case t.isName():
		p.pos++
		return Text{t.span(), p.identOf(t).Name}
	}
	p.wantWord(p.pos, what)
	p.unexpected()
	return Text{}
}

// integer reads a whole number from min on that fits 64 bits.
func (p *parser) integer(min int64) int64 {
	if t := p.tok(0); t.kind == tokNumber {
		n, err := strconv.ParseInt(p.text(t), 10, 64)
		if err == nil && n >= min {
			p.pos++
			return n
		}
	}
	p.wantWord(p.pos, "a whole number")
	p.unexpected()
	return 0
}

// smallInteger reads a whole number in brackets, such as a length or a precision.
func (p *parser) smallInteger() int {
	n := p.integer(0)
	if n > 1<<31-1 {
		p.failAt(p.pos-1, "the number is too large")
	}
	return int(n)
}

// properties reads ('key' = 'value', …).
func (p *parser) properties() []Property {
	var props []Property
	p.brackets("(", func() {
		if !p.done() {
			p.commas(func() { props = append(props, p.property()) })
		}
	})
	return props
}

// property reads 'key' = 'value'.
func (p *parser) property() Property {
	lo := p.pos
	key := p.propertyKey()
	p.expect("=")
	value := p.propertyValue()
	if p.err != nil {
		return Property{}
	}
	return Property{p.spanFrom(lo), key, value}
}

// propertyKey reads the key of a property: a string or a dotted name.
func (p *parser) propertyKey() Text {
	if s := p.acceptStr(); s != nil {
		return *s
	}
	if !p.tok(0).isName() {
		p.wantWord(p.pos, "a key")
		p.unexpected()
		return Text{}
	}
	n := p.qualified()
	key := ""
	for i, part := range n.Parts {
		if i > 0 {
			key += "."
		}
		key += part.Name
	}
	return Text{n.Span, key}
}

// propertyValue reads the value of a property: a string, a number, TRUE or FALSE.
func (p *parser) propertyValue() Text {
	t := p.tok(0)
	switch {
	case t.kind == tokNumber:
		p.pos++
		return Text{t.span(), p.text(t)}
	case t.word == "TRUE":
		p.pos++
		return Text{t.span(), "true"}
	case t.word == "FALSE":
		p.pos++
		return Text{t.span(), "false"}
	}
	return p.str()
}
