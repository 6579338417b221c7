package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// filter keeps the rows for which a condition is TRUE.
type filter struct {
	input     node
	condition expr.Expr
}

func (f *filter) columns() []column         { return f.input.columns() }
func (f *filter) inputs() []node            { return []node{f.input} }
func (f *filter) withInputs(in []node) node { return &filter{in[0], f.condition} }
func (f *filter) exprs() []expr.Expr        { return []expr.Expr{f.condition} }
func (f *filter) String() string            { return "Filter " + exprText(f.condition) }

func (f *filter) withExprs(xs []expr.Expr) node { return &filter{f.input, xs[0]} }

func (f *filter) prune(used []bool) (node, []int) {
	need := slices.Clone(used)
	mark(need, f.condition)
	input, moved := f.input.prune(need)
	return &filter{input, move(f.condition, moved)}, moved
}

func (f *filter) lower(l *lowering) (int, error) {
	input, err := l.lower(f.input)
	if err != nil {
		return 0, err
	}
	return l.chain("filter", &plan.Filter{Condition: f.condition}, f.columns(), input), nil
}
