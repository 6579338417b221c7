package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// side tells which inputs of a join an expression reads.
type side int

const (
	neither side = 0
	onLeft  side = 1
	onRight side = 2
	onBoth       = onLeft | onRight
)

// sideOf tells which inputs an expression over the columns of both reads; width is the number of left columns.
func sideOf(x expr.Expr, width int) side {
	s := neither
	for _, i := range expr.Columns(x) {
		switch {
		case i < width:
			s |= onLeft
		case i < outerLevel:
			s |= onRight
		default: // of a query around: the term is about the pair
			s |= onBoth
		}
	}
	return s
}

// equality is a term of a condition that asks for equal values.
type equality struct {
	left, right expr.Expr
	nulls       plan.NullMatch
}

// equalities lists what the term of a join's condition compares for equality, left with right; nothing if it is another term.
func (j *join) equality(term expr.Expr) (equality, bool) {
	nulls := plan.NullsDiffer
	c, ok := term.(*expr.Call)
	switch {
	case !ok:
		return equality{}, false
	case c.Fn.Name == "IS TRUE", c.Fn.Name == "IS NOT FALSE":
		if c.Fn.Name == "IS NOT FALSE" && c.Args[0].Nullable() {
			nulls = plan.NullsUnknown
		}
		if c, ok = c.Args[0].(*expr.Call); !ok {
			return equality{}, false
		}
	case j.kind == plan.Mark && term.Nullable():
		nulls = plan.NullsUnknown
	}
	switch c.Fn.Name {
	case "=":
	case "IS NOT DISTINCT FROM":
		nulls = plan.NullsEqual
	default:
		return equality{}, false
	}
	return j.sides(c.Args[0], c.Args[1], nulls)
}

// sides puts the sides of an equality into the order of the inputs.
func (j *join) sides(a, b expr.Expr, nulls plan.NullMatch) (equality, bool) {
	switch n := j.width(); {
	case sideOf(a, n) == onLeft && sideOf(b, n) == onRight:
		return equality{a, b, nulls}, true
	case sideOf(a, n) == onRight && sideOf(b, n) == onLeft:
		return equality{b, a, nulls}, true
	}
	return equality{}, false
}

// split divides the condition into keys and the terms beyond them.
func (j *join) split() (keys []plan.JoinKey, rest []expr.Expr) {
	n := j.width()
	for _, term := range expr.Conjuncts(j.on) {
		eq, ok := j.equality(term)
		left, isLeft := eq.left.(*expr.Column)
		right, isRight := eq.right.(*expr.Column)
		switch {
		case ok && isLeft && isRight:
			key := plan.JoinKey{Left: left.Index, Right: right.Index - n, Nulls: eq.nulls}
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		case !isTrue(term):
			rest = append(rest, term)
		}
	}
	return keys, rest
}

// conditionText is a condition of the join for the eye: names that both sides have are told apart.
func (j *join) conditionText(x expr.Expr) string {
	n := j.width()
	names := [2][]string{columnNames(j.left.columns()), columnNames(j.right.columns())}
	side := func(c *expr.Column) int {
		if c.Index < n {
			return 0
		}
		return 1
	}
	expr.Walk(x, func(x expr.Expr) bool {
		if c, ok := x.(*expr.Column); ok {
			names[side(c)] = append(names[side(c)], c.Name)
		}
		return true
	})
	return exprText(rewriteColumns(x, func(c *expr.Column) expr.Expr {
		if isOuter(c) || !slices.ContainsFunc(names[1-side(c)], func(name string) bool { return equalNames(name, c.Name) }) {
			return c
		}
		named := *c
		named.Name = [2]string{"left.", "right."}[side(c)] + c.Name
		return &named
	}))
}

func isTrue(x expr.Expr) bool {
	l, ok := x.(*expr.Literal)
	return ok && l.V == true
}
