package planner

import (
	"slices"

	"streamsql/exec/expr"
)

// rewriteColumns replaces each column reference by what f returns for it, of the same type.
func rewriteColumns(x expr.Expr, f func(*expr.Column) expr.Expr) expr.Expr {
	return expr.Rewrite(x, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok {
			return f(c)
		}
		return x
	})
}

// substitute puts values[i] in the place of column i. Columns of queries around stay.
func substitute(x expr.Expr, values []expr.Expr) expr.Expr {
	return rewriteColumns(x, func(c *expr.Column) expr.Expr {
		if isOuter(c) {
			return c
		}
		return values[c.Index]
	})
}

// move lets column references point to the columns' new positions. Columns of queries around stay.
func move(x expr.Expr, moved []int) expr.Expr {
	return rewriteColumns(x, func(c *expr.Column) expr.Expr {
		if isOuter(c) || moved[c.Index] == c.Index {
			return c
		}
		to := *c
		to.Index = moved[c.Index]
		return &to
	})
}

// readsOnly tells whether an expression reads columns, and only some of those listed.
func readsOnly(x expr.Expr, columns []int) bool {
	used := expr.Columns(x)
	return len(used) > 0 && !slices.ContainsFunc(used, func(i int) bool { return !slices.Contains(columns, i) })
}

// mark sets used for every column x reads.
func mark(used []bool, x expr.Expr) {
	for _, i := range expr.Columns(x) {
		used[i] = true
	}
}
