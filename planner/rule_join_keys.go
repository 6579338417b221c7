package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// projectJoinKeys computes the sides of an equality below the join, so that it is one of columns: rows can be brought together by it.
var projectJoinKeys = rule{"project join keys", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral {
		return nil
	}
	terms := expr.Conjuncts(j.on)
	left, right := &keySide{node: j.left}, &keySide{node: j.right}
	for i, term := range terms {
		if eq, ok := j.keyTerm(i, term); ok {
			left.add(eq.left)
			right.add(shift(eq.right, -j.width()))
		}
	}
	if left.added == nil && right.added == nil {
		return nil
	}
	return j.overKeys(terms, left, right)
}}

// keyTerm is an equality whose sides can be computed for every row. The first term is asked of all rows anyway; those behind it may
// be guarded by it.
func (j *join) keyTerm(i int, term expr.Expr) (equality, bool) {
	if expr.CanFail(term) && i > 0 || !expr.IsDeterministic(term) {
		return equality{}, false
	}
	return j.equality(term)
}

// overKeys is the join over inputs that compute the sides, without the columns that these add.
func (j *join) overKeys(terms []expr.Expr, left, right *keySide) node {
	n, l, r := j.width(), left.project(), right.project()
	wide := len(l.columns())
	moved := firstN(n)
	for i := range j.right.columns() {
		moved = append(moved, wide+i)
	}
	on := make([]expr.Expr, len(terms))
	for i, term := range terms {
		eq, ok := j.keyTerm(i, term)
		if !ok {
			on[i] = move(term, moved)
			continue
		}
		on[i] = expr.Rewrite(term, func(x expr.Expr) expr.Expr {
			switch x {
			case eq.left:
				return left.ref(x)
			case eq.right:
				return shift(right.ref(shift(x, -n)), wide)
			}
			return x
		})
	}
	joined := j.over(l, r, moved).with(func(j *join) { j.on = and(on...) })
	switch {
	case j.kind == plan.Mark:
		moved = append(moved[:n], wide)
	case !j.givesRight():
		moved = moved[:n]
	}
	return choose(joined, moved)
}

// choose projects a node to the columns at the positions.
func choose(in node, at []int) node {
	cols := in.columns()
	exprs, names := make([]expr.Expr, len(at)), make([]string, len(at))
	for i, a := range at {
		exprs[i], names[i] = cols[a].ref(a), cols[a].name
	}
	return newProject(in, exprs, names)
}

// keySide is an input with the expressions it is to compute.
type keySide struct {
	node  node
	added []expr.Expr
}

// add has the side compute an expression, unless it is a column.
func (s *keySide) add(x expr.Expr) {
	if !isColumn(x) && !slices.ContainsFunc(s.added, func(a expr.Expr) bool { return expr.Equal(a, x) }) {
		s.added = append(s.added, x)
	}
}

// ref is the column that holds an expression.
func (s *keySide) ref(x expr.Expr) expr.Expr {
	if isColumn(x) {
		return x
	}
	i := slices.IndexFunc(s.added, func(a expr.Expr) bool { return expr.Equal(a, x) })
	return &expr.Column{Index: len(s.node.columns()) + i, Name: x.String(), T: x.Type(), Null: x.Nullable()}
}

// project is the side with the expressions behind its columns.
func (s *keySide) project() node {
	if s.added == nil {
		return s.node
	}
	exprs, names := passed(s.node.columns())
	for _, x := range s.added {
		exprs, names = append(exprs, x), append(names, x.String())
	}
	return newProject(s.node, exprs, names)
}

func isColumn(x expr.Expr) bool {
	_, ok := x.(*expr.Column)
	return ok
}
