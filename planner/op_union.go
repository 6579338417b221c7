package planner

import (
	"streamsql/exec/expr"
	"streamsql/plan"
)

// union passes on the rows of all inputs, whose columns have the same types. The names are the first input's.
type union struct {
	ins  []node
	cols []column
}

func newUnion(ins []node) *union {
	u := &union{ins: ins}
	for i, c := range ins[0].columns() {
		for _, in := range ins[1:] {
			other := in.columns()[i]
			c.nullable = c.nullable || other.nullable
			c.role = commonRole(c.role, other.role)
		}
		u.cols = append(u.cols, c)
	}
	return u
}

// commonRole is what a column of a union means when it means a and b in its inputs. Windows of equal size and place are one.
func commonRole(a, b role) role {
	switch {
	case a.kind == b.kind && (a.window == b.window || a.window != nil && b.window != nil && *a.window == *b.window):
		return a
	case a.isTime() && b.isTime():
		return role{kind: eventTime}
	}
	return role{}
}

func (u *union) columns() []column         { return u.cols }
func (u *union) inputs() []node            { return u.ins }
func (u *union) withInputs(in []node) node { return newUnion(in) }
func (u *union) exprs() []expr.Expr        { return nil }
func (u *union) String() string            { return "Union" }

func (u *union) withExprs([]expr.Expr) node { return u }

// prune brings what the inputs keep into one shape again.
func (u *union) prune(used []bool) (node, []int) {
	moved := make([]int, len(u.cols))
	kept := 0
	for i := range u.cols {
		moved[i] = -1
		if used[i] {
			moved[i] = kept
			kept++
		}
	}
	ins := make([]node, len(u.ins))
	for i, in := range u.ins {
		pruned, shift := in.prune(used)
		ins[i] = pick(pruned, used, shift)
	}
	return newUnion(ins), moved
}

// pick projects a pruned input to exactly the used columns, in order.
func pick(in node, used []bool, shift []int) node {
	cols := in.columns()
	var exprs []expr.Expr
	var names []string
	for i, u := range used {
		if u {
			exprs = append(exprs, cols[shift[i]].ref(shift[i]))
			names = append(names, cols[shift[i]].name)
		}
	}
	return newProject(in, exprs, names)
}

func (u *union) lower(l *lowering) (int, error) {
	inputs := make([]int, len(u.ins))
	for i, in := range u.ins {
		var err error
		if inputs[i], err = l.lower(in); err != nil {
			return 0, err
		}
	}
	return l.join("union", &plan.Union{}, u.cols, inputs), nil
}
