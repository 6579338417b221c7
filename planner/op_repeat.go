package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// repeat gives each row as often as its last column, a BIGINT, says, and without that.
type repeat struct {
	input node
	at    place
}

// times is the column that says how often.
func (r *repeat) times() int { return len(r.input.columns()) - 1 }

func (r *repeat) columns() []column          { return r.input.columns()[:r.times()] }
func (r *repeat) inputs() []node             { return []node{r.input} }
func (r *repeat) withInputs(in []node) node  { return &repeat{in[0], r.at} }
func (r *repeat) exprs() []expr.Expr         { return nil }
func (r *repeat) withExprs([]expr.Expr) node { return r }
func (r *repeat) String() string             { return "Repeat " + r.input.columns()[r.times()].name }

func (r *repeat) prune(used []bool) (node, []int) {
	need := append(slices.Clone(used), true)
	input, moved := r.input.prune(need)
	input = pick(input, need, moved)
	kept := make([]int, len(used))
	n := 0
	for i, u := range used {
		kept[i] = -1
		if u {
			kept[i] = n
			n++
		}
	}
	return &repeat{input, r.at}, kept
}

func (r *repeat) lower(l *lowering) (int, error) {
	input, err := l.lower(r.input)
	if err != nil {
		return 0, err
	}
	l.notYet(r.at, "a set operation with ALL")
	return l.chain("repeat", &plan.Repeat{Count: r.times()}, r.columns(), input), nil
}
