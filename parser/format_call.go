package parser

// call writes a function and all that belongs to it.
func (p *printer) call(c *Call) {
	if c.NoParens {
		p.put(c.Name.Last().Name)
		return
	}
	shape := p.callShape(c)
	p.callName(c, shape)
	p.brackets(func() {
		p.when(c.Distinct, "DISTINCT ")
		if shape == shapePlain {
			p.args(c.Args, levelAny)
		} else {
			p.careful(func() { p.shapedArgs(c, shape) })
		}
		p.orderBy(c.OrderBy)
		p.careful(func() { p.jsonOptions(c.JSON) })
	})
	p.callTail(c)
}

// callTail writes what stands behind the brackets of a function.
func (p *printer) callTail(c *Call) {
	if c.Within != nil {
		p.put(" WITHIN GROUP (ORDER BY ")
		p.sortKeys(c.Within)
		p.put(")")
	}
	if c.Filter != nil {
		p.put(" FILTER (WHERE ")
		p.expr(c.Filter, levelAny)
		p.put(")")
	}
	switch c.Nulls {
	case RespectNulls:
		p.put(" RESPECT NULLS")
	case IgnoreNulls:
		p.put(" IGNORE NULLS")
	}
	if c.Over != nil {
		p.put(" OVER ")
		p.window(c.Over)
	}
}

// callShape is how the arguments of a call are written.
func (p *printer) callShape(c *Call) argShape {
	if len(c.Name.Parts) != 1 {
		return shapePlain
	}
	w, _ := lookupWord(c.Name.Parts[0].Name)
	return argShapes[w.text]
}

// neverCalled are words that do not read as functions before brackets.
var neverCalled = wordSet("ANY ASYMMETRIC CUBE DESCRIPTOR ROLLUP ROW SOME SYMMETRIC TRY_CAST")

// callName writes the name of a function. Quotes keep one from being read in a special form that its
// arguments do not have.
func (p *printer) callName(c *Call, shape argShape) {
	if len(c.Name.Parts) != 1 {
		p.name(c.Name)
		return
	}
	name := c.Name.Parts[0].Name
	w, _ := lookupWord(name)
	switch {
	case w.text == "LEFT" || w.text == "RIGHT" || w.text == "FIRST" || w.text == "LAST" || noParens[w.text]:
		p.put(name)
	case neverCalled[w.text] || !fits(c, shape):
		p.put(quoteName(name))
	default:
		p.ident(c.Name.Parts[0])
	}
}

// fits tells whether a call can be written in the form of its shape.
func fits(c *Call, shape argShape) bool {
	switch shape {
	case shapeExtract:
		return len(c.Args) == 2 && isSymbol(c.Args[0].X)
	case shapeJSONPairs:
		for _, a := range c.Args {
			if _, star := a.X.(*Star); star || a.Name != nil {
				return false
			}
		}
		return len(c.Args)%2 == 0
	}
	return true
}

// isSymbol tells whether an argument is a word.
func isSymbol(x Expr) bool {
	_, ok := x.(*Symbol)
	return ok
}

// args writes arguments separated by commas.
func (p *printer) args(list []Arg, level int) {
	commaList(p, list, func(a Arg) {
		if a.Name != nil {
			p.ident(*a.Name)
			p.put(" => ")
		}
		p.expr(a.X, level)
	})
}

// shapedArgs writes arguments in the form of their function.
func (p *printer) shapedArgs(c *Call, shape argShape) {
	args := c.Args
	if !fits(c, shape) {
		p.args(args, levelConcat)
		return
	}
	switch {
	case shape == shapeExtract:
		p.divided(args, " FROM ")
	case shape == shapeRound && len(args) == 2 && isSymbol(args[1].X):
		p.divided(args, " TO ")
	case shape == shapePosition && len(args) == 2 && args[0].Name == nil:
		p.divided(args, " IN ")
	case shape == shapeTrim && len(args) > 1 && isSymbol(args[0].X):
		p.trimArgs(args)
	case shape == shapeOverlay && len(args) > 2 && len(args) < 5 && args[0].Name == nil:
		p.divided(args, " PLACING ", " FROM ", " FOR ")
	case shape == shapeJSONPairs:
		p.pairs(args)
	default:
		p.args(args, levelConcat)
	}
}

// divided writes arguments with words between them.
func (p *printer) divided(args []Arg, words ...string) {
	for i, a := range args {
		if i > 0 {
			p.put(words[i-1])
		}
		p.args([]Arg{a}, levelConcat)
	}
}

// trimArgs writes BOTH c FROM x.
func (p *printer) trimArgs(args []Arg) {
	last := len(args) - 1
	for _, a := range args[:last] {
		p.args([]Arg{a}, levelConcat)
		p.put(" ")
	}
	p.put("FROM ")
	p.args(args[last:], levelConcat)
}

// pairs writes KEY k VALUE v, ….
func (p *printer) pairs(args []Arg) {
	for i := 0; i < len(args); i += 2 {
		p.when(i > 0, ", ")
		p.put("KEY ")
		p.expr(args[i].X, levelConcat)
		p.put(" VALUE ")
		p.expr(args[i+1].X, levelConcat)
	}
}

// jsonOptions writes the tail of a JSON function.
func (p *printer) jsonOptions(o *JSONOptions) {
	if o == nil {
		return
	}
	if o.Returning != nil {
		p.put(" RETURNING ")
		p.typ(o.Returning)
	}
	if o.Wrapper != "" {
		p.put(" ", string(o.Wrapper))
	}
	p.jsonBehavior(o.OnEmpty, " ON EMPTY")
	p.jsonBehavior(o.OnError, " ON ERROR")
	if o.OnNull != "" {
		p.put(" ", string(o.OnNull))
	}
}

// jsonBehavior writes what a JSON function yields.
func (p *printer) jsonBehavior(b *JSONBehavior, when string) {
	if b == nil {
		return
	}
	p.put(" ", string(b.Kind))
	if b.Default != nil {
		p.put(" ")
		p.expr(b.Default, levelConcat)
	}
	p.put(when)
}

// window writes what stands behind OVER.
func (p *printer) window(w *Window) {
	if w.Bare {
		p.ident(*w.Ref)
		return
	}
	p.brackets(func() { p.careful(func() { p.windowClauses(w) }) })
}

// windowClauses writes the inside of a window.
func (p *printer) windowClauses(w *Window) {
	between := ""
	if w.Ref != nil {
		p.ident(*w.Ref)
		between = " "
	}
	if w.PartitionBy != nil {
		p.put(between, "PARTITION BY ")
		p.exprs(w.PartitionBy)
		between = " "
	}
	if w.OrderBy != nil {
		p.put(between, "ORDER BY ")
		p.sortKeys(w.OrderBy)
		between = " "
	}
	if w.Frame != nil {
		p.put(between)
		p.frame(w.Frame)
	}
}

// frame writes ROWS BETWEEN a AND b.
func (p *printer) frame(f *Frame) {
	p.put(string(f.Unit), " ")
	if f.End == nil {
		p.bound(f.Start)
		return
	}
	p.put("BETWEEN ")
	p.bound(f.Start)
	p.put(" AND ")
	p.bound(*f.End)
}

// bound writes one end of a frame.
func (p *printer) bound(b Bound) {
	switch b.Kind {
	case UnboundedPreceding:
		p.put("UNBOUNDED PRECEDING")
	case UnboundedFollowing:
		p.put("UNBOUNDED FOLLOWING")
	case CurrentRow:
		p.put("CURRENT ROW")
	case Preceding:
		p.expr(b.X, levelConcat)
		p.put(" PRECEDING")
	case Following:
		p.expr(b.X, levelConcat)
		p.put(" FOLLOWING")
	}
}

// orderBy writes ORDER BY with a blank before it, if there are keys.
func (p *printer) orderBy(keys []Order) {
	if len(keys) > 0 {
		p.put(" ORDER BY ")
		p.sortKeys(keys)
	}
}

// sortKeys writes sort keys.
func (p *printer) sortKeys(keys []Order) {
	p.careful(func() {
		commaList(p, keys, func(o Order) {
			p.expr(o.X, levelAny)
			p.when(o.Desc, " DESC")
			switch o.Nulls {
			case NullsFirst:
				p.put(" NULLS FIRST")
			case NullsLast:
				p.put(" NULLS LAST")
			}
		})
	})
}
