package session

import (
	"context"
	"time"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
)

func init() {
	register(runDescribe,
		Command{"DESCRIBE x", "show the columns of a table or view"},
		Command{"DESCRIBE 'path'", "show the columns that are found in a file"},
		Command{"DESCRIBE FUNCTION f", "show how a function is called and what it gives, or the statement that made it"})
	register(runShowCreate, Command{"SHOW CREATE TABLE | VIEW | FUNCTION x", "show the statement that makes an object"})
}

func runDescribe(_ context.Context, s *Session, st statement, d *parser.Describe) (*Result, error) {
	if d.Kind == parser.ObjectFunction {
		return describeFunction(s, st, d)
	}
	if d.Path != nil {
		return s.describeFile(st, d.Path)
	}
	o, err := s.objects.Relation(d.Name.Last().Name)
	if err != nil {
		return nil, objectError(st, d.Name, err)
	}
	g := newGrid(time.UTC, textField("name"), textField("type"), boolField("null"), textField("key"), textField("extras"), textField("watermark"))
	if table, ok := o.(*catalog.Table); ok {
		describeTable(g, table)
		return g.result(), nil
	}
	cols, err := s.planner().ViewColumns(o.(*catalog.View))
	if err != nil {
		return nil, err
	}
	for _, c := range cols {
		g.add(c.Name, expr.TypeName(c.Type), c.Nullable, "", "", "")
	}
	return g.result(), nil
}

// describeFile shows the columns of a file.
func (s *Session) describeFile(st statement, ref *parser.PathTable) (*Result, error) {
	t, err := s.planner().PathTable(ref, st.in())
	if err != nil {
		return nil, err
	}
	g := newGrid(time.UTC, textField("name"), textField("type"), boolField("null"))
	for _, c := range t.Columns {
		g.add(c.Name, expr.TypeName(c.Type), c.Nullable)
	}
	return g.result(), nil
}

// describeFunction shows a function that has been created or, if there is none of the name, the built-in ones.
func describeFunction(s *Session, st statement, d *parser.Describe) (*Result, error) {
	name := d.Name.Last().Name
	functions := functionsNamed(name)
	if s.objects.Function(name) != nil || len(functions) == 0 {
		return showCreate(s, st, d.Kind, d.Name)
	}
	g := newGrid(time.UTC, textField("property"), textField("value"))
	for _, f := range functions {
		g.add("name", f.Name)
		for _, alias := range f.Aliases {
			g.add("alias", alias)
		}
		g.add("kind", f.Kind)
		if f.Category != f.Kind {
			g.add("category", f.Category)
		}
		for _, syntax := range f.Syntax {
			g.add("syntax", syntax)
		}
		g.add("description", f.Doc)
		g.add("example", f.Example)
		if f.Result != "" {
			g.add("result", f.Result)
		}
	}
	return g.result(), nil
}

func describeTable(g *grid, t *catalog.Table) {
	keys := make([]string, len(t.Columns))
	for _, i := range t.PrimaryKey {
		keys[i] = "PRI"
	}
	for i, c := range t.Columns {
		extras, watermark := "", ""
		switch tree := t.DDL.Columns[i]; {
		case tree.Computed != nil:
			extras = "AS " + parser.FormatExpr(tree.Computed)
		case tree.Metadata != nil:
			extras = metadataText(tree)
		case tree.Default != nil:
			extras = "DEFAULT " + parser.FormatExpr(tree.Default)
		}
		if t.Watermark != nil && t.Watermark.Column == i {
			watermark = parser.FormatExpr(t.DDL.Watermark.X)
		}
		g.add(c.Name, expr.TypeName(c.Type), c.Nullable, keys[i], extras, watermark)
	}
}

// metadataText describes a metadata column as its declaration does.
func metadataText(c parser.Column) string {
	text := "METADATA"
	if c.Metadata.Key != nil {
		text += " FROM " + quote(c.Metadata.Key.Value)
	}
	if c.Metadata.Virtual {
		text += " VIRTUAL"
	}
	return text
}

func runShowCreate(_ context.Context, s *Session, st statement, show *parser.ShowCreate) (*Result, error) {
	return showCreate(s, st, show.Kind, show.Name)
}

func showCreate(s *Session, st statement, kind parser.ObjectKind, name parser.Name) (*Result, error) {
	o, err := s.objects.Get(kind, name.Last().Name)
	if err != nil {
		return nil, objectError(st, name, err)
	}
	return textResult("statement", parser.Format(o.Definition())+";"), nil
}
