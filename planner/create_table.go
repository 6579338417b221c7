package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
)

// CreateTable checks a CREATE TABLE and returns the table it describes. It does not put it into the catalog.
func (p *Planner) CreateTable(tree *parser.CreateTable, script catalog.Script) (*catalog.Table, error) {
	b := p.newBinder(script)
	if err := b.refuseTable(tree); err != nil {
		return nil, err
	}
	name, err := b.objectName(tree.Name)
	if err != nil {
		return nil, err
	}
	d := &tableDefinition{binder: b, tree: tree, table: &catalog.Table{Name: name, Temporary: tree.Temporary, DDL: tree}}
	for _, step := range []func() error{d.columns, d.primaryKey, d.computed, d.watermark, d.physical} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d.table, nil
}

// refuseTable refuses the forms of CREATE TABLE that make no table yet.
func (b *binder) refuseTable(t *parser.CreateTable) error {
	switch {
	case t.Like != nil:
		return b.notYet(t.Like, "CREATE TABLE … LIKE")
	case t.As != nil:
		return b.notYet(t.As, "CREATE TABLE … AS")
	case t.External != nil:
		return b.notYet(t.External, "CREATE EXTERNAL TABLE")
	case len(t.PartitionedBy) > 0:
		return b.notYet(t.PartitionedBy[0], "PARTITIONED BY")
	case len(t.Unique) > 0:
		return b.notYet(t.Unique[0], "UNIQUE")
	case len(t.Columns) == 0:
		return b.errorf(t.Name, "table %s needs columns", t.Name)
	}
	return nil
}

// tableDefinition is a table while it is made.
type tableDefinition struct {
	*binder
	tree  *parser.CreateTable
	table *catalog.Table
	// fields are the physical columns, values what each column bound so far is over them; nil for one that is not bound yet.
	fields []arrow.Field
	values []expr.Expr
}

// columns adds all columns, with the types of the physical ones.
func (d *tableDefinition) columns() error {
	seen := map[string]bool{}
	for _, c := range d.tree.Columns {
		if seen[c.Name.Name] {
			return d.errorf(c.Name, "column '%s' is there twice", c.Name.Name)
		}
		seen[c.Name.Name] = true
		switch {
		case c.Metadata != nil:
			return d.notYet(c.Metadata, "a metadata column")
		case c.Default != nil:
			return d.notYet(c.Default, "DEFAULT")
		case c.Computed != nil:
			d.add(catalog.Column{Name: c.Name.Name, Nullable: true, Physical: -1}, nil)
			continue
		}
		t, err := d.typeOf(c.Type)
		if err != nil {
			return err
		}
		col := catalog.Column{Name: c.Name.Name, Type: t, Nullable: !c.Type.NotNull, Physical: len(d.fields)}
		d.add(col, &expr.Column{Index: col.Physical, Name: col.Name, T: t, Null: col.Nullable})
		d.fields = append(d.fields, arrow.Field{Name: col.Name, Type: t, Nullable: col.Nullable})
	}
	return nil
}

func (d *tableDefinition) add(c catalog.Column, value expr.Expr) {
	d.table.Columns = append(d.table.Columns, c)
	d.values = append(d.values, value)
}

// primaryKey makes the columns of the key NOT NULL.
func (d *tableDefinition) primaryKey() error {
	key := d.tree.PrimaryKey
	if key == nil {
		return nil
	}
	if !key.NotEnforced {
		return d.at(key).error("a primary key is not checked, so it must be declared NOT ENFORCED", "write PRIMARY KEY (…) NOT ENFORCED")
	}
	for _, id := range key.Columns {
		i, err := d.find(id, "PRIMARY KEY")
		if err != nil {
			return err
		}
		col := &d.table.Columns[i]
		if col.Physical < 0 {
			return d.errorf(id, "PRIMARY KEY takes physical columns, and '%s' is computed", col.Name)
		}
		col.Nullable = false
		d.fields[col.Physical].Nullable = false
		d.values[i] = &expr.Column{Index: col.Physical, Name: col.Name, T: col.Type}
		d.table.PrimaryKey = append(d.table.PrimaryKey, i)
	}
	return nil
}

// find is the position of a column named in a clause.
func (d *tableDefinition) find(id parser.Ident, clause string) (int, error) {
	var names []string
	for i, c := range d.table.Columns {
		if c.Name == id.Name {
			return i, nil
		}
		names = append(names, c.Name)
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, id.Name) }); i >= 0 {
		return i, nil
	}
	return 0, d.at(id).error(fmt.Sprintf("%s names the column '%s', which the table does not have", clause, id.Name), suggest.Hint(id.Name, names))
}

// computed binds the computed columns in order: each may use the physical columns and the computed ones before it.
func (d *tableDefinition) computed() error {
	for i, c := range d.tree.Columns {
		if c.Computed == nil {
			continue
		}
		x, err := d.over(d.scope("a computed column"), c.Computed)
		if err != nil {
			return err
		}
		if x.Type().ID() == arrow.NULL {
			return d.errorf(c.Computed, "'%s' is always NULL and has no type; CAST it", c.Name.Name)
		}
		col := &d.table.Columns[i]
		col.Type, col.Nullable, col.Computed = x.Type(), x.Nullable(), x
		d.values[i] = x
	}
	return nil
}

// scope has the columns that are bound.
func (d *tableDefinition) scope(clause string) *scope {
	var cols []column
	for i, c := range d.table.Columns {
		if d.values[i] != nil {
			cols = append(cols, column{name: c.Name, typ: c.Type, nullable: c.Nullable})
		}
	}
	return scopeOf(d.table.Name, cols).in(clause)
}

// over binds an expression and puts it over the physical columns.
func (d *tableDefinition) over(s *scope, x parser.Expr) (expr.Expr, error) {
	bound, err := d.scalar(s, x)
	if err != nil {
		return nil, err
	}
	known := slices.DeleteFunc(slices.Clone(d.values), func(v expr.Expr) bool { return v == nil })
	return substitute(bound, known), nil
}

// watermark binds WATERMARK FOR.
func (d *tableDefinition) watermark() error {
	w := d.tree.Watermark
	if w == nil {
		return nil
	}
	if len(w.Column.Parts) > 1 {
		return d.notYet(w.Column, "a watermark for the field of a row")
	}
	i, err := d.find(w.Column.Parts[0], "WATERMARK")
	if err != nil {
		return err
	}
	col := d.table.Columns[i]
	if t := col.Type; !arrow.TypeEqual(t, expr.Timestamp(3)) && !arrow.TypeEqual(t, expr.TimestampLTZ(3)) {
		return d.at(w.Column).error(fmt.Sprintf("WATERMARK takes a TIMESTAMP(3) or TIMESTAMP_LTZ(3), and '%s' is %s", col.Name, expr.TypeName(t)),
			watermarkHint(col))
	}
	x, err := d.scalar(d.scope("WATERMARK"), w.X)
	if err != nil {
		return err
	}
	if x.Type().ID() != arrow.TIMESTAMP {
		return d.errorf(w.X, "the watermark must be a %s like its column, got %s", expr.TypeName(col.Type), expr.TypeName(x.Type()))
	}
	if x, err = expr.Coerce(x, col.Type, d.settings.Expr); err != nil {
		return d.errorf(w.X, "%s", err)
	}
	d.table.Watermark = &catalog.Watermark{Column: i, Expr: x}
	return nil
}

// watermarkHint tells how to get an event time from a column of another type.
func watermarkHint(c catalog.Column) string {
	switch c.Type.ID() {
	case arrow.TIMESTAMP:
		return "declare it as TIMESTAMP(3)"
	case arrow.INT64:
		return fmt.Sprintf("if it counts milliseconds since 1970, add the column ts AS TO_TIMESTAMP_LTZ(%s, 3)", c.Name)
	case arrow.STRING:
		return fmt.Sprintf("add the column ts AS CAST(%s AS TIMESTAMP(3))", c.Name)
	}
	return ""
}

// physical makes the table its connector sees, and has the connector check it.
func (d *tableDefinition) physical() error {
	t := connector.Table{Name: d.table.Name, Schema: arrow.NewSchema(d.fields, nil), Options: map[string]string{}, Dir: d.settings.Dir}
	for _, i := range d.table.PrimaryKey {
		t.PrimaryKey = append(t.PrimaryKey, d.table.Columns[i].Name)
	}
	for _, p := range d.tree.With {
		key := strings.ToLower(p.Key.Value)
		if _, twice := t.Options[key]; twice {
			return d.errorf(p.Key, "option '%s' is there twice", key)
		}
		t.Options[key] = p.Value.Value
	}
	if err := connector.Check(t); err != nil {
		return d.optionError(err)
	}
	policy, err := connector.OnError(t.Options)
	if err != nil {
		return d.optionError(err)
	}
	d.table.Physical, d.table.OnError = t, policy
	return nil
}

// optionError places what a connector says at the option it speaks of.
func (d *tableDefinition) optionError(err error) error {
	msg, hint, _ := strings.Cut(err.Error(), "; ")
	for _, p := range d.tree.With {
		if strings.Contains(msg, "'"+strings.ToLower(p.Key.Value)+"'") {
			return d.at(p).error(msg, hint)
		}
	}
	for _, p := range d.tree.With {
		if strings.EqualFold(p.Key.Value, connector.Key) {
			return d.at(p).error(msg, hint)
		}
	}
	return d.at(d.tree.Name).error(msg, hint)
}
