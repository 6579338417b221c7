package planner

import (
	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// joinUnnest binds a join with UNNEST(…), whose arrays may be columns of the tables to its left.
func (b *binder) joinUnnest(left node, names *scope, ref *parser.Join, u *parser.Unnest) (node, *scope, error) {
	kind := joinKinds[ref.Kind]
	if kind != plan.Inner && kind != plan.Left || ref.Natural || len(ref.Using) > 0 {
		return nil, nil, b.errorf(ref.KindPos, "UNNEST is joined by a comma, CROSS JOIN, or [LEFT] JOIN … ON")
	}
	in, both, err := b.bindUnnest(left, names, u, kind == plan.Left)
	if err != nil || ref.On == nil {
		return in, both, err
	}
	on, err := exprs{binder: b, scope: both.in("ON")}.condition(ref.On)
	switch {
	case err != nil:
		return nil, nil, err
	case isTrue(on):
		return in, both, nil
	case kind == plan.Left:
		return nil, nil, b.at(ref.On).error("a LEFT JOIN with UNNEST takes ON TRUE", "put conditions on the elements into WHERE")
	}
	return &filter{in, on}, both, nil
}

// bindUnnest binds UNNEST(…) over arrays of the rows to its left.
func (b *binder) bindUnnest(left node, names *scope, ref *parser.Unnest, outer bool) (node, *scope, error) {
	u := unnest{input: left, ordinality: ref.Ordinality, outer: outer, at: b.at(ref)}
	for _, x := range ref.Exprs {
		array, err := b.scalar(names.in("UNNEST"), x)
		if err != nil {
			return nil, nil, err
		}
		if elementColumns(array.Type()) == nil {
			return nil, nil, b.errorf(x, "UNNEST takes an ARRAY or a MAP, got %s", expr.TypeName(array.Type()))
		}
		u.arrays = append(u.arrays, array)
	}
	cols := u.elements()
	for i := range cols {
		if cols[i].name == "" {
			cols[i].name = unnestName(ref, i)
		}
	}
	elements, err := b.alias(scopeOf("", cols), ref.Alias)
	if err != nil {
		return nil, nil, err
	}
	if name, twice := sharedName(names, elements); twice {
		return nil, nil, b.errorf(ref.Alias, "FROM has two tables called '%s'", name)
	}
	for _, c := range elements.cols {
		u.names = append(u.names, c.name)
	}
	in := newUnnest(u)
	return in, names.beside(elements, named(in.cols, names.cols)), nil
}

// unnestName is the name of a column of elements that have none: that of the alias, as in UNNEST(tags) AS tag.
func unnestName(ref *parser.Unnest, i int) string {
	if ref.Alias != nil && i == 0 {
		return ref.Alias.Name.Name
	}
	return numbered("element", i)
}
