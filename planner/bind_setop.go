package planner

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// bindSetOp binds UNION, INTERSECT and EXCEPT.
func (b *binder) bindSetOp(s *parser.SetOp) (node, error) {
	left, err := b.bindBranch(s.L)
	if err != nil {
		return nil, err
	}
	right, err := b.bindBranch(s.R)
	if err != nil {
		return nil, err
	}
	if left, right, err = b.unify(s, left, right); err != nil {
		return nil, err
	}
	switch {
	case s.Op != parser.Union:
		return b.counted(s, left, right)
	case s.All:
		return newUnion([]node{left, right}), nil
	}
	return b.distinct(newUnion([]node{left, right}), b.at(s.OpPos))
}

func (b *binder) bindBranch(body parser.Body) (node, error) {
	bound, err := b.bindBody(body, nil)
	if err != nil {
		return nil, err
	}
	return bound.root, nil
}

// unify brings the columns of both branches to common types.
func (b *binder) unify(s *parser.SetOp, left, right node) (_, _ node, err error) {
	l, r := left.columns(), right.columns()
	if len(l) != len(r) {
		return nil, nil, b.errorf(s.OpPos, "the queries around %s have %d and %d columns", s.Op, len(l), len(r))
	}
	types := make([]arrow.DataType, len(l))
	for i := range l {
		t, ok := expr.CommonType(l[i].typ, r[i].typ)
		if !ok {
			return nil, nil, b.errorf(s.OpPos, "column %d ('%s') is %s before %s and %s behind it; CAST one of them",
				i+1, l[i].name, expr.TypeName(l[i].typ), s.Op, expr.TypeName(r[i].typ))
		}
		types[i] = t
	}
	if left, err = b.convert(left, types); err != nil {
		return nil, nil, err
	}
	right, err = b.convert(right, types)
	return left, right, err
}

// counted is INTERSECT and EXCEPT: how often each row is there on each side tells how often it is in the result.
func (b *binder) counted(s *parser.SetOp, left, right node) (node, error) {
	n := len(left.columns())
	left, err := b.concrete(left)
	if err != nil {
		return nil, err
	}
	if right, err = b.concrete(right); err != nil {
		return nil, err
	}
	counts, err := b.countSides(newUnion([]node{tagged(left, true), tagged(right, false)}), b.at(s.OpPos))
	if err != nil {
		return nil, err
	}
	inLeft, inRight := counts.columns()[n].ref(n), counts.columns()[n+1].ref(n+1)
	zero := expr.NewBigInt(0)
	if !s.All {
		op := map[parser.SetOpKind]string{parser.Intersect: ">", parser.Except: "="}[s.Op]
		condition := and(b.computed(">", inLeft, zero), b.computed(op, inRight, zero))
		return firstColumns(&filter{counts, condition}, n), nil
	}
	times := b.computed("LEAST", inLeft, inRight)
	if s.Op == parser.Except {
		times = b.computed("-", inLeft, inRight)
	}
	exprs, names := passed(counts.columns()[:n])
	repeated := newProject(counts, append(exprs, times), append(names, "times"))
	some := &filter{repeated, b.computed(">", repeated.columns()[n].ref(n), zero)}
	return &repeat{some, b.at(s.OpPos)}, nil
}

// tagged adds two columns: whether the row is of the left side, and whether it is of the right one.
func tagged(in node, left bool) node {
	exprs, names := passed(in.columns())
	return newProject(in, append(exprs, expr.NewBool(left), expr.NewBool(!left)), append(names, "left", "right"))
}

// countSides groups tagged rows and counts those of each side.
func (b *binder) countSides(both node, at place) (node, error) {
	n := len(both.columns()) - 2
	count, err := agg.Resolve("COUNT", nil, agg.Options{})
	if err != nil {
		return nil, err
	}
	return newAggregate(both, firstN(n), []call{
		{Call: count, filter: n, name: "rows to the left"}, {Call: count, filter: n + 1, name: "rows to the right"},
	}, at), nil
}

// computed is a function of arguments that it is known to take.
func (b *binder) computed(name string, args ...expr.Expr) expr.Expr {
	x, err := expr.NewCall(name, args, b.settings.Expr)
	if err != nil {
		panic("planner: " + name + " refuses its arguments: " + err.Error())
	}
	return x
}
