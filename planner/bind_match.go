package planner

import (
	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
	"streamsql/plan"
)

// bindMatch binds MATCH_RECOGNIZE over the rows of a table.
func (b *binder) bindMatch(in node, names *scope, tree *parser.Match) (node, *scope, error) {
	m := &matching{binder: b, input: names}
	n := match{input: in, at: b.at(tree), allRows: tree.AllRows}
	for _, step := range []func(*parser.Match, *match) error{m.pattern, m.partition, m.order, m.defines, m.measures, m.rest} {
		if err := step(tree, &n); err != nil {
			return nil, nil, err
		}
	}
	for _, nav := range m.list {
		n.navigations = append(n.navigations, nav.Navigation)
	}
	found := n.complete()
	result, err := b.alias(scopeOf("", found.cols), tree.Alias)
	return found, result, err
}

// pattern finds the variables in the pattern, and the subsets.
func (m *matching) pattern(tree *parser.Match, n *match) error {
	n.pattern = m.patternOf(tree.Pattern)
	n.variables = m.variables
	for _, s := range tree.Subsets {
		if _, taken := m.of(s.Name.Name); taken {
			return m.errorf(s.Name, "'%s' is a variable of the pattern already", s.Name.Name)
		}
		subset := matchSubset{name: s.Name.Name}
		for _, v := range s.Vars {
			at, err := m.variable(v)
			if err != nil {
				return err
			}
			subset.variables = append(subset.variables, at)
		}
		m.subsets = append(m.subsets, subset)
	}
	return nil
}

var patternKinds = map[parser.PatternKind]plan.PatternKind{
	parser.PatternVar: plan.PatternVariable, parser.PatternSeq: plan.PatternSequence, parser.PatternAlt: plan.PatternAlternative,
	parser.PatternRepeat: plan.PatternRepeat, parser.PatternExclude: plan.PatternExclude, parser.PatternPermute: plan.PatternPermute,
	parser.PatternStart: plan.PatternStart, parser.PatternEnd: plan.PatternEnd,
}

func (m *matching) patternOf(p *parser.Pattern) *plan.Pattern {
	out := &plan.Pattern{Kind: patternKinds[p.Kind], Min: p.Min, Max: p.Max, Reluctant: p.Reluctant}
	if p.Kind == parser.PatternVar {
		at, known := m.of(p.Var.Name)
		if !known {
			m.variables = append(m.variables, p.Var.Name)
			at = []int{len(m.variables) - 1}
		}
		out.Variable = at[0]
	}
	for _, e := range p.Elems {
		out.Elems = append(out.Elems, m.patternOf(e))
	}
	return out
}

// variable is the position of a variable of the pattern.
func (m *matching) variable(id parser.Ident) (int, error) {
	for i, v := range m.variables {
		if equalNames(v, id.Name) {
			return i, nil
		}
	}
	return 0, m.at(id).error("'"+id.Name+"' is no variable of the pattern", suggest.Hint(id.Name, m.variables))
}

func (m *matching) partition(tree *parser.Match, n *match) error {
	for _, x := range tree.PartitionBy {
		at, err := m.column(x, "PARTITION BY")
		if err != nil {
			return err
		}
		n.partition = append(n.partition, at)
	}
	return nil
}

// column binds what must be a column of the input.
func (m *matching) column(x parser.Expr, clause string) (int, error) {
	ref, ok := x.(*parser.ColumnRef)
	if !ok {
		return 0, m.errorf(x, "%s of MATCH_RECOGNIZE takes columns", clause)
	}
	return m.plainColumn(m.input, ref)
}

// order binds ORDER BY, which must begin with the event time.
func (m *matching) order(tree *parser.Match, n *match) error {
	for _, o := range tree.OrderBy {
		at, err := m.column(o.X, "ORDER BY")
		if err != nil {
			return err
		}
		n.order = append(n.order, sortKey(at, o))
	}
	if len(n.order) == 0 {
		return m.at(tree).error("MATCH_RECOGNIZE finds patterns in rows in their order, and there is no ORDER BY", "add ORDER BY and the event time")
	}
	first := n.order[0]
	if !m.input.cols[first.Column].role.isAnyTime() || first.Descending {
		return m.at(tree.OrderBy[0]).error("ORDER BY of MATCH_RECOGNIZE must begin with an event time, ascending", m.timesOf(m.input))
	}
	m.time = first.Column
	return nil
}

func (m *matching) exprs(clause string, running bool) exprs {
	m.running = running
	return exprs{binder: m.binder, scope: &scope{clause: clause}, match: m}
}

func (m *matching) defines(tree *parser.Match, n *match) error {
	n.defines = make([]expr.Expr, len(m.variables))
	for _, d := range tree.Define {
		at, err := m.variable(*d.Alias)
		if err != nil {
			return err
		}
		if n.defines[at] != nil {
			return m.errorf(d.Alias, "'%s' is defined twice", d.Alias.Name)
		}
		x, err := m.exprs("DEFINE", true).condition(d.X)
		if err != nil {
			return err
		}
		n.defines[at] = relocate(x, navigations, 0)
	}
	return nil
}

func (m *matching) measures(tree *parser.Match, n *match) error {
	for _, item := range tree.Measures {
		x, err := m.exprs("MEASURES", tree.AllRows).bind(item.X)
		if err != nil {
			return err
		}
		c := column{name: itemName(item), typ: concreteType(x.Type()), nullable: x.Nullable()}
		if at, ok := x.(*expr.Column); ok && at.Index >= navigations {
			c.role = m.list[at.Index-navigations].column.role
		}
		n.measures, n.results = append(n.measures, relocate(x, navigations, 0)), append(n.results, c)
	}
	return nil
}

// rest binds where matching goes on, and how long a match may be.
func (m *matching) rest(tree *parser.Match, n *match) error {
	if s := tree.After; s != nil {
		n.skip.Kind = plan.SkipKind(s.Kind)
		if s.Kind == parser.SkipToFirst || s.Kind == parser.SkipToLast {
			at, err := m.variable(s.Var)
			if err != nil {
				return err
			}
			n.skip.Variable = at
		}
	}
	if tree.Within == nil {
		return nil
	}
	ms, err := m.milliseconds(tree.Within, "WITHIN")
	n.within = ms
	return err
}
