package planner

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// match finds patterns in the rows of each partition, as plan.Match.
type match struct {
	input       node
	partition   []int
	order       []plan.SortKey
	variables   []string
	pattern     *plan.Pattern
	defines     []expr.Expr // by variable, over the navigations; nil holds for every row
	navigations []plan.Navigation
	measures    []expr.Expr // over the navigations
	results     []column    // of the measures
	allRows     bool
	skip        plan.Skip
	within      int64
	cols        []column
	at          place
}

// complete is the operator with its columns.
func (m match) complete() *match {
	in := m.input.columns()
	m.cols = nil
	for _, k := range m.kept() {
		m.cols = append(m.cols, in[k])
	}
	m.cols = append(m.cols, m.results...)
	return &m
}

// kept are the columns of the input that are given: the partition's, or all of them.
func (m *match) kept() []int {
	if m.allRows {
		return firstN(len(m.input.columns()))
	}
	return m.partition
}

func (m *match) columns() []column          { return m.cols }
func (m *match) inputs() []node             { return []node{m.input} }
func (m *match) exprs() []expr.Expr         { return nil }
func (m *match) withExprs([]expr.Expr) node { return m }

func (m *match) withInputs(in []node) node {
	changed := *m
	changed.input = in[0]
	return changed.complete()
}

// prune keeps the measures and what they read.
func (m *match) prune(used []bool) (node, []int) {
	need := make([]bool, len(m.input.columns()))
	for i, k := range m.kept() {
		need[k] = used[i]
	}
	for _, p := range m.partition {
		need[p] = true
	}
	for _, k := range m.order {
		need[k.Column] = true
	}
	for _, n := range m.navigations {
		for _, x := range navigationExprs(n) {
			mark(need, x)
		}
	}
	input, shift := m.input.prune(need)
	changed := *m
	changed.input, changed.partition, changed.order = input, movedAll(m.partition, shift), movedKeys(m.order, shift)
	changed.navigations = make([]plan.Navigation, len(m.navigations))
	for i, n := range m.navigations {
		changed.navigations[i] = movedNavigation(n, shift)
	}
	pruned := changed.complete()
	moved := firstN(len(m.partition))
	if m.allRows {
		moved = shift
	}
	for i := range m.results {
		moved = append(moved, len(pruned.cols)-len(m.results)+i)
	}
	return pruned, moved
}

// navigationExprs are the expressions of a navigation over the columns of the input.
func navigationExprs(n plan.Navigation) []expr.Expr {
	if n.Value != nil {
		return append([]expr.Expr{n.Value}, n.Args...)
	}
	return n.Args
}

func movedNavigation(n plan.Navigation, shift []int) plan.Navigation {
	if n.Value != nil {
		n.Value = move(n.Value, shift)
	}
	args := make([]expr.Expr, len(n.Args))
	for i, a := range n.Args {
		args[i] = move(a, shift)
	}
	n.Args = args
	return n
}

func (m *match) String() string { return matchText(m.operator()) }

// operator is the match as the plan has it.
func (m *match) operator() *plan.Match {
	return &plan.Match{
		Partition: m.partition, Order: m.order, Time: m.order[0].Column, Variables: m.variables, Pattern: m.pattern, Defines: m.defines,
		Measures: m.measures, Navigations: m.navigations, AllRows: m.allRows, Skip: m.skip, Within: m.within,
		PartitionNames: m.partitionNames(),
	}
}

func (m *match) partitionNames() []string {
	var cols []column
	for _, p := range m.partition {
		cols = append(cols, m.input.columns()[p])
	}
	return typedNames(cols)
}

func (m *match) lower(l *lowering) (int, error) {
	input, err := l.lower(m.input)
	if err != nil {
		return 0, err
	}
	l.notYet(m.at, "MATCH_RECOGNIZE")
	return l.exchange("match", m.operator(), m.cols, plan.Append, input, m.partition), nil
}

// matchText describes a match in a line.
func matchText(m *plan.Match) string {
	text := "Match " + patternText(m, m.Pattern, false)
	if len(m.PartitionNames) > 0 {
		names := make([]string, len(m.PartitionNames))
		for i, n := range m.PartitionNames {
			names[i], _, _ = strings.Cut(n, " ")
		}
		text += " for each " + strings.Join(names, ", ")
	}
	if m.Within > 0 {
		text += " within " + expr.NewDayTime(m.Within).String()
	}
	return text
}
