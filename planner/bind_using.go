package planner

import (
	"fmt"
	"slices"

	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// sharedColumn is a column of both sides that USING or NATURAL makes one of, as positions among the columns of both.
type sharedColumn struct {
	name        string
	left, right int
	at          parser.Node
}

// sharedColumns finds the columns that USING names, or that a NATURAL join finds on both sides.
func (b *binder) sharedColumns(ref *parser.Join, left, right *scope) ([]sharedColumn, error) {
	var shared []sharedColumn
	for _, id := range ref.Using {
		l, err := b.usingColumn(left, id, "left")
		if err != nil {
			return nil, err
		}
		r, err := b.usingColumn(right, id, "right")
		if err != nil {
			return nil, err
		}
		shared = append(shared, sharedColumn{id.Name, l, r + len(left.cols), id})
	}
	if !ref.Natural {
		return shared, nil
	}
	for _, l := range left.visible {
		name := left.cols[l].name
		r := right.find(name, right.visible)
		if len(r) == 0 {
			continue
		}
		if len(r) > 1 || len(left.find(name, left.visible)) > 1 {
			return nil, b.errorf(ref.KindPos, "NATURAL JOIN finds the column '%s' more than once on one side", name)
		}
		shared = append(shared, sharedColumn{name, l, r[0] + len(left.cols), ref.KindPos})
	}
	if len(shared) == 0 {
		return nil, b.at(ref.KindPos).error("NATURAL JOIN finds no columns of equal names", "write JOIN … ON, or CROSS JOIN if every pair of rows is meant")
	}
	return shared, nil
}

func (b *binder) usingColumn(s *scope, id parser.Ident, side string) (int, error) {
	found := s.find(id.Name, s.visible)
	if len(found) == 1 {
		return found[0], nil
	}
	what := "no column"
	if len(found) > 1 {
		what = fmt.Sprintf("%d columns", len(found))
	}
	return 0, b.errorf(id, "USING takes a column of both sides, and the %s one has %s '%s'", side, what, id.Name)
}

// equal is the condition that shared columns are equal.
func (b *binder) equal(shared []sharedColumn, cols []column) (expr.Expr, error) {
	terms := make([]expr.Expr, len(shared))
	for i, s := range shared {
		var err error
		if terms[i], err = expr.NewCall("=", []expr.Expr{cols[s.left].ref(s.left), cols[s.right].ref(s.right)}, b.settings.Expr); err != nil {
			return nil, b.errorf(s.at, "column '%s': %s", s.name, err)
		}
	}
	return and(terms...), nil
}

// mergeShared makes one visible column of each shared pair: that of the side which is always there. A full join computes it.
func (b *binder) mergeShared(j *join, names *scope, shared []sharedColumn) (node, *scope, error) {
	if len(shared) == 0 {
		return j, names, nil
	}
	root := node(j)
	var merged []int
	switch j.kind {
	case plan.Full:
		var err error
		if root, err = b.coalesce(j, shared); err != nil {
			return nil, nil, err
		}
		for i := range shared {
			merged = append(merged, len(j.cols)+i)
		}
	case plan.Right:
		for _, s := range shared {
			merged = append(merged, s.right)
		}
	default:
		for _, s := range shared {
			merged = append(merged, s.left)
		}
	}
	names.cols = named(root.columns(), names.cols)
	names.visible = append(merged, slices.DeleteFunc(names.visible, func(v int) bool {
		return slices.ContainsFunc(shared, func(s sharedColumn) bool { return v == s.left || v == s.right })
	})...)
	return root, names, nil
}

// coalesce appends what is there of each shared pair.
func (b *binder) coalesce(j *join, shared []sharedColumn) (node, error) {
	exprs, names := passed(j.cols)
	for _, s := range shared {
		x, err := expr.NewCall("COALESCE", []expr.Expr{j.cols[s.left].ref(s.left), j.cols[s.right].ref(s.right)}, b.settings.Expr)
		if err != nil {
			return nil, b.errorf(s.at, "column '%s': %s", s.name, err)
		}
		exprs, names = append(exprs, x), append(names, s.name)
	}
	return newProject(j, exprs, names), nil
}

// passed is a projection that passes all columns on, for others to come behind them.
func passed(cols []column) (exprs []expr.Expr, names []string) {
	for i, c := range cols {
		exprs, names = append(exprs, c.ref(i)), append(names, c.name)
	}
	return exprs, names
}
