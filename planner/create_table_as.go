package planner

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// CreateTableAs checks a CREATE TABLE … AS and returns the table it describes, with the columns of the query before those it lists, and
// the INSERT that fills it. It does not put the table into the catalog.
func (p *Planner) CreateTableAs(tree *parser.CreateTable, script catalog.Script) (*catalog.Table, *parser.Insert, error) {
	b := p.newBinder(script)
	bound, err := b.bindQuery(tree.As)
	if err != nil {
		return nil, nil, err
	}
	in, err := b.concrete(firstColumns(bound.root, bound.shown))
	if err != nil {
		return nil, nil, err
	}
	whole := *tree
	whole.As, whole.Columns = nil, nil
	insert := &parser.Insert{Span: tree.Span, Table: tree.Name, Query: tree.As}
	for _, c := range in.columns() {
		typ, err := typeTree(c.typ, !c.nullable)
		if err != nil {
			return nil, nil, b.errorf(tree.As, "column '%s' is %s, which no table can keep: %s", c.name, expr.TypeName(c.typ), err)
		}
		name := parser.Ident{Name: c.name}
		whole.Columns, insert.Columns = append(whole.Columns, parser.Column{Name: name, Type: typ}), append(insert.Columns, name)
	}
	whole.Columns = append(whole.Columns, tree.Columns...)
	t, err := p.createWritten(&whole)
	if err != nil {
		return nil, nil, b.replaced(tree, err)
	}
	return t, insert, nil
}

// typeTree is a type as it is written.
func typeTree(t arrow.DataType, notNull bool) (*parser.Type, error) {
	trees, err := parser.Parse("", "CREATE TABLE t (c "+expr.TypeName(t)+")")
	if err != nil {
		return nil, err
	}
	typ := trees[0].(*parser.CreateTable).Columns[0].Type
	typ.NotNull = notNull
	return typ, nil
}

// replaced places an error about a definition that was put together at the definition it was made of: at the option it speaks of, or
// at the name.
func (b *binder) replaced(tree *parser.CreateTable, err error) error {
	placed, ok := err.(*parser.Error)
	if !ok {
		return err
	}
	return b.optionError(tree.With, tree.Name, fmt.Errorf("%s", strings.Join(append([]string{placed.Msg}, placed.Hints...), "; ")))
}
