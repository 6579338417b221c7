package parser

// startsJSONOption tells whether an option of a JSON function starts at the token i.
func (p *parser) startsJSONOption(i int) bool {
	if i == p.pos || !p.toks[i-1].endsOperand() {
		return false
	}
	next := p.toks[i+1].word
	switch p.toks[i].word {
	case "RETURNING", "DEFAULT", "WITHOUT", "WITH":
		return !isClauseBreak(next)
	case "NULL", "ERROR", "TRUE", "FALSE", "UNKNOWN", "ABSENT":
		return next == "ON"
	case "EMPTY":
		return next == "ARRAY" || next == "OBJECT" || next == "ON"
	}
	return false
}

// jsonOptions reads the options of a JSON function up to the end of the range, or returns nil if
// there are none.
func (p *parser) jsonOptions() *JSONOptions {
	if p.done() {
		return nil
	}
	lo := p.pos
	o := &JSONOptions{}
	for p.err == nil && !p.done() {
		switch {
		case o.Returning == nil && p.accept("RETURNING"):
			o.Returning = p.typ()
		case o.OnNull == "" && p.accept("NULL ON NULL"):
			o.OnNull = NullOnNull
		case o.OnNull == "" && p.accept("ABSENT ON NULL"):
			o.OnNull = AbsentOnNull
		case o.Wrapper == "" && p.jsonWrapper(o):
		case !p.jsonBehavior(o):
			p.unexpected()
		}
	}
	o.Span = p.spanFrom(lo)
	return o
}

// jsonWrapper reads the array wrapper of JSON_QUERY.
func (p *parser) jsonWrapper(o *JSONOptions) bool {
	switch {
	case p.accept("WITHOUT"):
		o.Wrapper = WithoutWrapper
	case p.accept("WITH"):
		o.Wrapper = WithWrapper
		if p.accept("CONDITIONAL") {
			o.Wrapper = ConditionalWrapper
		} else {
			p.accept("UNCONDITIONAL")
		}
	default:
		return false
	}
	p.accept("ARRAY")
	return p.expect("WRAPPER")
}

// jsonBehavior reads … ON EMPTY or … ON ERROR.
func (p *parser) jsonBehavior(o *JSONOptions) bool {
	lo := p.pos
	b := &JSONBehavior{}
	if p.accept("DEFAULT") {
		b.Kind = YieldDefault
		b.Default = p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "ON" }))
	} else if b.Kind = p.jsonYield(); b.Kind == "" {
		return false
	}
	if !p.expect("ON") {
		return true
	}
	switch {
	case o.OnEmpty == nil && o.OnError == nil && p.accept("EMPTY"):
		o.OnEmpty = b
	case o.OnError == nil && p.accept("ERROR"):
		o.OnError = b
	default:
		return false
	}
	b.Span = p.spanFrom(lo)
	return true
}

// jsonYield reads what a JSON function yields other than a default.
func (p *parser) jsonYield() JSONYield {
	if p.accept("EMPTY ARRAY") {
		return YieldEmptyArray
	}
	if p.accept("EMPTY OBJECT") {
		return YieldEmptyObject
	}
	if p.accept("EMPTY") {
		return YieldEmptyArray
	}
	for _, y := range []JSONYield{YieldNull, YieldError, YieldTrue, YieldFalse, YieldUnknown} {
		if p.accept(string(y)) {
			return y
		}
	}
	return ""
}
