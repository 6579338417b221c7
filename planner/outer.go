package planner

import "streamsql/exec/expr"

// A reference to a column of a query around the one it stands in is a column whose index is beyond all others: level 1 is the query
// next around, level 2 the one around that. Such references are gone when all lateral joins have become plain ones.

// outerRef lifts a reference by one query.
func outerRef(c *expr.Column) *expr.Column {
	up := *c
	up.Index += outerLevel
	return &up
}

// isOuter tells whether a column is one of a query around.
func isOuter(c *expr.Column) bool { return c.Index >= outerLevel }

// levelOf splits the index of a reference into its level, 0 for a column of the input, and the index among that level's columns.
func levelOf(c *expr.Column) (level, index int) { return c.Index / outerLevel, c.Index % outerLevel }

// anyOuter tells whether an expression refers to a query around.
func anyOuter(xs ...expr.Expr) bool {
	used := expr.Columns(xs...)
	return len(used) > 0 && used[len(used)-1] >= outerLevel
}

// hasOuter tells whether any expression of the plan refers to a query around.
func hasOuter(n node) bool {
	if anyOuter(n.exprs()...) {
		return true
	}
	for _, in := range n.inputs() {
		if hasOuter(in) {
			return true
		}
	}
	return false
}

// mapOuter replaces the references to queries around in all expressions of a plan. Lateral joins in it are a level of their own
// for their right side; f gets a reference as if it stood outside of them.
func mapOuter(n node, f func(*expr.Column) expr.Expr) node {
	if !hasOuter(n) {
		return n
	}
	replace := func(x expr.Expr) expr.Expr {
		return rewriteColumns(x, func(c *expr.Column) expr.Expr {
			if !isOuter(c) {
				return c
			}
			return f(c)
		})
	}
	ins := n.inputs()
	mapped := make([]node, len(ins))
	for i, in := range ins {
		inside := f
		if j, ok := n.(*join); ok && j.lateral && i == 1 {
			inside = below(f)
		}
		mapped[i] = mapOuter(in, inside)
	}
	n = n.withInputs(mapped)
	if xs := n.exprs(); anyOuter(xs...) {
		n = n.withExprs(rewriteAll(xs, replace))
	}
	return n
}

// below is f for the right side of a lateral join, whose references to the left side are left alone.
func below(f func(*expr.Column) expr.Expr) func(*expr.Column) expr.Expr {
	return func(c *expr.Column) expr.Expr {
		if level, _ := levelOf(c); level == 1 {
			return c
		}
		outside := *c
		outside.Index -= outerLevel
		replaced, ok := f(&outside).(*expr.Column)
		if !ok {
			panic("planner: a column of a query around became an expression")
		}
		return outerRef(replaced)
	}
}

func rewriteAll(xs []expr.Expr, f func(expr.Expr) expr.Expr) []expr.Expr {
	out := make([]expr.Expr, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}
