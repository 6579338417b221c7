package planner

import (
	"errors"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// bindFrom binds FROM: its rows, and what their columns are called. Without FROM there is one row without columns.
func (b *binder) bindFrom(refs []parser.TableRef) (node, *scope, error) {
	if len(refs) == 0 {
		return oneRow(), &scope{outer: b.outer}, nil
	}
	in, names, err := b.bindTableRef(refs[0])
	for _, ref := range refs[1:] {
		if err != nil {
			return nil, nil, err
		}
		in, names, err = b.bindComma(in, names, ref)
	}
	return in, names, err
}

// oneRow is one row without columns.
func oneRow() node { return &values{rows: [][]expr.Expr{nil}} }

// bindTableRef binds one source of rows that does not depend on others beside it.
func (b *binder) bindTableRef(ref parser.TableRef) (in node, names *scope, err error) {
	switch ref := ref.(type) {
	case *parser.Table:
		in, names, err = b.bindTable(ref)
	case *parser.Derived:
		in, names, err = b.bindDerived(ref)
	case *parser.TableFunc:
		in, names, err = b.bindTableFunc(ref)
	case *parser.Join:
		in, names, err = b.bindJoin(ref)
	case *parser.Unnest:
		in, names, err = b.bindUnnest(oneRow(), &scope{outer: b.outer}, ref, false)
	case *parser.PathTable:
		in, names, err = b.bindPath(ref)
	}
	if err == nil {
		names.outer = b.outer
	}
	return in, names, err
}

func (b *binder) bindTable(ref *parser.Table) (node, *scope, error) {
	if ref.AsOf != nil {
		return nil, nil, b.at(ref.AsOf).error("FOR SYSTEM_TIME AS OF takes a version of a table for each row of another, and there is none to its left",
			"write FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.currency = r.currency")
	}
	return b.bindVersions(ref)
}

// bindVersions binds a table, with whatever versions of its rows it has.
func (b *binder) bindVersions(ref *parser.Table) (node, *scope, error) {
	in, source, err := b.relation(ref.Name, ref.Hints)
	if err != nil {
		return nil, nil, err
	}
	names := scopeOfTable(ref.Name.Last().Name, in, source)
	if ref.Match != nil {
		return b.bindMatch(in, names, ref.Match)
	}
	names, err = b.alias(names, ref.Alias)
	return in, names, err
}

// relation is the rows of a table, a view or a query of WITH. The table is nil unless it is one.
func (b *binder) relation(name parser.Name, hints []parser.Hint) (node, *catalog.Table, error) {
	if b.namesFile(name) {
		return nil, nil, b.fileError(name)
	}
	last, err := b.objectName(name)
	if err != nil {
		return nil, nil, err
	}
	if c := b.tables[strings.ToLower(last)]; c != nil && len(name.Parts) == 1 {
		if len(hints) > 0 {
			return nil, nil, b.errorf(hints[0], "a hint of options belongs behind a table, and '%s' is none", last)
		}
		in, err := b.bindCTE(c)
		return in, nil, err
	}
	object, err := b.catalog.Relation(last)
	if err != nil {
		if hint := suggest.Hint(last, b.commonNames()); hint != "" {
			return nil, nil, b.at(name).error(err.Error(), hint)
		}
		return nil, nil, b.missing(name, err)
	}
	b.reads[strings.ToLower(last)] = object.ObjectName()
	if _, isTable := object.(*catalog.Table); !isTable && len(hints) > 0 {
		return nil, nil, b.errorf(hints[0], "a hint of options belongs behind a table, and '%s' is none", object.ObjectName())
	}
	switch object := object.(type) {
	case *catalog.Table:
		table, err := b.hinted(object, hints)
		if err != nil {
			return nil, nil, err
		}
		in, err := b.newScan(table, name)
		return in, table, err
	case *catalog.View:
		in, err := b.bindView(object, name)
		return in, nil, err
	}
	return nil, nil, b.errorf(name, "'%s' is no table", last)
}

// commonNames are the names that WITH gives.
func (b *binder) commonNames() []string {
	var names []string
	for _, c := range b.tables {
		names = append(names, c.tree.Name.Name)
	}
	slices.Sort(names)
	return names
}

// objectName is the name of an object without catalog and database.
func (b *binder) objectName(name parser.Name) (string, error) {
	parts := name.Parts
	last := len(parts) - 1
	if last >= 1 && !strings.EqualFold(parts[last-1].Name, catalog.DefaultDatabase) {
		return "", b.errorf(parts[last-1], "unknown database '%s'; the only one is %s", parts[last-1].Name, catalog.DefaultDatabase)
	}
	if last >= 2 && !strings.EqualFold(parts[last-2].Name, catalog.DefaultCatalog) || last > 2 {
		return "", b.errorf(parts[0], "unknown catalog '%s'; the only one is %s", parts[0].Name, catalog.DefaultCatalog)
	}
	return parts[last].Name, nil
}

// bindCTE binds a query of WITH where it is used.
func (b *binder) bindCTE(c *cte) (node, error) {
	in, err := b.inCTE(c).subquery(c.tree.Query)
	if err != nil {
		return nil, err
	}
	return b.rename(in, c.tree.Columns, c.tree.Name.Name)
}

// bindView expands a view.
func (b *binder) bindView(v *catalog.View, at parser.Node) (node, error) {
	for i, name := range b.views {
		if strings.EqualFold(name, v.Name) {
			cycle := append(append([]string{}, b.views[i:]...), v.Name)
			return nil, b.errorf(at, "view '%s' reads itself: %s", v.Name, strings.Join(cycle, " reads "))
		}
	}
	in, err := b.inView(v).subquery(v.Query)
	if err != nil {
		return nil, inViewError(v, err)
	}
	if len(v.Columns) > 0 {
		return renamed(in, v.Columns), nil
	}
	return in, nil
}

func (b *binder) bindDerived(ref *parser.Derived) (node, *scope, error) {
	in, err := b.subquery(ref.Query)
	if err != nil {
		return nil, nil, err
	}
	names := scopeOf("", in.columns())
	if ref.Match != nil {
		return b.bindMatch(in, names, ref.Match)
	}
	names, err = b.alias(names, ref.Alias)
	return in, names, err
}

// alias gives a table of FROM another name, and its columns if the alias lists them.
func (b *binder) alias(s *scope, a *parser.Alias) (*scope, error) {
	if a == nil {
		return s, nil
	}
	s.tables[0].name = a.Name.Name
	if len(a.Columns) == 0 {
		return s, nil
	}
	if len(a.Columns) != len(s.cols) {
		return nil, b.errorf(a, "'%s' has %s and gets %s", a.Name.Name, count(len(s.cols), "column"), count(len(a.Columns), "name"))
	}
	cols := make([]column, len(s.cols))
	for i, c := range s.cols {
		c.name = a.Columns[i].Name
		cols[i] = c
	}
	s.cols = cols
	return s, nil
}

// rename gives the columns of a query the listed names, if there are any.
func (b *binder) rename(in node, list []parser.Ident, of string) (node, error) {
	if len(list) == 0 {
		return in, nil
	}
	if len(list) != len(in.columns()) {
		return nil, b.errorf(list[0].To(list[len(list)-1].Span), "'%s' has %s and gets %s",
			of, count(len(in.columns()), "column"), count(len(list), "name"))
	}
	names := make([]string, len(list))
	for i, id := range list {
		names[i] = id.Name
	}
	return renamed(in, names), nil
}

func renamed(in node, names []string) node {
	exprs := make([]expr.Expr, len(names))
	for i, c := range in.columns() {
		exprs[i] = c.ref(i)
	}
	return newProject(in, exprs, names)
}

// inViewError says which view's text an error is about.
func inViewError(v *catalog.View, err error) error { return inObjectError("view", v.Name, err) }

// inObjectError says which object's text an error is about.
func inObjectError(kind, name string, err error) error {
	var placed *parser.Error
	if errors.As(err, &placed) {
		placed.Msg = "in " + kind + " '" + name + "': " + placed.Msg
	}
	return err
}
