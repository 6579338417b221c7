package planner

import (
	"fmt"
	"path/filepath"
	"strings"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/parser"
)

// bindPath binds a file as a table: FROM 'clicks.json'. Its columns are found out by looking into it.
func (b *binder) bindPath(ref *parser.PathTable) (node, *scope, error) {
	t, err := b.pathTable(ref)
	if err != nil {
		return nil, nil, err
	}
	in, err := b.newScan(t, ref.Path)
	if err != nil {
		return nil, nil, err
	}
	base, _, _ := strings.Cut(filepath.Base(ref.Path.Value), ".")
	names := scopeOfTable(base, in, t)
	if ref.Match != nil {
		return b.bindMatch(in, names, ref.Match)
	}
	names, err = b.alias(names, ref.Alias)
	return in, names, err
}

// PathTable is the table that a file is, with the columns found out.
func (p *Planner) PathTable(ref *parser.PathTable, script catalog.Script) (*catalog.Table, error) {
	return p.newBinder(script).pathTable(ref)
}

// namesFile reports whether a name is no table's but a file's, whose path should have been a text.
func (b *binder) namesFile(name parser.Name) bool {
	path := pathOf(name)
	if !strings.Contains(path, ".") || b.tables[strings.ToLower(path)] != nil {
		return false
	}
	if _, err := b.catalog.Relation(name.Last().Name); err == nil {
		return false
	}
	files, err := connector.Lookup("filesystem")
	if err != nil || files.Complete == nil {
		return false
	}
	_, err = files.Complete(connector.Table{Options: map[string]string{"path": path}, Dir: b.settings.Dir})
	return err == nil
}

func (b *binder) fileError(name parser.Name) error {
	path := pathOf(name)
	return b.at(name).error("unknown table '"+path+"'", "a file is named in single quotes: FROM '"+strings.ReplaceAll(path, "'", "''")+"'")
}

// pathOf is a name as if it were a path.
func pathOf(name parser.Name) string {
	parts := make([]string, len(name.Parts))
	for i, p := range name.Parts {
		parts[i] = p.Name
	}
	return strings.Join(parts, ".")
}

// pathTable is the table of a file, the same one for each time that a statement names it alike.
func (b *binder) pathTable(ref *parser.PathTable) (*catalog.Table, error) {
	options, err := b.pathOptions(ref)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(options)
	if t := b.paths[key]; t != nil {
		return t, nil
	}
	physical, err := connector.Infer(connector.Table{Name: ref.Path.Value, Options: options, Dir: b.settings.Dir})
	if err != nil {
		return nil, b.pathError(ref, err)
	}
	t := &catalog.Table{Name: ref.Path.Value, Temporary: true, Physical: physical}
	for i, f := range physical.Schema.Fields() {
		t.Columns = append(t.Columns, catalog.Column{Name: f.Name, Type: f.Type, Nullable: f.Nullable, Physical: i})
	}
	if t.OnError, err = connector.OnError(options); err != nil {
		return nil, b.pathError(ref, err)
	}
	b.paths[key] = t
	return t, nil
}

// pathOptions are the path and the options of the hint.
func (b *binder) pathOptions(ref *parser.PathTable) (map[string]string, error) {
	options := map[string]string{connector.Key: "filesystem", "path": ref.Path.Value}
	for _, h := range ref.Hints {
		if h.Name != "OPTIONS" {
			return nil, b.errorf(h, "unknown hint %s behind a file", h.Name)
		}
		for _, p := range h.Properties {
			options[strings.ToLower(p.Key.Value)] = p.Value.Value
		}
	}
	if ref.Path.Value == "" {
		return nil, b.errorf(ref.Path, "the path of the file is empty")
	}
	return options, nil
}

// pathError places what is wrong with a file at the option it speaks of, or at its name.
func (b *binder) pathError(ref *parser.PathTable, err error) error {
	for _, h := range ref.Hints {
		for _, p := range h.Properties {
			if strings.Contains(err.Error(), "'"+strings.ToLower(p.Key.Value)+"'") {
				return b.optionError(h.Properties, parser.Name{Span: ref.Path.Span}, err)
			}
		}
	}
	return b.optionError(nil, parser.Name{Span: ref.Path.Span}, err)
}
