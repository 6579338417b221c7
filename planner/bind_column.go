package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// bindColumn finds a column, or what an alias of the select list stands for.
func (e exprs) bindColumn(x *parser.ColumnRef) (expr.Expr, error) {
	if e.match != nil {
		return e.bindMatchColumn(x)
	}
	found, err := e.reference(e.scope, x)
	if err == nil {
		return found, nil
	}
	name := x.Name.Parts[0].Name
	meant, isAlias := e.aliases[strings.ToLower(name)]
	if !isAlias || len(x.Name.Parts) > 1 || len(e.scope.find(name, e.scope.visible)) > 0 {
		return nil, err
	}
	if meant == nil {
		return nil, e.errorf(x, "'%s' is ambiguous: the select list has it twice", name)
	}
	if e.scope.clause == "WHERE" {
		return nil, e.at(x).error(fmt.Sprintf("'%s' is a name of the select list, which WHERE comes before", name),
			"write the expression itself, or select from a query in brackets")
	}
	e.aliases = nil
	return e.bind(meant)
}

// meant is what GROUP BY groups by where it says x: that is what the select list has under this name, if no column has it.
func (e exprs) meant(x parser.Expr) parser.Expr {
	ref, ok := x.(*parser.ColumnRef)
	if !ok || len(ref.Name.Parts) > 1 || len(e.scope.find(ref.Name.Parts[0].Name, e.scope.visible)) > 0 {
		return x
	}
	if named := e.aliases[strings.ToLower(ref.Name.Parts[0].Name)]; named != nil {
		return named
	}
	return x
}

// reference binds a name: a column of the scope or else of a scope around it, and the fields behind it. What is wrong is told of
// the scope itself.
func (e exprs) reference(s *scope, ref *parser.ColumnRef) (expr.Expr, error) {
	i, fields, err := e.resolve(s, ref)
	if err != nil {
		return e.outerReference(s, ref, err)
	}
	return e.fields(e.column(s, i, ref.Span), ref, fields)
}

// outerReference looks for a name in the scope around one that does not know it.
func (e exprs) outerReference(s *scope, ref *parser.ColumnRef, unknown error) (expr.Expr, error) {
	if s.outer == nil || s.knows(ref.Name.Parts[0].Name) {
		return nil, unknown
	}
	found, err := e.reference(s.outer, ref)
	if err != nil {
		return nil, unknown
	}
	return rewriteColumns(found, func(c *expr.Column) expr.Expr {
		up := outerRef(c)
		e.spans[up] = ref.Span
		return up
	}), nil
}

// resolve finds the column a name begins with: column or table.column; what stands behind are fields of a row.
func (b *binder) resolve(s *scope, ref *parser.ColumnRef) (column int, fields []parser.Ident, err error) {
	parts, among := ref.Name.Parts, s.visible
	if len(parts) > 1 {
		t, ok := s.table(parts[0].Name)
		isColumn := len(s.find(parts[0].Name, s.visible)) > 0
		switch {
		case ok && (!isColumn || len(s.find(parts[1].Name, t.columns())) > 0):
			parts, among = parts[1:], t.columns()
		case !isColumn:
			return 0, nil, b.unknownTable(s, ref)
		}
	}
	found := s.find(parts[0].Name, among)
	switch len(found) {
	case 0:
		return 0, nil, b.unknownColumn(s, ref, parts[0], among)
	case 1:
		return found[0], parts[1:], nil
	}
	return 0, nil, b.ambiguous(s, ref, found)
}

// plainColumn finds the column of a name that must be one of the scope itself, as a whole.
func (b *binder) plainColumn(s *scope, ref *parser.ColumnRef) (int, error) {
	i, fields, err := b.resolve(s, ref)
	if err == nil && len(fields) > 0 {
		err = b.errorf(ref, "the field of a row cannot stand here; select it as a column in a query in brackets")
	}
	return i, err
}

func (b *binder) unknownTable(s *scope, ref *parser.ColumnRef) error {
	first := ref.Name.Parts[0]
	hint := suggest.Hint(first.Name, s.tableNames())
	if hint == "" {
		hint = "tables here: " + strings.Join(s.tableNames(), ", ")
	}
	return b.at(first).error(fmt.Sprintf("unknown table '%s' in FROM", first.Name), hint)
}

// shownColumns is how many columns a message lists.
const shownColumns = 12

func (b *binder) unknownColumn(s *scope, ref *parser.ColumnRef, name parser.Ident, among []int) error {
	msg := fmt.Sprintf("unknown column '%s'", name.Name)
	var names []string
	for _, i := range among {
		names = append(names, s.cols[i].name)
	}
	if hint := suggest.Hint(name.Name, names); hint != "" {
		return b.at(ref).error(msg, hint)
	}
	var hints []string
	switch {
	case name.Quoted && strings.HasPrefix(name.Slice(b.script.Text), `"`):
		hints = append(hints, "double quotes are for names; a text is written '"+strings.ReplaceAll(name.Name, "'", "''")+"'")
	case slices.Contains([]string{"window_start", "window_end", "window_time"}, strings.ToLower(name.Name)):
		hints = append(hints, "windows come from a table function: FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE))")
	}
	switch {
	case len(names) == 0 && s.clause == "a computed column":
		hints = append(hints, "a computed column can use the columns before it")
	case len(names) == 0:
		hints = append(hints, "there is no FROM with columns to choose from")
	default:
		more := ""
		if len(names) > shownColumns {
			names, more = names[:shownColumns], ", …"
		}
		hints = append(hints, "columns here: "+strings.Join(names, ", ")+more)
	}
	return b.at(ref).error(msg, hints...)
}

func (b *binder) ambiguous(s *scope, ref *parser.ColumnRef, found []int) error {
	name := ref.Name.Last().Name
	var owners []string
	for _, i := range found {
		owners = append(owners, s.owner(i).name+"."+s.cols[i].name)
	}
	hint := "it could be " + strings.Join(owners, " or ")
	if owners[0] == owners[1] {
		hint = "the table has it more than once; give them names by selecting them in a query in brackets"
	}
	return b.at(ref).error(fmt.Sprintf("column '%s' is ambiguous", name), hint)
}
