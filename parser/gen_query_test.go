package parser

import "pgregory.net/rapid"

// query draws a query.
func (g gen) query(depth int) *Query {
	q := &Query{Body: g.body(depth)}
	if depth > 0 && g.yes() {
		q.With = []CTE{{Name: g.ident(), Columns: g.maybeIdents(), Query: g.query(depth - 1)}}
	}
	q.OrderBy = g.orders(depth)
	if g.yes() {
		q.Limit = g.expr(depth - 1)
	}
	if g.yes() {
		q.Offset = g.expr(depth - 1)
	}
	if g.yes() {
		q.Emit = g.emit()
	}
	return q
}

func (g gen) maybeIdents() []Ident {
	if g.yes() {
		return g.idents(1)
	}
	return nil
}

func (g gen) emit() *Emit {
	switch g.n(3) {
	case 0:
		return &Emit{Mode: rapid.SampledFrom([]EmitMode{EmitChanges, EmitFinal, EmitOnWindowClose}).Draw(g.T, "mode")}
	case 1:
		return &Emit{Mode: EmitPeriodic, Every: g.interval()}
	}
	e := &Emit{
		Mode:         EmitAfterWatermark,
		LatePolicy:   rapid.SampledFrom([]LatePolicy{"", LateDrop, LateFire, LateSide}).Draw(g.T, "late"),
		Accumulation: rapid.SampledFrom([]Accumulation{"", Discarding, Accumulating, Retracting}).Draw(g.T, "acc"),
	}
	if g.yes() {
		e.Delay = g.interval()
	}
	if g.yes() {
		e.Early = []Trigger{{Rows: 5}, {Interval: g.interval()}}
	}
	if g.yes() {
		e.Late = []Trigger{{Interval: g.interval()}, {Rows: 1}}
	}
	if g.yes() {
		e.Lateness = g.interval()
	}
	return e
}

// body draws a SELECT, VALUES, set operation or query in brackets.
func (g gen) body(depth int) Body {
	if depth <= 0 {
		return &Select{Items: []Item{{X: g.expr(0)}}}
	}
	switch g.n(5) {
	case 0:
		v := &Values{}
		for range 1 + g.n(1) {
			v.Rows = append(v.Rows, ValueRow{Exprs: g.exprs(depth-1, 1)})
		}
		return v
	case 1:
		return &Paren{Query: g.query(depth - 1)}
	case 2:
		return g.setOp(depth)
	}
	return g.selectCore(depth)
}

// setOp draws a set operation that groups as it reads.
func (g gen) setOp(depth int) Body {
	op := &SetOp{Op: rapid.SampledFrom([]SetOpKind{Union, Intersect, Except}).Draw(g.T, "op"), All: g.yes(), L: g.body(depth - 1)}
	if _, ok := op.L.(*SetOp); ok && op.Op == Intersect {
		op.L = g.selectCore(depth - 1)
	}
	op.R = g.body(depth - 1)
	if _, ok := op.R.(*SetOp); ok {
		op.R = g.selectCore(depth - 1)
	}
	return op
}

func (g gen) selectCore(depth int) Body {
	s := &Select{Distinct: g.yes(), Hints: g.hints()}
	for range 1 + g.n(1) {
		s.Items = append(s.Items, g.item(depth))
	}
	for range g.n(2) {
		s.From = append(s.From, g.table(depth))
	}
	if g.yes() {
		s.Where = g.expr(depth - 1)
	}
	for range g.n(2) {
		s.GroupBy = append(s.GroupBy, g.group(depth))
	}
	if g.yes() {
		s.Having = g.expr(depth - 1)
	}
	if g.yes() {
		w := g.window(depth)
		w.Bare = false
		s.Windows = []NamedWindow{{Name: g.ident(), Window: w}}
	}
	return s
}

func (g gen) item(depth int) Item {
	switch g.n(5) {
	case 0:
		return Item{X: &Star{}}
	case 1:
		name := g.name()
		return Item{X: &Star{Table: &name}}
	}
	i := Item{X: g.expr(depth - 1)}
	if g.yes() {
		alias := g.ident()
		i.Alias = &alias
	}
	return i
}

func (g gen) hints() []Hint {
	if !g.yes() {
		return nil
	}
	return []Hint{
		{Name: "OPTIONS", Properties: []Property{{Key: Text{Value: g.text()}, Value: Text{Value: g.text()}}}},
		{Name: "BROADCAST", Args: g.exprs(0, 1)},
	}
}

func (g gen) group(depth int) Group {
	kind := GroupKind(g.n(4))
	if depth <= 0 {
		kind = GroupExpr
	}
	switch kind {
	case GroupExpr:
		return Group{Exprs: []Expr{g.expr(depth - 1)}}
	case GroupList:
		if g.yes() {
			return Group{Kind: GroupList}
		}
		return Group{Kind: GroupList, Exprs: g.exprs(depth-1, 2)}
	}
	out := Group{Kind: kind}
	for range 1 + g.n(1) {
		out.Elems = append(out.Elems, g.group(depth-1))
	}
	return out
}

func (g gen) alias() *Alias {
	if g.yes() {
		return nil
	}
	return &Alias{Name: g.ident(), Columns: g.maybeIdents()}
}

// table draws a table of FROM.
func (g gen) table(depth int) TableRef {
	if depth <= 0 {
		return &Table{Name: g.name(), Alias: g.alias()}
	}
	switch g.n(7) {
	case 0:
		return &Derived{Lateral: g.yes(), Query: g.query(depth - 1), Alias: g.alias()}
	case 1:
		return &Unnest{Exprs: g.exprs(depth-1, 1), Ordinality: g.yes(), Alias: g.alias()}
	case 2:
		return g.tableFunc(depth)
	case 3:
		return &PathTable{Path: Text{Value: g.text()}, Hints: g.hints(), Alias: g.alias()}
	case 4, 5:
		return g.join(depth)
	}
	t := &Table{Name: g.name(), Hints: g.hints(), Alias: g.alias()}
	if g.yes() {
		t.AsOf = g.expr(depth - 1)
	}
	if g.yes() {
		t.Match = g.match(depth)
		t.Match.Alias, t.Alias = t.Alias, nil
	}
	return t
}

func (g gen) join(depth int) TableRef {
	kinds := []JoinKind{InnerJoin, LeftJoin, RightJoin, FullJoin, CrossJoin, SemiJoin, AntiJoin}
	j := &Join{Kind: rapid.SampledFrom(kinds).Draw(g.T, "join"), L: g.table(depth - 1), R: g.table(depth - 1)}
	switch {
	case j.Kind == CrossJoin:
	case j.Kind != SemiJoin && j.Kind != AntiJoin && g.yes():
		j.Natural = true
	case g.yes():
		j.Using = g.idents(1)
	default:
		j.On = g.expr(depth - 1)
	}
	return j
}

func (g gen) tableFunc(depth int) TableRef {
	name := g.name()
	args := []Arg{
		{X: &TableArg{Table: &name, OrderBy: g.orders(depth)}},
		{X: &Descriptor{Columns: g.idents(1)}},
		{X: &TableArg{Query: g.query(depth - 1)}},
	}
	if g.yes() {
		args[0].X.(*TableArg).PartitionBy = g.exprs(depth-1, 1)
	}
	for range g.n(2) {
		x := g.expr(depth - 1)
		if _, ok := x.(*Subquery); !ok { // which is a table
			args = append(args, Arg{X: x})
		}
	}
	if label := g.ident(); g.yes() {
		args[0].Name = &label
	}
	return &TableFunc{Lateral: g.yes(), Call: &Call{Name: Name{Parts: []Ident{{Name: "f"}}}, Args: args}, Alias: g.alias()}
}

func (g gen) match(depth int) *Match {
	m := &Match{AllRows: g.yes(), OrderBy: g.orders(depth), Pattern: g.pattern(3)}
	if g.yes() {
		m.PartitionBy = g.exprs(depth-1, 1)
	}
	v, alias := g.ident(), g.ident()
	if g.yes() {
		m.Measures = []Item{{X: g.expr(depth - 1), Alias: &alias}}
	}
	if g.yes() {
		m.After = &MatchSkip{Kind: SkipToFirst, Var: g.ident()}
	}
	if g.yes() {
		m.Within = g.interval()
	}
	m.Define = []Item{{X: g.expr(depth - 1), Alias: &v}}
	return m
}

func (g gen) pattern(depth int) *Pattern {
	kind := PatternKind(g.n(int(PatternEnd)))
	if depth <= 0 {
		kind = PatternVar
	}
	p := &Pattern{Kind: kind}
	least := 1
	switch kind {
	case PatternVar:
		p.Var = g.ident()
		return p
	case PatternStart, PatternEnd:
		return p
	case PatternSeq, PatternAlt:
		least = 2
	case PatternRepeat:
		p.Min, p.Reluctant = g.n(2), g.yes()
		p.Max = p.Min + g.n(2)
		if g.yes() {
			p.Max = -1
		}
	}
	for range least {
		p.Elems = append(p.Elems, g.pattern(depth-1))
	}
	return p
}
