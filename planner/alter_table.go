package planner

import (
	"maps"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
)

// AlterTable checks an ALTER TABLE and returns the table as it is now and as it is to be. It does not change the catalog.
func (p *Planner) AlterTable(tree *parser.AlterTable, script catalog.Script) (old, changed *catalog.Table, err error) {
	b := p.newBinder(script)
	name, err := b.objectName(tree.Name)
	if err != nil {
		return nil, nil, err
	}
	o, err := p.catalog.Relation(name)
	if err != nil {
		return nil, nil, b.missing(tree.Name, err)
	}
	old, ok := o.(*catalog.Table)
	if !ok {
		return nil, nil, b.errorf(tree.Name, "'%s' is a view, and ALTER TABLE changes tables", o.ObjectName())
	}
	definition := *old.DDL
	definition.IfNotExists, definition.External, definition.With = false, nil, optionsOf(old)
	switch {
	case tree.RenameTo != nil:
		if _, err := b.objectName(*tree.RenameTo); err != nil {
			return nil, nil, err
		}
		definition.Name = *tree.RenameTo
	case len(tree.Reset) > 0:
		if err := b.checkReset(old, tree.Reset); err != nil {
			return nil, nil, err
		}
	}
	definition.With = withChanges(definition.With, tree.Set, tree.Reset)
	if changed, err = p.createWritten(&definition); err != nil {
		at := parser.CreateTable{Name: tree.Name, With: tree.Set}
		return nil, nil, b.replaced(&at, err)
	}
	return old, changed, nil
}

// checkReset refuses to take away options that are not there.
func (b *binder) checkReset(t *catalog.Table, keys []parser.Text) error {
	for _, k := range keys {
		if _, given := t.Physical.Options[strings.ToLower(k.Value)]; !given {
			return b.errorf(k, "table '%s' does not set the option '%s'", t.Name, k.Value)
		}
	}
	return nil
}

// optionsOf are the options of a table as WITH writes them.
func optionsOf(t *catalog.Table) []parser.Property {
	if t.DDL.External == nil {
		return t.DDL.With
	}
	var options []parser.Property
	for _, k := range slices.Sorted(maps.Keys(t.Physical.Options)) {
		options = append(options, parser.Property{Key: parser.Text{Value: k}, Value: parser.Text{Value: t.Physical.Options[k]}})
	}
	return options
}
