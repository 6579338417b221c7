package session

import (
	"context"
	"slices"
	"strings"
	"time"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/internal/settings"
	"streamsql/parser"
)

func init() {
	register(runShow,
		Command{"SHOW TABLES [[NOT] LIKE 'pattern']", "list the tables"},
		Command{"SHOW VIEWS [[NOT] LIKE 'pattern']", "list the views"},
		Command{"SHOW FUNCTIONS [[NOT] LIKE 'pattern']", "list the functions, built in or created"},
		Command{"SHOW CONNECTORS", "list what 'connector' = in WITH can name"},
		Command{"SHOW FORMATS", "list what 'format' = in WITH can name"},
		Command{"SHOW SETTINGS [[NOT] LIKE 'pattern']", "list all settings with their values"},
		Command{"SHOW JOBS [[NOT] LIKE 'pattern']", "list the jobs, running or not"},
		Command{"SHOW CHECKPOINTS FOR JOB j", "list the checkpoints of a job"},
		Command{"SHOW SAVEPOINTS [FOR JOB j]", "list the savepoints"})
}

// listings holds what each SHOW lists.
var listings = map[parser.ShowKind]func(*Session, statement, *parser.Show) (*Result, error){
	parser.ShowTables:      showTables,
	parser.ShowViews:       showViews,
	parser.ShowFunctions:   showFunctions,
	parser.ShowConnectors:  showConnectors,
	parser.ShowFormats:     showFormats,
	parser.ShowSettings:    showSettings,
	parser.ShowJobs:        showJobs,
	parser.ShowCheckpoints: showCheckpoints,
	parser.ShowSavepoints:  showSavepoints,
}

func runShow(_ context.Context, s *Session, st statement, show *parser.Show) (*Result, error) {
	list := listings[show.Kind]
	if list == nil {
		return nil, st.errorAt(show.At(), "SHOW "+string(show.Kind)+" is not a statement of this version", "help; lists the statements")
	}
	return list(s, st, show)
}

func showTables(s *Session, _ statement, show *parser.Show) (*Result, error) {
	fits := filter(show)
	g := newGrid(time.UTC, textField("name"), textField("connector"), boolField("temporary"))
	for _, o := range s.objects.List(parser.ObjectTable) {
		if fits(o.ObjectName()) {
			g.add(o.ObjectName(), o.(*catalog.Table).Physical.Options[connector.Key], o.IsTemporary())
		}
	}
	return g.result(), nil
}

func showViews(s *Session, _ statement, show *parser.Show) (*Result, error) {
	fits := filter(show)
	g := newGrid(time.UTC, textField("name"), boolField("temporary"))
	for _, o := range s.objects.List(parser.ObjectView) {
		if fits(o.ObjectName()) {
			g.add(o.ObjectName(), o.IsTemporary())
		}
	}
	return g.result(), nil
}

func showFunctions(s *Session, _ statement, show *parser.Show) (*Result, error) {
	type row struct{ name, kind, category, doc string }
	var rows []row
	for _, f := range Functions() {
		for _, name := range f.names() {
			rows = append(rows, row{name, f.Kind, f.Category, f.Doc})
		}
	}
	for _, o := range s.objects.List(parser.ObjectFunction) {
		rows = append(rows, row{o.ObjectName(), "macro", "created", parser.FormatExpr(o.(*catalog.Function).DDL.Body)})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.name, b.name) })
	fits := filter(show)
	g := newGrid(time.UTC, textField("name"), textField("kind"), textField("category"), textField("description"))
	for _, r := range rows {
		if fits(r.name) {
			g.add(r.name, r.kind, r.category, r.doc)
		}
	}
	return g.result(), nil
}

func showConnectors(_ *Session, _ statement, show *parser.Show) (*Result, error) {
	fits := filter(show)
	g := newGrid(time.UTC, textField("name"), boolField("source"), boolField("sink"), textField("description"))
	for _, name := range connector.Names() {
		if c, err := connector.Lookup(name); err == nil && fits(name) {
			g.add(name, c.NewSource != nil, c.NewSink != nil, c.Doc)
		}
	}
	return g.result(), nil
}

func showFormats(_ *Session, _ statement, show *parser.Show) (*Result, error) {
	fits := filter(show)
	g := newGrid(time.UTC, textField("name"), boolField("read"), boolField("write"), boolField("changelog"), textField("description"))
	for _, name := range format.Names() {
		if f, err := format.Lookup(name); err == nil && fits(name) {
			g.add(name, f.Readable(), f.NewOutput != nil, f.Changelog, f.Doc)
		}
	}
	return g.result(), nil
}

func showSettings(s *Session, _ statement, show *parser.Show) (*Result, error) {
	fits := filter(show)
	g := newGrid(time.UTC, textField("key"), textField("value"), textField("default"), textField("type"), textField("description"))
	for _, key := range settings.All() {
		names := append([]string{key.Key}, key.Aliases...)
		shown := slices.ContainsFunc(names, fits)
		if show.Not {
			shown = !slices.ContainsFunc(names, func(n string) bool { return !fits(n) })
		}
		if shown {
			value, _ := s.settings.Get(key)
			g.add(key.Key, value, key.Default, key.Type, key.Doc)
		}
	}
	return g.result(), nil
}
