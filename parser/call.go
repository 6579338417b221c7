package parser

// call lowers the arguments of a function whose name is read and starts at token lo.
func (l *lowering) call(lo int, name Name) {
	c := &Call{Name: name}
	n := l.placeholder("t", lo, l.pos, c)
	l.inside(func() { l.callArgs(c) })
	if l.slots[n].hi = l.pos; l.err == nil {
		c.Span = l.spanFrom(lo)
	}
}

// callArgs lowers what is inside the brackets of a call. The arguments come back with the tree; c gets
// what sqlparser does not see: names of arguments, sort keys, options.
func (l *lowering) callArgs(c *Call) {
	if l.done() {
		return
	}
	shape := argShapes[l.functionName(c.Name)]
	closes := l.end
	l.end = l.callTail(shape)
	tail := l.end
	switch {
	case l.is("DISTINCT"):
		l.flow("distinct")
		c.Distinct = true
	case l.is("ALL") && l.tok(1).startsOperand():
		l.pos++
	}
	l.args(c, shape)
	if l.going() {
		l.bad()
	}
	if l.end = closes; l.err != nil || l.broken {
		return
	}
	if tail < closes && l.toks[tail].word == "ORDER" {
		l.pos = tail
		if l.expect("ORDER BY") {
			c.OrderBy = l.orders(l.find(func(i int) bool { return shape == shapeJSON && l.startsJSONOption(i) }))
		}
	}
	if shape.json() {
		c.JSON = l.jsonOptions()
	}
	if l.err == nil {
		l.finish()
	}
}

// functionName is the name of a function in upper case as far as special forms go.
func (p *parser) functionName(n Name) string {
	if len(n.Parts) != 1 || n.Parts[0].Quoted {
		return ""
	}
	if w, ok := lookupWord(n.Parts[0].Name); ok {
		return w.text
	}
	return ""
}

// callTail returns where the arguments of a call end inside its brackets.
func (l *lowering) callTail(shape argShape) int {
	return l.find(func(i int) bool {
		return l.toks[i].word == "ORDER" || shape.json() && l.startsJSONOption(i)
	})
}

// args lowers arguments separated by commas.
func (l *lowering) args(c *Call, shape argShape) {
	for l.err == nil && !l.broken {
		if l.done() {
			l.bad()
			return
		}
		l.arg(c, shape)
		if !l.going() || !l.is(",") {
			return
		}
		l.flow(",")
	}
}

// arg lowers one argument: name => x, one of the special forms, or a plain expression.
func (l *lowering) arg(c *Call, shape argShape) {
	comma := l.find(func(i int) bool { return l.toks[i].word == "," })
	outer := l.end
	l.end = comma
	defer func() { l.end = outer }()
	if t := l.tok(0); t.isName() && l.isAt(1, "=>") && !shape.json() {
		name := l.identOf(t)
		l.pos += 2
		c.Args = append(c.Args, Arg{Name: &name})
		l.items(exprList{})
		return
	}
	if l.specialArg(c, shape) {
		return
	}
	l.plainArg(c, l.end)
}

// plainArg lowers an argument that ends before a token.
func (l *lowering) plainArg(c *Call, end int) {
	c.Args = append(c.Args, Arg{})
	outer := l.end
	l.end = end
	if l.done() {
		l.bad()
	}
	l.items(exprList{})
	if l.going() {
		l.bad()
	}
	l.end = outer
}

// symbolArg lowers the current token as an argument that is a word.
func (l *lowering) symbolArg(c *Call, word string) {
	c.Args = append(c.Args, Arg{})
	lo := l.pos
	l.pos++
	l.hold(":v", lo, &Symbol{Span: l.toks[lo].span(), Word: word})
}
