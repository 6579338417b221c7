package planner

import (
	"maps"
	"slices"

	"streamsql/catalog"
	"streamsql/parser"
)

// CreateView checks a CREATE VIEW and returns the view it describes. It does not put it into the catalog.
func (p *Planner) CreateView(tree *parser.CreateView, script catalog.Script) (*catalog.View, error) {
	b := p.newBinder(script)
	name, err := b.objectName(tree.Name)
	if err != nil {
		return nil, err
	}
	b.views = []string{name}
	in, err := b.subquery(tree.Query)
	if err != nil {
		return nil, err
	}
	v := &catalog.View{Name: name, Temporary: tree.Temporary, Query: tree.Query, Script: script, DDL: tree}
	for _, c := range tree.Columns {
		v.Columns = append(v.Columns, c.Name.Name)
	}
	if n := len(v.Columns); n > 0 && n != len(in.columns()) {
		return nil, b.errorf(tree.Columns[0].To(tree.Columns[n-1].Span), "view '%s' has %s and gets %s",
			name, count(len(in.columns()), "column"), count(n, "name"))
	}
	v.Reads = slices.Sorted(maps.Values(b.reads))
	return v, nil
}

// ViewColumns describes the columns of a view, for DESCRIBE.
func (p *Planner) ViewColumns(v *catalog.View) ([]catalog.Column, error) {
	b := p.newBinder(v.Script)
	in, err := b.bindView(v, v.DDL)
	if err != nil {
		return nil, err
	}
	var cols []catalog.Column
	for _, c := range in.columns() {
		cols = append(cols, catalog.Column{Name: c.name, Type: c.typ, Nullable: c.nullable, Physical: -1})
	}
	return cols, nil
}
