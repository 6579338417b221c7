package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/parser"
)

// mostSets is how many grouping sets a query may have: each is an aggregation of its own.
const mostSets = 64

// groupSets are sets of keys, by their positions.
type groupSets [][]int

// bindElements binds GROUP BY. Its elements are combined: each set of one with each set of the others.
func (g *grouping) bindElements(elements []parser.Group) error {
	sets := groupSets{nil}
	for _, e := range elements {
		own, err := g.bindElement(e)
		if err != nil {
			return err
		}
		if sets = sets.times(own); len(sets) > mostSets {
			return g.errorf(e, "these are %d grouping sets, and a query can have %d", len(sets), mostSets)
		}
		g.several = g.several || e.Kind == parser.GroupSets || e.Kind == parser.GroupRollup || e.Kind == parser.GroupCube
	}
	if g.several {
		g.sets = sets
	}
	return nil
}

// bindElement binds one element: the sets that it stands for.
func (g *grouping) bindElement(e parser.Group) (groupSets, error) {
	if e.Kind == parser.GroupExpr || e.Kind == parser.GroupList {
		keys, err := g.bindKeys(e.Exprs)
		return groupSets{keys}, err
	}
	var parts []groupSets
	for _, elem := range e.Elems {
		sets, err := g.bindElement(elem)
		if err != nil {
			return nil, err
		}
		parts = append(parts, sets)
	}
	switch e.Kind {
	case parser.GroupRollup:
		return rollup(parts), nil
	case parser.GroupCube:
		if len(parts) > 6 {
			return nil, g.errorf(e, "CUBE of %d elements makes %d grouping sets, and a query can have %d", len(parts), 1<<len(parts), mostSets)
		}
		return cube(parts), nil
	}
	return slices.Concat(parts...), nil
}

// times combines each set with each of others.
func (s groupSets) times(others groupSets) groupSets {
	var all groupSets
	for _, a := range s {
		for _, b := range others {
			all = append(all, together(a, b))
		}
	}
	return all
}

// together is a set of the keys of both, each once.
func together(a, b []int) []int {
	both := slices.Clone(a)
	for _, k := range b {
		if !slices.Contains(both, k) {
			both = append(both, k)
		}
	}
	return both
}

// rollup is all elements, all but the last, and so on to none.
func rollup(parts []groupSets) groupSets {
	var all groupSets
	for n := len(parts); n >= 0; n-- {
		sets := groupSets{nil}
		for _, p := range parts[:n] {
			sets = sets.times(p)
		}
		all = append(all, sets...)
	}
	return all
}

// cube is every choice of elements, all of them first.
func cube(parts []groupSets) groupSets {
	if len(parts) == 0 {
		return groupSets{nil}
	}
	rest := cube(parts[1:])
	return append(parts[0].times(rest), rest...)
}

// bindGrouping binds GROUPING(a, b): for each argument a bit that is 1 in groups that are not by it, the last one's the lowest.
func (e exprs) bindGrouping(x *parser.Call) (expr.Expr, error) {
	g := e.group
	if g == nil || !g.active {
		return nil, e.errorf(x, "%s belongs to a query with GROUP BY", x.Name)
	}
	if len(x.Args) == 0 || len(x.Args) > 62 {
		return nil, e.errorf(x, "%s takes keys of GROUP BY", x.Name)
	}
	var keys []int
	for _, a := range x.Args {
		key, err := e.bind(a.X)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(g.keys, func(k expr.Expr) bool { return expr.Equal(k, key) })
		if at < 0 {
			return nil, e.at(a.X).error(fmt.Sprintf("%s takes keys of GROUP BY, and this is none", x.Name), "keys here: "+strings.Join(g.keyNames(), ", "))
		}
		keys = append(keys, at)
	}
	return g.groupingBits(keys)
}

// keyNames are the keys as messages call them.
func (g *grouping) keyNames() []string {
	names := make([]string, len(g.keys))
	for i, k := range g.keys {
		names[i] = exprText(k)
	}
	return names
}

// groupingBits chooses the number by the set that a group is of.
func (g *grouping) groupingBits(keys []int) (expr.Expr, error) {
	if g.sets == nil {
		return expr.NewBigInt(0), nil
	}
	set := &expr.Column{Index: groupingSet, Name: "grouping set", T: expr.BigInt}
	var whens []expr.When
	for i, s := range g.sets {
		bits := int64(0)
		for _, k := range keys {
			bits <<= 1
			if !slices.Contains(s, k) {
				bits++
			}
		}
		is, err := expr.NewCall("=", []expr.Expr{set, expr.NewBigInt(int64(i))}, g.settings.Expr)
		if err != nil {
			return nil, err
		}
		whens = append(whens, expr.When{Cond: is, Then: expr.NewBigInt(bits)})
	}
	return expr.NewCase(nil, whens[:len(whens)-1], whens[len(whens)-1].Then, g.settings.Expr)
}
