package parser

import "github.com/xwb1989/sqlparser"

// raiseCall raises what was lowered as a call: functions, CAST, and constructors.
func (l *lowering) raiseCall(e *sqlparser.FuncExpr) raised {
	s := l.slotOf(e.Name.String())
	switch x := s.val.(type) {
	case *Call:
		l.raiseArgs(x, s, e.Exprs)
		return raised{x, s.lo, s.hi}
	case *Cast:
		x.Span = l.spanOf(s.lo, s.hi)
		if args := l.raisePlain(s, e.Exprs); len(args) == 1 {
			x.X = args[0]
		}
		return raised{x, s.lo, s.hi}
	case *Array:
		x.Span, x.Elems = l.spanOf(s.lo, s.hi), l.raisePlain(s, e.Exprs)
		return raised{x, s.lo, s.hi}
	case *Row:
		x.Span, x.Elems = l.spanOf(s.lo, s.hi), l.raisePlain(s, e.Exprs)
		return raised{x, s.lo, s.hi}
	case *Map:
		l.raiseMap(x, s, e.Exprs)
		return raised{x, s.lo, s.hi}
	}
	l.failAt(l.pos, "internal error: unknown call")
	return raised{}
}

// raisePlain raises the operands of CAST or a constructor, which hold no star.
func (l *lowering) raisePlain(s *slot, list sqlparser.SelectExprs) []Expr {
	out := make([]Expr, 0, len(list))
	for _, e := range list {
		aliased, ok := e.(*sqlparser.AliasedExpr)
		if !ok {
			l.failStar(s)
			return nil
		}
		out = append(out, l.raise(aliased.Expr).Expr)
	}
	return out
}

// failStar reports a star inside a call that takes none.
func (l *lowering) failStar(s *slot) {
	for i := s.lo; i < s.hi; i++ {
		if l.toks[i].word == "*" && !l.toks[i-1].endsOperand() {
			l.failAt(i, "unexpected '*', expected an expression")
			return
		}
	}
}

// raiseMap raises MAP [k, v, …].
func (l *lowering) raiseMap(m *Map, s *slot, list sqlparser.SelectExprs) {
	m.Span = l.spanOf(s.lo, s.hi)
	elems := l.raisePlain(s, list)
	if len(elems)%2 != 0 {
		l.failSpan(s.lo, s.hi, "MAP takes a value for each key", "write MAP['key', value, …]")
		return
	}
	for i := 0; i < len(elems); i += 2 {
		m.Keys = append(m.Keys, elems[i])
		m.Values = append(m.Values, elems[i+1])
	}
}

// raiseArgs raises the arguments of a function into the places made when they were lowered.
func (l *lowering) raiseArgs(c *Call, s *slot, list sqlparser.SelectExprs) {
	if len(list) != len(c.Args) {
		l.failSpan(s.lo, s.hi, "internal error: arguments of a call do not match")
		return
	}
	for i, e := range list {
		a := &c.Args[i]
		switch e := e.(type) {
		case *sqlparser.AliasedExpr:
			x := l.raise(e.Expr)
			a.X, a.Span = x.Expr, l.spanOf(x.lo, x.hi)
		case *sqlparser.StarExpr:
			a.X, a.Span = l.raiseArgStar(s, e, len(list))
		}
		if a.Name != nil {
			a.Span.Lo = a.Name.Lo
		}
	}
}

// raiseArgStar raises the star of COUNT(*), which is alone and has no table.
func (l *lowering) raiseArgStar(s *slot, e *sqlparser.StarExpr, args int) (Expr, Span) {
	for i := s.lo; i < s.hi && args == 1 && e.TableName.IsEmpty(); i++ {
		if l.toks[i].word == "*" {
			span := l.toks[i].span()
			return &Star{Span: span}, span
		}
	}
	l.failStar(s)
	return &Star{}, Span{}
}

// raisePostfix raises an operator that was lowered as COLLATE.
func (l *lowering) raisePostfix(e *sqlparser.CollateExpr) raised {
	x := l.raise(e.Expr)
	s := l.slotOf(e.Charset)
	span := l.spanOf(x.lo, s.hi)
	out := raised{nil, x.lo, s.hi}
	switch op := s.val.(type) {
	case castTo:
		out.Expr = &Cast{Span: span, X: x.Expr, Type: op.typ}
	case indexBy:
		out.Expr = &Index{span, x.Expr, op.i}
	case fieldOf:
		out.Expr = &Field{span, x.Expr, op.name}
	case zoneOf:
		out.Expr = &AtZone{span, x.Expr, op.zone}
	default:
		l.extendCall(x, s)
		out.Expr = x.Expr
	}
	return out
}

// extendCall adds FILTER, WITHIN GROUP, IGNORE NULLS or OVER to the call before it.
func (l *lowering) extendCall(x raised, s *slot) {
	c, ok := x.Expr.(*Call)
	if !ok || l.toks[x.lo].word == "(" || c.NoParens {
		l.failAt(s.lo, "unexpected "+l.toks[s.lo].word+", it must follow a function")
		return
	}
	twice := c.Over != nil
	switch op := s.val.(type) {
	case filterBy:
		twice = twice || c.Filter != nil
		c.Filter = op.cond
	case withinBy:
		twice = twice || c.Within != nil
		c.Within = op.keys
	case nullsAre:
		twice = twice || c.Nulls != NullsUnspecified
		c.Nulls = op.nulls
	case overOf:
		c.Over = op.window
	}
	if twice {
		l.failAt(s.lo, "unexpected "+l.toks[s.lo].word)
	}
	c.Span = l.spanOf(x.lo, s.hi)
}
