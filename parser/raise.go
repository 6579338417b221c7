package parser

import (
	"strconv"
	"strings"

	"github.com/xwb1989/sqlparser"
)

// raised is an expression with the tokens it covers, brackets around it included.
type raised struct {
	Expr
	lo, hi int
}

// slotOf finds the slot of a placeholder such as t12, :v12 or ::v12.
func (l *lowering) slotOf(placeholder string) *slot {
	n, err := strconv.Atoi(strings.TrimLeft(placeholder, "tv:"))
	if err != nil || n >= len(l.slots) {
		l.failAt(l.pos, "internal error: unknown placeholder "+placeholder)
		return &slot{}
	}
	return &l.slots[n]
}

// raiseExprs raises a list of expressions that fill the range.
func (l *lowering) raiseExprs(list sqlparser.SelectExprs) []Expr {
	out := make([]Expr, 0, len(list))
	for _, e := range list {
		aliased, ok := e.(*sqlparser.AliasedExpr)
		if !ok {
			l.failAt(l.starAt(out), "unexpected '*', expected an expression")
			return nil
		}
		out = append(out, l.raise(aliased.Expr).Expr)
	}
	return out
}

// starAt finds the star behind some expressions of the range.
func (l *lowering) starAt(before []Expr) int {
	from := int32(-1)
	if len(before) > 0 {
		from = before[len(before)-1].At().Hi
	}
	for i, t := range l.toks[:l.end] {
		if t.word == "*" && t.lo >= from && (i == 0 || !l.toks[i-1].endsOperand()) {
			return i
		}
	}
	return l.pos
}

// raiseSelect raises a SELECT core.
func (l *lowering) raiseSelect(s *Select, sel *sqlparser.Select) {
	at := int(l.marks[0].tok)
	if s.Distinct {
		at++
	}
	s.Items = l.raiseItems(sel.SelectExprs, at)
	if l.fromAt > 0 {
		for _, t := range sel.From {
			ref, _, _ := l.raiseTable(t)
			s.From = append(s.From, ref)
		}
	}
	if sel.Where != nil {
		s.Where = l.raise(sel.Where.Expr).Expr
	}
	for _, g := range sel.GroupBy {
		s.GroupBy = append(s.GroupBy, l.raiseGroup(g))
	}
	if sel.Having != nil {
		s.Having = l.raise(sel.Having.Expr).Expr
	}
}

// raiseItems raises a select list that starts at a token.
func (l *lowering) raiseItems(list sqlparser.SelectExprs, at int) []Item {
	items := make([]Item, 0, len(list))
	for _, e := range list {
		var item Item
		lo := at
		switch e := e.(type) {
		case *sqlparser.StarExpr:
			item.X, at = l.raiseStar(e, at)
		case *sqlparser.AliasedExpr:
			x := l.raise(e.Expr)
			item.X, lo, at = x.Expr, x.lo, x.hi
			if !e.As.IsEmpty() {
				alias := l.slotOf(e.As.String())
				name, _ := alias.val.(Ident)
				item.Alias, at = &name, alias.hi
			}
		}
		item.Span = l.spanOf(lo, at)
		items = append(items, item)
		at++
	}
	return items
}

// raiseStar raises a star at a token, and returns the token behind it.
func (l *lowering) raiseStar(e *sqlparser.StarExpr, at int) (Expr, int) {
	if e.TableName.IsEmpty() {
		return &Star{Span: l.spanOf(at, at+1)}, at + 1
	}
	s := l.slotOf(e.TableName.Name.String())
	name, _ := s.val.(Name)
	return &Star{Span: l.spanOf(s.lo, s.hi), Table: &name}, s.hi
}

// raiseGroup raises an element of GROUP BY.
func (l *lowering) raiseGroup(e sqlparser.Expr) Group {
	if v, ok := e.(*sqlparser.SQLVal); ok {
		if g, ok := l.slotOf(string(v.Val)).val.(*Group); ok {
			return *g
		}
	}
	x := l.raise(e)
	return Group{Span: l.spanOf(x.lo, x.hi), Kind: GroupExpr, Exprs: []Expr{x.Expr}}
}
