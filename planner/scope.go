package planner

import (
	"slices"
	"strings"

	"streamsql/catalog"
)

// scope is what the names of an expression can mean: the columns of the tables in FROM, in the order of the input's columns.
type scope struct {
	tables []scopeTable
	cols   []column
	// visible are the columns that can be named without their table, in the order * lists them. A column that USING makes of two is
	// there once.
	visible []int
	// clause is where the expression stands, for messages: "WHERE".
	clause string
	// outer is the scope of the expression that the query stands in; nil if it stands in none.
	outer *scope
}

// scopeTable is a table of FROM, by its alias if it has one. Its columns are [lo, hi).
type scopeTable struct {
	name   string
	lo, hi int
	source *catalog.Table // nil if it is not a table of the catalog
}

// scopeOf is the scope of one table.
func scopeOf(name string, cols []column) *scope {
	return &scope{tables: []scopeTable{{name: name, hi: len(cols)}}, cols: cols, visible: firstN(len(cols))}
}

// in is the scope with another clause.
func (s *scope) in(clause string) *scope {
	c := *s
	c.clause = clause
	return &c
}

// beside is the scope of two tables next to each other, whose columns are cols.
func (s *scope) beside(right *scope, cols []column) *scope {
	shift := len(s.cols)
	both := &scope{tables: slices.Clone(s.tables), cols: cols, visible: slices.Clone(s.visible), clause: s.clause, outer: s.outer}
	for _, t := range right.tables {
		t.lo, t.hi = t.lo+shift, t.hi+shift
		both.tables = append(both.tables, t)
	}
	for _, v := range right.visible {
		both.visible = append(both.visible, v+shift)
	}
	return both
}

// table finds a table of FROM.
func (s *scope) table(name string) (scopeTable, bool) {
	for _, t := range s.tables {
		if strings.EqualFold(t.name, name) {
			return t, true
		}
	}
	return scopeTable{}, false
}

// knows tells whether a table or a column has the name.
func (s *scope) knows(name string) bool {
	_, isTable := s.table(name)
	return isTable || len(s.find(name, s.visible)) > 0
}

// tableNames lists the tables of FROM.
func (s *scope) tableNames() []string {
	var names []string
	for _, t := range s.tables {
		if t.name != "" {
			names = append(names, t.name)
		}
	}
	return names
}

// owner is the table of a column.
func (s *scope) owner(column int) scopeTable {
	for _, t := range s.tables {
		if t.lo <= column && column < t.hi {
			return t
		}
	}
	return scopeTable{}
}

// columns lists the columns of a table.
func (t scopeTable) columns() []int {
	list := make([]int, 0, t.hi-t.lo)
	for i := t.lo; i < t.hi; i++ {
		list = append(list, i)
	}
	return list
}

// find returns the columns among those listed that have the name: those spelled so, or else those that differ in the case of
// letters.
func (s *scope) find(name string, among []int) []int {
	var exact, folded []int
	for _, i := range among {
		switch {
		case s.cols[i].name == name:
			exact = append(exact, i)
		case strings.EqualFold(s.cols[i].name, name):
			folded = append(folded, i)
		}
	}
	if exact != nil {
		return exact
	}
	return folded
}
