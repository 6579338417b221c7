package parser

import "github.com/xwb1989/sqlparser"

// raiseRows raises the rows of VALUES.
func (l *lowering) raiseRows(list sqlparser.SelectExprs) []ValueRow {
	rows := make([]ValueRow, 0, len(list))
	for _, e := range list {
		aliased, ok := e.(*sqlparser.AliasedExpr)
		if !ok {
			l.failAt(l.starAt(nil), "unexpected '*', expected a row of values")
			return nil
		}
		x := l.raise(aliased.Expr)
		rows = append(rows, ValueRow{l.spanOf(x.lo, x.hi), l.rowElems(aliased.Expr, x)})
	}
	return rows
}

// rowElems returns the values of a row: those of (a, b) or ROW(a, b), or a single one.
func (l *lowering) rowElems(e sqlparser.Expr, x raised) []Expr {
	if _, bracketed := e.(*sqlparser.ParenExpr); bracketed {
		return []Expr{x.Expr}
	}
	if row, ok := x.Expr.(*Row); ok {
		return row.Elems
	}
	return []Expr{x.Expr}
}
