package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// bindComma binds a table behind a comma of FROM.
func (b *binder) bindComma(left node, names *scope, ref parser.TableRef) (node, *scope, error) {
	return b.bindBeside(left, names, &parser.Join{Span: ref.At(), Kind: parser.CrossJoin, KindPos: ref.At(), R: ref})
}

func (b *binder) bindJoin(ref *parser.Join) (node, *scope, error) {
	left, names, err := b.bindTableRef(ref.L)
	if err != nil {
		return nil, nil, err
	}
	return b.bindBeside(left, names, ref)
}

// bindBeside binds the right side of a join, which may depend on each row of the left one, and the join.
func (b *binder) bindBeside(left node, names *scope, ref *parser.Join) (node, *scope, error) {
	switch r := ref.R.(type) {
	case *parser.Unnest:
		return b.joinUnnest(left, names, ref, r)
	case *parser.Table:
		if r.AsOf != nil {
			return b.joinAsOf(left, names, ref, r)
		}
	case *parser.Derived:
		if r.Lateral {
			return b.joinLateral(left, names, ref)
		}
	case *parser.TableFunc:
		if r.Lateral {
			return b.joinLateral(left, names, ref)
		}
	}
	right, others, err := b.bindTableRef(ref.R)
	if err != nil {
		return nil, nil, err
	}
	return b.bindPair(ref, join{left: left, right: right}, names, others)
}

// joinLateral binds a join with a query that refers to the tables to its left.
func (b *binder) joinLateral(left node, names *scope, ref *parser.Join) (node, *scope, error) {
	if k := joinKinds[ref.Kind]; k == plan.Right || k == plan.Full {
		return nil, nil, b.errorf(ref.KindPos, "LATERAL is computed for each row to its left, so the join can be INNER, CROSS or LEFT only")
	}
	right, others, err := b.inside(names.in("LATERAL")).bindTableRef(ref.R)
	if err != nil {
		return nil, nil, err
	}
	return b.bindPair(ref, join{left: left, right: right, lateral: hasOuter(right)}, names, others)
}

// inside is a binder for a query that stands in an expression over the scope.
func (b *binder) inside(s *scope) *binder {
	inner := *b
	inner.outer = s
	return &inner
}

var joinKinds = map[parser.JoinKind]plan.JoinKind{
	parser.InnerJoin: plan.Inner, parser.CrossJoin: plan.Inner, parser.LeftJoin: plan.Left, parser.RightJoin: plan.Right,
	parser.FullJoin: plan.Full, parser.SemiJoin: plan.Semi, parser.AntiJoin: plan.Anti,
}

// bindPair binds how two tables are joined: ON, USING or NATURAL.
func (b *binder) bindPair(ref *parser.Join, j join, left, right *scope) (node, *scope, error) {
	if name, twice := sharedName(left, right); twice {
		return nil, nil, b.at(ref.R).error("FROM has two tables called '"+name+"'", "give one of them another name, such as "+name+"2")
	}
	j.kind, j.at, j.on = joinKinds[ref.Kind], b.at(ref.KindPos), expr.NewBool(true)
	shared, err := b.sharedColumns(ref, left, right)
	if err != nil {
		return nil, nil, err
	}
	both := left.beside(right, append(append([]column{}, left.cols...), right.cols...))
	if ref.On != nil {
		queries := b.newSubqueries(subqueryValues)
		if j.on, err = (exprs{binder: b, scope: both.in("ON"), subqueries: queries}).condition(ref.On); err != nil {
			return nil, nil, err
		}
		if len(queries.list) > 0 {
			joined, err := queries.joinOn(j)
			if err != nil {
				return nil, nil, err
			}
			if givesRight(j.kind) {
				both.cols = named(joined.columns(), both.cols)
				return joined, both, nil
			}
			return joined, left, nil
		}
	}
	if len(shared) > 0 {
		if j.on, err = b.equal(shared, both.cols); err != nil {
			return nil, nil, err
		}
	}
	joined := newJoin(j)
	if !joined.givesRight() {
		return joined, left, nil
	}
	both.cols = named(joined.cols, both.cols)
	return b.mergeShared(joined, both, shared)
}

// sharedName is a name that a table of each side has.
func sharedName(left, right *scope) (string, bool) {
	for _, name := range right.tableNames() {
		if _, taken := left.table(name); taken {
			return name, true
		}
	}
	return "", false
}

// named are columns of a join by the names that FROM gives those of its sides; what comes behind them keeps its own.
func named(cols, given []column) []column {
	cols = slices.Clone(cols)
	for i := range given {
		cols[i].name = given[i].name
	}
	return cols
}
