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

// CreateTable checks a CREATE TABLE and returns the table it describes, whose definition does without the table that it is LIKE. It does
// not put it into the catalog.
func (p *Planner) CreateTable(tree *parser.CreateTable, script catalog.Script) (*catalog.Table, error) {
	b := p.newBinder(script)
	switch {
	case tree.As != nil:
		return nil, b.errorf(tree.As, "a table is not created by a query alone; its rows have to be inserted as well")
	case tree.Like != nil:
		whole, err := b.like(tree)
		if err != nil {
			return nil, err
		}
		t, err := p.createWritten(whole)
		if err != nil {
			return nil, b.excluded(tree, b.replaced(tree, err))
		}
		return t, nil
	}
	return b.createTable(tree)
}

// createWritten creates a table by a tree that no text belongs to.
func (p *Planner) createWritten(tree *parser.CreateTable) (*catalog.Table, error) {
	text := parser.Format(tree)
	trees, err := parser.Parse("", text)
	if err != nil {
		return nil, fmt.Errorf("planner: a statement that was put together cannot be read: %w\n%s", err, text)
	}
	return p.newBinder(catalog.Script{Text: text}).createTable(trees[0].(*parser.CreateTable))
}

// createTable binds a definition that is all there.
func (b *binder) createTable(tree *parser.CreateTable) (*catalog.Table, error) {
	name, err := b.objectName(tree.Name)
	if err != nil {
		return nil, err
	}
	if len(tree.Columns) == 0 {
		return nil, b.errorf(tree.Name, "table %s needs columns", tree.Name)
	}
	d := &tableDefinition{binder: b, tree: tree, with: tree.With, table: &catalog.Table{Name: name, Temporary: tree.Temporary, DDL: tree}}
	for _, step := range []func() error{d.external, d.columns, d.keys, d.partitions, d.computed, d.watermark, d.physical} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return d.table, nil
}

// tableDefinition is a table while it is made.
type tableDefinition struct {
	*binder
	tree  *parser.CreateTable
	table *catalog.Table
	with  []parser.Property
	// fields are the physical columns, values what each column bound so far is over them; nil for one that is not bound yet.
	fields []arrow.Field
	values []expr.Expr
}

// columns adds all columns, with the types of those that have one.
func (d *tableDefinition) columns() error {
	seen := map[string]bool{}
	for _, c := range d.tree.Columns {
		if seen[c.Name.Name] {
			return d.errorf(c.Name, "column '%s' is there twice", c.Name.Name)
		}
		seen[c.Name.Name] = true
		if err := d.column(c); err != nil {
			return err
		}
	}
	return nil
}

// column adds a column; a computed one is bound later.
func (d *tableDefinition) column(c parser.Column) error {
	col := catalog.Column{Name: c.Name.Name, Nullable: true, Physical: -1}
	if c.Computed != nil {
		d.add(col, nil)
		return nil
	}
	t, err := d.typeOf(c.Type)
	if err != nil {
		return err
	}
	col.Type, col.Nullable = t, !c.Type.NotNull
	if c.Metadata != nil {
		if col.Computed, err = d.metadata(c, t); err != nil {
			return err
		}
		d.add(col, col.Computed)
		return nil
	}
	if col.Default, err = d.defaultValue(c, t); err != nil {
		return err
	}
	col.Physical = len(d.fields)
	d.add(col, &expr.Column{Index: col.Physical, Name: col.Name, T: t, Null: col.Nullable})
	d.fields = append(d.fields, arrow.Field{Name: col.Name, Type: t, Nullable: col.Nullable})
	return nil
}

func (d *tableDefinition) add(c catalog.Column, value expr.Expr) {
	d.table.Columns = append(d.table.Columns, c)
	d.values = append(d.values, value)
}

// metadata asks the connector for something, and returns its value cast to the column's type: it will be behind the physical columns.
func (d *tableDefinition) metadata(c parser.Column, t arrow.DataType) (expr.Expr, error) {
	known, err := d.knownMetadata(c, t)
	if err != nil {
		return nil, err
	}
	physical := 0
	for _, o := range d.tree.Columns {
		if o.Computed == nil && o.Metadata == nil {
			physical++
		}
	}
	d.table.Metadata = append(d.table.Metadata, catalog.Metadata{Key: known.Key, Type: known.Type})
	var x expr.Expr = &expr.Column{Index: physical + len(d.table.Metadata) - 1, Name: c.Name.Name, T: known.Type, Null: !c.Type.NotNull}
	if !arrow.TypeEqual(known.Type, t) {
		x, err = expr.NewCast(x, t, false, d.settings.Expr)
	}
	if err != nil {
		return nil, d.errorf(c.Type, "the metadata '%s' is %s, which a column of %s cannot hold", known.Key, expr.TypeName(known.Type), expr.TypeName(t))
	}
	return x, nil
}

// knownMetadata is what the connector says of the key of a column. Nothing is said while there is no such connector, which is found out
// with the other options.
func (d *tableDefinition) knownMetadata(c parser.Column, t arrow.DataType) (connector.Metadata, error) {
	key, at := c.Name.Name, parser.Node(c.Name)
	if c.Metadata.Key != nil {
		key, at = c.Metadata.Key.Value, c.Metadata.Key
	}
	for _, p := range d.with {
		if !strings.EqualFold(p.Key.Value, connector.Key) {
			continue
		}
		con, err := connector.Lookup(p.Value.Value)
		if err != nil {
			break
		}
		m, err := con.FindMetadata(key)
		if err != nil {
			msg, hint, _ := strings.Cut(err.Error(), "; ")
			return m, d.at(at).error(msg, hint)
		}
		return m, nil
	}
	return connector.Metadata{Key: key, Type: t}, nil
}

// defaultValue binds DEFAULT, an expression without columns.
func (d *tableDefinition) defaultValue(c parser.Column, t arrow.DataType) (expr.Expr, error) {
	if c.Default == nil {
		return nil, nil
	}
	x, err := d.scalar(&scope{clause: "DEFAULT"}, c.Default)
	if err != nil {
		return nil, err
	}
	if x, err = expr.Coerce(x, t, d.settings.Expr); err != nil {
		return nil, d.errorf(c.Default, "the default of '%s': %s", c.Name.Name, err)
	}
	return x, nil
}

// keys makes the columns of the primary key NOT NULL.
func (d *tableDefinition) keys() error {
	for _, k := range d.tree.Unique {
		if err := d.checkKey(&k, "UNIQUE", "a unique key"); err != nil {
			return err
		}
	}
	key := d.tree.PrimaryKey
	if key == nil {
		return nil
	}
	if err := d.checkKey(key, "PRIMARY KEY", "a primary key"); err != nil {
		return err
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

// checkKey makes sure that a key says that nobody checks it, and that its columns are there.
func (d *tableDefinition) checkKey(k *parser.Key, clause, what string) error {
	if !k.NotEnforced {
		written := clause // behind a column
		if len(k.Columns) > 0 && k.Columns[0].Lo >= k.Lo {
			names := make([]string, len(k.Columns))
			for i, id := range k.Columns {
				names[i] = id.String()
			}
			written += " (" + strings.Join(names, ", ") + ")"
		}
		return d.at(k).error(what+" is not checked, so it must be declared NOT ENFORCED", "write "+written+" NOT ENFORCED")
	}
	for _, id := range k.Columns {
		if _, err := d.find(id, clause); err != nil {
			return err
		}
	}
	return nil
}

// partitions finds the columns of PARTITIONED BY.
func (d *tableDefinition) partitions() error {
	for _, id := range d.tree.PartitionedBy {
		i, err := d.find(id, "PARTITIONED BY")
		if err != nil {
			return err
		}
		if d.table.Columns[i].Physical < 0 {
			return d.errorf(id, "PARTITIONED BY takes physical columns, and '%s' is computed", id.Name)
		}
		d.table.PartitionedBy = append(d.table.PartitionedBy, i)
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

// physical makes the table its connector sees, and has the connector check it.
func (d *tableDefinition) physical() error {
	t := connector.Table{Name: d.table.Name, Schema: arrow.NewSchema(d.fields, nil), Options: map[string]string{}, Dir: d.settings.Dir}
	for _, i := range d.table.PrimaryKey {
		t.PrimaryKey = append(t.PrimaryKey, d.table.Columns[i].Name)
	}
	for _, p := range d.with {
		key := strings.ToLower(p.Key.Value)
		if _, twice := t.Options[key]; twice {
			return d.errorf(p.Key, "option '%s' is there twice", key)
		}
		t.Options[key] = p.Value.Value
	}
	if err := connector.Check(t); err != nil {
		return d.optionError(d.with, d.tree.Name, err)
	}
	policy, err := connector.OnError(t.Options)
	if err != nil {
		return d.optionError(d.with, d.tree.Name, err)
	}
	d.table.Physical, d.table.OnError = t, policy
	return nil
}

// optionError places what a connector says at the option it speaks of, or else at the one that names the connector.
func (b *binder) optionError(with []parser.Property, table parser.Name, err error) error {
	msg, hint, _ := strings.Cut(err.Error(), "; ")
	speaksOf := func(text string) bool { return text != "" && strings.Contains(msg, "'"+text+"'") }
	for _, p := range with {
		switch key, value := speaksOf(strings.ToLower(p.Key.Value)), speaksOf(p.Value.Value); {
		case key && value:
			return b.at(p.Value).error(msg, hint)
		case key:
			return b.at(p.Key).error(msg, hint)
		}
	}
	for _, p := range with {
		if speaksOf(p.Value.Value) {
			return b.at(p.Value).error(msg, hint)
		}
	}
	for _, p := range with {
		if strings.EqualFold(p.Key.Value, connector.Key) {
			return b.at(p).error(msg, hint)
		}
	}
	return b.at(table).error(msg, hint)
}
