package planner

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// bindSetOp binds UNION ALL; a UNION removes duplicates behind it.
func (b *binder) bindSetOp(s *parser.SetOp) (node, error) {
	if s.Op != parser.Union {
		return nil, b.notYet(s.OpPos, string(s.Op))
	}
	left, err := b.bindBranch(s.L)
	if err != nil {
		return nil, err
	}
	right, err := b.bindBranch(s.R)
	if err != nil {
		return nil, err
	}
	both, err := b.unify(s, left, right)
	if err != nil || s.All {
		return both, err
	}
	return b.distinct(both, place{b.script, s.OpPos})
}

func (b *binder) bindBranch(body parser.Body) (node, error) {
	bound, err := b.bindBody(body, nil)
	if err != nil {
		return nil, err
	}
	return bound.root, nil
}

// unify brings the columns of both branches to common types.
func (b *binder) unify(s *parser.SetOp, left, right node) (node, error) {
	l, r := left.columns(), right.columns()
	if len(l) != len(r) {
		return nil, b.errorf(s.OpPos, "the queries around %s have %d and %d columns", s.Op, len(l), len(r))
	}
	types := make([]arrow.DataType, len(l))
	for i := range l {
		t, ok := expr.CommonType(l[i].typ, r[i].typ)
		if !ok {
			return nil, b.errorf(s.OpPos, "column %d ('%s') is %s before %s and %s behind it; CAST one of them",
				i+1, l[i].name, expr.TypeName(l[i].typ), s.Op, expr.TypeName(r[i].typ))
		}
		types[i] = t
	}
	left, err := b.convert(left, types)
	if err != nil {
		return nil, err
	}
	if right, err = b.convert(right, types); err != nil {
		return nil, err
	}
	return newUnion([]node{left, right}), nil
}
