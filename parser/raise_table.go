package parser

import "github.com/xwb1989/sqlparser"

// raiseTable raises a table or join, with the tokens it covers.
func (l *lowering) raiseTable(e sqlparser.TableExpr) (ref TableRef, lo, hi int) {
	switch e := e.(type) {
	case *sqlparser.AliasedTableExpr:
		name, _ := e.Expr.(sqlparser.TableName)
		s := l.slotOf(name.Name.String())
		ref, _ = s.val.(TableRef)
		return ref, s.lo, s.hi
	case *sqlparser.ParenTableExpr:
		ref, lo, hi = l.raiseTable(e.Exprs[0])
		return ref, lo - 1, hi + 1
	case *sqlparser.JoinTableExpr:
		return l.raiseJoin(e)
	}
	l.failAt(l.pos, "internal error: unknown table")
	return nil, 0, 0
}

// raiseJoin raises a join. Its kind is in the words between its operands.
func (l *lowering) raiseJoin(e *sqlparser.JoinTableExpr) (TableRef, int, int) {
	left, lo, at := l.raiseTable(e.LeftExpr)
	right, rightLo, hi := l.raiseTable(e.RightExpr)
	j := &Join{Kind: InnerJoin, KindPos: l.spanOf(at, rightLo), L: left, R: right}
	for _, t := range l.toks[at:rightLo] {
		switch t.word {
		case "NATURAL":
			j.Natural = true
		case "LEFT", "RIGHT", "FULL", "CROSS":
			j.Kind = JoinKind(t.word)
		case "SEMI":
			j.Kind = SemiJoin
		case "ANTI":
			j.Kind = AntiJoin
		}
	}
	behind := hi
	switch {
	case e.Condition.On != nil:
		x := l.raise(e.Condition.On)
		j.On, hi = x.Expr, x.hi
	case e.Condition.Using != nil:
		for _, c := range e.Condition.Using {
			s := l.slotOf(c.String())
			name, _ := s.val.(Ident)
			j.Using = append(j.Using, name)
			hi = s.hi + 1
		}
	}
	j.Span = l.spanOf(lo, hi)
	l.checkJoin(j, behind)
	return j, lo, hi
}

// checkJoin checks that a join has a condition if it needs one and none if it takes none. behind is
// the token behind its right side.
func (l *lowering) checkJoin(j *Join, behind int) {
	conditional := j.On != nil || j.Using != nil
	switch {
	case j.Kind == CrossJoin && conditional:
		l.failAt(behind, "CROSS JOIN takes no "+l.toks[behind].word, "write JOIN")
	case j.Natural || j.Kind == CrossJoin || conditional || fromLeft(j.R):
	default:
		l.failAt(behind, "JOIN needs an ON or USING", "a join of all rows with all rows is a CROSS JOIN")
		l.incompleteAt(behind)
	}
}

// fromLeft tells whether a table is computed from the row on the left of it.
func fromLeft(t TableRef) bool {
	switch t := t.(type) {
	case *Unnest:
		return true
	case *Derived:
		return t.Lateral
	case *TableFunc:
		return t.Lateral
	}
	return false
}
