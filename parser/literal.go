package parser

import "strings"

// literal reads a literal that starts at the current token, or returns nil.
func (p *parser) literal() Expr {
	t := p.tok(0)
	switch t.kind {
	case tokNumber:
		return p.token(numberKind(p.text(t)), p.text(t))
	case tokString:
		return p.token(LitString, unquote(p.text(t)))
	case tokBytes:
		return p.token(LitBytes, strings.ToUpper(unquote(p.text(t))))
	case tokWord:
		return p.wordLiteral(t)
	}
	return nil
}

// token reads a literal of one token.
func (p *parser) token(kind LitKind, text string) Expr {
	p.pos++
	return &Literal{p.toks[p.pos-1].span(), kind, text}
}

// numberKind tells what kind of number a text is.
func numberKind(text string) LitKind {
	switch {
	case strings.ContainsAny(text, "eE"):
		return LitFloat
	case strings.Contains(text, "."):
		return LitDecimal
	}
	return LitInt
}

// wordLiteral reads a literal that starts with a word, or returns nil.
func (p *parser) wordLiteral(t token) Expr {
	switch t.word {
	case "NULL":
		return p.token(LitNull, "")
	case "TRUE", "FALSE":
		return p.token(LitBool, t.word)
	case "UNKNOWN":
		return p.token(LitUnknown, "")
	case "DATE":
		return p.timeLiteral(LitDate, "DATE")
	case "TIME":
		return p.timeLiteral(LitTime, "TIME")
	case "TIMESTAMP":
		if x := p.timeLiteral(LitTimestampLTZ, "TIMESTAMP WITH LOCAL TIME ZONE"); x != nil {
			return x
		}
		return p.timeLiteral(LitTimestamp, "TIMESTAMP")
	case "TIMESTAMP_LTZ":
		return p.timeLiteral(LitTimestampLTZ, "TIMESTAMP_LTZ")
	case "INTERVAL":
		return p.interval()
	}
	return nil
}

// timeLiteral reads the words of a type and a string, or returns nil.
func (p *parser) timeLiteral(kind LitKind, words string) Expr {
	lo := p.pos
	n, all := p.match(words)
	if !all || p.tok(n).kind != tokString {
		if n > 1 {
			p.noteCut(n, false)
		}
		return nil
	}
	p.pos += n
	text := p.str().Value
	return &Literal{p.spanFrom(lo), kind, text}
}

// interval reads INTERVAL '1' DAY and the like; it never returns nil.
func (p *parser) interval() *Interval {
	lo := p.pos
	p.pos++
	neg := p.accept("-")
	if !neg {
		p.accept("+")
	}
	t := p.tok(0)
	if t.kind != tokNumber && t.kind != tokString {
		p.wantWord(p.pos, "a number in quotes")
		p.unexpected()
		return &Interval{}
	}
	i := p.quantity(lo)
	i.Neg = neg
	return i
}

// quantity reads '1' DAY, 1 DAY or '1 day' of an interval that starts at token lo.
func (p *parser) quantity(lo int) *Interval {
	i := &Interval{FromPrec: -1, ToPrec: -1}
	t := p.tok(0)
	i.Text = p.text(t)
	if t.kind == tokString {
		i.Text = unquote(i.Text)
	}
	p.pos++
	number, unit := splitQuantity(i.Text)
	if unit != "" && t.kind == tokString && unitOf[p.tok(0).word] == "" {
		i.Text, i.From = number, unit
	} else {
		i.From, i.FromPrec, i.To, i.ToPrec = p.units()
	}
	i.Span = p.spanFrom(lo)
	return i
}

// splitQuantity splits '5 seconds'. The unit is empty if the text is of another form.
func splitQuantity(text string) (number string, unit TimeUnit) {
	number, word, _ := strings.Cut(strings.TrimSpace(text), " ")
	unit = unitOf[strings.ToUpper(strings.TrimSpace(word))]
	if !intervalUnits[unit] {
		return "", ""
	}
	return number, unit
}
