package parser

import "strconv"

// tableRef writes a table of FROM.
func (p *printer) tableRef(t TableRef) {
	switch t := t.(type) {
	case *Table:
		p.table(t)
	case *PathTable:
		p.put(quoteString(t.Path.Value))
		p.tableTail(t.Hints, t.Match, t.Alias)
	case *Derived:
		p.when(t.Lateral, "LATERAL ")
		p.subquery(t.Query)
		p.tableTail(nil, t.Match, t.Alias)
	case *TableFunc:
		p.when(t.Lateral, "LATERAL ")
		p.put("TABLE")
		p.brackets(func() { p.tableCall(t.Call) })
		p.tableTail(nil, t.Match, t.Alias)
	case *Unnest:
		p.put("UNNEST")
		p.brackets(func() { p.exprs(t.Exprs) })
		p.when(t.Ordinality, " WITH ORDINALITY")
		p.tableTail(nil, nil, t.Alias)
	case *Join:
		p.join(t)
	}
}

// tableCall writes the function of TABLE(…), whose name stands where no special form is read.
func (p *printer) tableCall(c *Call) {
	p.name(c.Name)
	p.brackets(func() { p.args(c.Args, levelAny) })
}

// table writes a named table.
func (p *printer) table(t *Table) {
	p.name(t.Name)
	if len(t.Hints) > 0 {
		p.put(" ")
		p.hints(t.Hints)
	}
	if t.AsOf != nil {
		p.put(" FOR SYSTEM_TIME AS OF ")
		p.asOf(t.AsOf)
	}
	p.tableTail(nil, t.Match, t.Alias)
}

// asOf writes the time of FOR SYSTEM_TIME AS OF, in brackets unless its end is plain to see.
func (p *printer) asOf(x Expr) {
	switch x.(type) {
	case *ColumnRef, *Literal, *Subquery:
		p.expr(x, levelPrimary)
	default:
		p.brackets(func() { p.expr(x, levelAny) })
	}
}

// tableTail writes what may follow a table.
func (p *printer) tableTail(hints []Hint, m *Match, a *Alias) {
	if len(hints) > 0 {
		p.put(" ")
		p.hints(hints)
	}
	if m != nil {
		p.careful(func() { p.match(m) })
	}
	p.alias(a)
}

// alias writes AS name (columns).
func (p *printer) alias(a *Alias) {
	if a == nil {
		return
	}
	p.put(" AS ")
	p.ident(a.Name)
	if a.Columns != nil {
		p.put(" ")
		p.idents(a.Columns)
	}
}

// join writes l JOIN r; a join on the right is in brackets.
func (p *printer) join(j *Join) {
	p.tableRef(j.L)
	p.when(j.Natural, " NATURAL")
	p.when(j.Kind != InnerJoin, " "+string(j.Kind))
	p.put(" JOIN ")
	if _, ok := j.R.(*Join); ok {
		p.brackets(func() { p.tableRef(j.R) })
	} else {
		p.tableRef(j.R)
	}
	if j.On != nil {
		p.put(" ON ")
		p.expr(j.On, levelAny)
	}
	if j.Using != nil {
		p.put(" USING ")
		p.idents(j.Using)
	}
}

// tableArg writes TABLE t PARTITION BY (…) ORDER BY (…).
func (p *printer) tableArg(a *TableArg) {
	if a.Query != nil && a.PartitionBy == nil && a.OrderBy == nil {
		p.subquery(a.Query)
		return
	}
	p.put("TABLE ")
	if a.Query != nil {
		p.subquery(a.Query)
	} else {
		p.name(*a.Table)
	}
	if a.PartitionBy != nil {
		p.put(" PARTITION BY ")
		p.keyList(a.PartitionBy[0], len(a.PartitionBy), func() { p.exprs(a.PartitionBy) })
	}
	if a.OrderBy != nil {
		p.put(" ORDER BY ")
		p.keyList(a.OrderBy[0].X, len(a.OrderBy), func() { p.sortKeys(a.OrderBy) })
	}
}

// keyList writes keys in brackets. A single subquery has brackets already.
func (p *printer) keyList(first Expr, n int, write func()) {
	if _, ok := first.(*Subquery); ok && n == 1 {
		p.careful(write)
		return
	}
	p.brackets(func() { p.careful(write) })
}

// match writes MATCH_RECOGNIZE (…).
func (p *printer) match(m *Match) {
	p.put(" MATCH_RECOGNIZE (")
	if m.PartitionBy != nil {
		p.put("PARTITION BY ")
		p.exprs(m.PartitionBy)
		p.put(" ")
	}
	if m.OrderBy != nil {
		p.put("ORDER BY ")
		p.sortKeys(m.OrderBy)
		p.put(" ")
	}
	if m.Measures != nil {
		p.put("MEASURES ")
		commaList(p, m.Measures, p.item)
		p.put(" ")
	}
	if m.AllRows {
		p.put("ALL ROWS PER MATCH ")
	} else {
		p.put("ONE ROW PER MATCH ")
	}
	p.matchPattern(m)
	p.put(")")
	p.alias(m.Alias)
}

// matchPattern writes MATCH_RECOGNIZE from AFTER MATCH on.
func (p *printer) matchPattern(m *Match) {
	if m.After != nil {
		p.put("AFTER MATCH SKIP ", skipWords[m.After.Kind])
		p.when(m.After.Kind >= SkipToFirst, m.After.Var.String())
		p.put(" ")
	}
	p.put("PATTERN (")
	p.pattern(m.Pattern)
	p.put(") ")
	if m.Within != nil {
		p.put("WITHIN ")
		p.interval(m.Within)
		p.put(" ")
	}
	if m.Subsets != nil {
		p.put("SUBSET ")
		commaList(p, m.Subsets, func(s MatchSubset) {
			p.ident(s.Name)
			p.put(" = ")
			p.idents(s.Vars)
		})
		p.put(" ")
	}
	p.put("DEFINE ")
	commaList(p, m.Define, func(d Item) {
		p.ident(*d.Alias)
		p.put(" AS ")
		p.expr(d.X, levelAny)
	})
}

// skipWords are the words of AFTER MATCH SKIP.
var skipWords = map[SkipKind]string{
	SkipPastLastRow: "PAST LAST ROW", SkipToNextRow: "TO NEXT ROW", SkipToFirst: "TO FIRST ", SkipToLast: "TO LAST ",
}

// pattern writes a row pattern.
func (p *printer) pattern(x *Pattern) {
	switch x.Kind {
	case PatternVar:
		p.ident(x.Var)
	case PatternSeq:
		p.patterns(x, " ")
	case PatternAlt:
		p.patterns(x, " | ")
	case PatternRepeat:
		p.patternElem(x, x.Elems[0])
		p.quantifier(x)
	case PatternExclude:
		p.put("{- ")
		p.pattern(x.Elems[0])
		p.put(" -}")
	case PatternPermute:
		p.put("PERMUTE(")
		p.patterns(x, ", ")
		p.put(")")
	case PatternStart:
		p.put("^")
	case PatternEnd:
		p.put("$")
	}
}

// patterns writes the elements of a pattern.
func (p *printer) patterns(x *Pattern, between string) {
	for i, elem := range x.Elems {
		p.when(i > 0, between)
		p.patternElem(x, elem)
	}
}

// patternElem writes an element of a pattern, in brackets if it binds no tighter.
func (p *printer) patternElem(outer, elem *Pattern) {
	loose := elem.Kind == PatternAlt || elem.Kind == PatternSeq || elem.Kind == PatternRepeat && outer.Kind == PatternRepeat
	if loose && outer.Kind != PatternPermute && !(outer.Kind == PatternAlt && elem.Kind == PatternSeq) {
		p.put("(")
		p.pattern(elem)
		p.put(")")
		return
	}
	p.pattern(elem)
}

// quantifier writes the quantifier of a repetition.
func (p *printer) quantifier(x *Pattern) {
	switch {
	case x.Min == 0 && x.Max == -1:
		p.put("*")
	case x.Min == 1 && x.Max == -1:
		p.put("+")
	case x.Min == 0 && x.Max == 1:
		p.put("?")
	case x.Max == -1:
		p.put("{", strconv.Itoa(x.Min), ",}")
	case x.Max == x.Min:
		p.put("{", strconv.Itoa(x.Min), "}")
	default:
		p.put("{", strconv.Itoa(x.Min), ",", strconv.Itoa(x.Max), "}")
	}
	p.when(x.Reluctant, "?")
}
