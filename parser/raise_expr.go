package parser

import "github.com/xwb1989/sqlparser"

// raise turns an expression of sqlparser into ours.
func (l *lowering) raise(e sqlparser.Expr) raised {
	switch e := e.(type) {
	case *sqlparser.ColName:
		return l.raiseSlot(e.Name.String())
	case *sqlparser.SQLVal:
		return l.raiseSlot(string(e.Val))
	case *sqlparser.ParenExpr:
		x := l.raise(e.Expr)
		return raised{x.Expr, x.lo - 1, x.hi + 1}
	case sqlparser.ValTuple:
		return l.raiseRow(e)
	case *sqlparser.AndExpr:
		return l.raiseBinary(OpAnd, e.Left, e.Right)
	case *sqlparser.OrExpr:
		return l.raiseBinary(OpOr, e.Left, e.Right)
	case *sqlparser.BinaryExpr:
		return l.raiseBinary("", e.Left, e.Right)
	case *sqlparser.NotExpr:
		return l.raiseUnary(OpNot, e.Expr)
	case *sqlparser.UnaryExpr:
		return l.raiseUnary(Op(e.Operator), e.Expr)
	case *sqlparser.ComparisonExpr:
		return l.raiseComparison(e)
	case *sqlparser.RangeCond:
		return l.raiseBetween(e)
	case *sqlparser.IsExpr:
		return l.raiseIs(e)
	case *sqlparser.CollateExpr:
		return l.raisePostfix(e)
	case *sqlparser.FuncExpr:
		return l.raiseCall(e)
	case *sqlparser.CaseExpr:
		return l.raiseCase(e)
	}
	l.failAt(l.pos, "internal error: unknown expression")
	return raised{}
}

// raiseSlot raises a placeholder.
func (l *lowering) raiseSlot(name string) raised {
	s := l.slotOf(name)
	x, _ := s.val.(Expr)
	if q, ok := x.(*Quantified); ok && q.X == nil {
		l.failSpan(s.lo, s.hi, "ALL and ANY take a comparison before them", "write x = ANY (query)")
	}
	if g, ok := s.val.(*Group); ok {
		l.failSpan(s.lo, s.hi, "internal error: grouping inside an expression "+g.Slice(l.src))
	}
	return raised{x, s.lo, s.hi}
}

// raiseRow raises (a, b).
func (l *lowering) raiseRow(list sqlparser.ValTuple) raised {
	row := &Row{Elems: make([]Expr, 0, len(list))}
	lo, hi := 0, 0
	for i, e := range list {
		x := l.raise(e)
		if i == 0 {
			lo = x.lo - 1
		}
		hi = x.hi + 1
		row.Elems = append(row.Elems, x.Expr)
	}
	row.Span = l.spanOf(lo, hi)
	return raised{row, lo, hi}
}

// raiseBinary raises l op r. The operator is the token behind l; op is given where its spelling in
// the source does not tell.
func (l *lowering) raiseBinary(op Op, left, right sqlparser.Expr) raised {
	x := l.raise(left)
	y := l.raise(right)
	t := l.toks[x.hi]
	if op == "" {
		op = Op(t.word)
	}
	return raised{&Binary{l.spanOf(x.lo, y.hi), op, t.span(), x.Expr, y.Expr}, x.lo, y.hi}
}

// raiseUnary raises op x.
func (l *lowering) raiseUnary(op Op, e sqlparser.Expr) raised {
	x := l.raise(e)
	lo := x.lo - 1
	return raised{&Unary{l.spanOf(lo, x.hi), op, l.toks[lo].span(), x.Expr}, lo, x.hi}
}

// raiseComparison raises all that sqlparser takes for a comparison.
func (l *lowering) raiseComparison(e *sqlparser.ComparisonExpr) raised {
	x := l.raise(e.Left)
	if e.Operator == sqlparser.InStr || e.Operator == sqlparser.NotInStr {
		return l.raiseIn(x, e)
	}
	if q := l.quantifiedSlot(e.Right); q != nil {
		return l.raiseQuantified(x, q)
	}
	y := l.raise(e.Right)
	at := x.hi
	not := l.toks[at].word == "NOT"
	if not {
		at++
	}
	switch word := l.toks[at].word; word {
	case "LIKE", "ILIKE", "RLIKE", "SIMILAR":
		return l.raiseLike(x, y, not, LikeKind(word), e)
	case "IS":
		op := OpDistinctFrom
		if l.toks[at+1].word == "NOT" {
			op = OpNotDistinctFrom
		}
		return raised{&Binary{l.spanOf(x.lo, y.hi), op, l.spanOf(at, y.lo), x.Expr, y.Expr}, x.lo, y.hi}
	default:
		return raised{&Binary{l.spanOf(x.lo, y.hi), Op(word), l.toks[at].span(), x.Expr, y.Expr}, x.lo, y.hi}
	}
}

// raiseLike raises x LIKE y and its kin.
func (l *lowering) raiseLike(x, y raised, not bool, kind LikeKind, e *sqlparser.ComparisonExpr) raised {
	if kind == "SIMILAR" {
		kind = LikeSimilar
	}
	like := &Like{Kind: kind, Not: not, X: x.Expr, Pattern: y.Expr}
	hi := y.hi
	if e.Escape != nil {
		z := l.raise(e.Escape)
		if kind == LikeRegexp {
			l.failAt(y.hi, "RLIKE takes no ESCAPE")
		}
		like.Escape, hi = z.Expr, z.hi
	}
	like.Span = l.spanOf(x.lo, hi)
	return raised{like, x.lo, hi}
}

// quantifiedSlot returns the slot of an operand that is ANY or ALL (query), or nil.
func (l *lowering) quantifiedSlot(e sqlparser.Expr) *slot {
	v, ok := e.(*sqlparser.SQLVal)
	if !ok {
		return nil
	}
	s := l.slotOf(string(v.Val))
	if _, ok := s.val.(*Quantified); !ok {
		return nil
	}
	return s
}

// raiseQuantified raises x op ANY (query).
func (l *lowering) raiseQuantified(x raised, s *slot) raised {
	q := s.val.(*Quantified)
	op := l.toks[x.hi]
	switch op.word {
	case "=", "<>", "<", "<=", ">", ">=":
	default:
		l.failSpan(s.lo, s.hi, "ALL and ANY take a comparison before them", "write x = ANY (query)")
	}
	q.X, q.Op, q.OpPos, q.Span = x.Expr, Op(op.word), op.span(), l.spanOf(x.lo, s.hi)
	return raised{q, x.lo, s.hi}
}

// raiseIn raises x IN (list) and x IN (query).
func (l *lowering) raiseIn(x raised, e *sqlparser.ComparisonExpr) raised {
	in := &In{X: x.Expr, Not: e.Operator == sqlparser.NotInStr}
	hi := 0
	switch list := e.Right.(type) {
	case sqlparser.ListArg:
		s := l.slotOf(string(list))
		in.Query, _ = s.val.(*Query)
		hi = s.hi
	case sqlparser.ValTuple:
		row := l.raiseRow(list)
		in.List, hi = row.Expr.(*Row).Elems, row.hi
	}
	in.Span = l.spanOf(x.lo, hi)
	return raised{in, x.lo, hi}
}

// raiseBetween raises x BETWEEN y AND z.
func (l *lowering) raiseBetween(e *sqlparser.RangeCond) raised {
	x, y, z := l.raise(e.Left), l.raise(e.From), l.raise(e.To)
	b := &Between{
		Span: l.spanOf(x.lo, z.hi), X: x.Expr, Low: y.Expr, High: z.Expr,
		Not:       e.Operator == sqlparser.NotBetweenStr,
		Symmetric: l.toks[y.lo-1].word == "SYMMETRIC",
	}
	return raised{b, x.lo, z.hi}
}

// raiseIs raises x IS …, whose words are read once more.
func (l *lowering) raiseIs(e *sqlparser.IsExpr) raised {
	x := l.raise(e.Expr)
	pos := l.pos
	l.pos = x.hi
	not := l.isAt(1, "NOT")
	test, _ := l.isWords()
	hi := l.pos
	l.pos = pos
	return raised{&Is{l.spanOf(x.lo, hi), x.Expr, not, test}, x.lo, hi}
}

// raiseCase raises CASE … END.
func (l *lowering) raiseCase(e *sqlparser.CaseExpr) raised {
	c := &Case{Whens: make([]When, 0, len(e.Whens))}
	lo, hi := -1, 0
	if e.Expr != nil {
		x := l.raise(e.Expr)
		c.Operand, lo = x.Expr, x.lo-1
	}
	for _, w := range e.Whens {
		x, y := l.raise(w.Cond), l.raise(w.Val)
		if lo < 0 {
			lo = x.lo - 2
		}
		c.Whens = append(c.Whens, When{l.spanOf(x.lo-1, y.hi), x.Expr, y.Expr})
		hi = y.hi
	}
	if e.Else != nil {
		x := l.raise(e.Else)
		c.Else, hi = x.Expr, x.hi
	}
	c.Span = l.spanOf(lo, hi+1)
	return raised{c, lo, hi + 1}
}
