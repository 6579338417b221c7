package planner

import (
	"fmt"
	"strings"

	"streamsql/catalog"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// scope is what the names of an expression can mean: the columns of the tables in FROM, in the order of the input's columns.
// Columns behind those of the last table have no name.
type scope struct {
	tables []scopeTable
	cols   []column
	// clause is where the expression stands, for messages: "WHERE".
	clause string
}

// scopeTable is a table of FROM, by its alias if it has one. Its columns are [lo, hi).
type scopeTable struct {
	name   string
	lo, hi int
	source *catalog.Table // nil if it is not a table of the catalog
}

// scopeOf is the scope of one table.
func scopeOf(name string, cols []column) *scope {
	return &scope{tables: []scopeTable{{name: name, hi: len(cols)}}, cols: cols}
}

// in is the scope with another clause.
func (s *scope) in(clause string) *scope {
	c := *s
	c.clause = clause
	return &c
}

// named tells how many columns have names.
func (s *scope) named() int {
	if len(s.tables) == 0 {
		return 0
	}
	return s.tables[len(s.tables)-1].hi
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

// find returns the columns of [lo, hi) with the name: those spelled so, or else those that differ in the case of letters.
func (s *scope) find(name string, lo, hi int) []int {
	var exact, folded []int
	for i := lo; i < hi; i++ {
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

// owner is the table of a column.
func (s *scope) owner(column int) scopeTable {
	for _, t := range s.tables {
		if t.lo <= column && column < t.hi {
			return t
		}
	}
	return scopeTable{}
}

// resolve finds the column of a name: column, or table.column.
func (b *binder) resolve(s *scope, ref *parser.ColumnRef) (int, error) {
	parts := ref.Name.Parts
	lo, hi := 0, s.named()
	if len(parts) > 1 {
		t, ok := s.table(parts[0].Name)
		if !ok {
			return 0, b.unknownTable(s, ref)
		}
		lo, hi, parts = t.lo, t.hi, parts[1:]
	}
	if len(parts) > 1 {
		return 0, b.notYet(ref, "access to the field of a row")
	}
	found := s.find(parts[0].Name, lo, hi)
	switch len(found) {
	case 0:
		return 0, b.unknownColumn(s, ref, lo, hi)
	case 1:
		return found[0], nil
	}
	return 0, b.ambiguous(s, ref, found)
}

func (b *binder) unknownTable(s *scope, ref *parser.ColumnRef) error {
	first := ref.Name.Parts[0]
	if len(s.find(first.Name, 0, s.named())) > 0 {
		return b.errorf(ref, "column '%s' is not a row and has no fields", first.Name)
	}
	hint := suggest.Hint(first.Name, s.tableNames())
	if hint == "" {
		hint = "tables here: " + strings.Join(s.tableNames(), ", ")
	}
	return b.at(first).error(fmt.Sprintf("unknown table '%s' in FROM", first.Name), hint)
}

// shownColumns is how many columns a message lists.
const shownColumns = 12

func (b *binder) unknownColumn(s *scope, ref *parser.ColumnRef, lo, hi int) error {
	name := ref.Name.Last().Name
	msg := fmt.Sprintf("unknown column '%s'", name)
	if lo == hi {
		return b.at(ref).error(msg, "there is no FROM with columns to choose from")
	}
	var names []string
	for _, c := range s.cols[lo:hi] {
		names = append(names, c.name)
	}
	hint := suggest.Hint(name, names)
	if hint == "" {
		hint = "columns here: " + strings.Join(names[:min(len(names), shownColumns)], ", ")
		if len(names) > shownColumns {
			hint += ", …"
		}
	}
	return b.at(ref).error(msg, hint)
}

func (b *binder) ambiguous(s *scope, ref *parser.ColumnRef, found []int) error {
	name := ref.Name.Last().Name
	var owners []string
	for _, i := range found {
		owners = append(owners, s.owner(i).name+"."+s.cols[i].name)
	}
	return b.at(ref).error(fmt.Sprintf("column '%s' is ambiguous", name), "it could be "+strings.Join(owners, " or "))
}
