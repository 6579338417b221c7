package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
	"streamsql/planner"
	"streamsql/storage"
)

// objectStore keeps the persistent objects of an engine in its data directory.
type objectStore struct{ engine *Engine }

// Load reads the objects.
func (o objectStore) Load() ([]catalog.Entry, error) {
	store := o.engine.opened()
	if store == nil {
		return nil, nil
	}
	var entries []catalog.Entry
	err := store.Scan(storage.CatalogPrefix, func(k storage.Key, sql []byte) error {
		entries = append(entries, catalog.Entry{Key: k.Name(), SQL: string(sql)})
		return nil
	})
	return entries, err
}

// Save keeps an object.
func (o objectStore) Save(e catalog.Entry) error {
	return o.change(func(s *storage.Store) error { return s.Put(storage.CatalogKey(e.Key), []byte(e.SQL)) })
}

// Delete removes an object.
func (o objectStore) Delete(key string) error {
	return o.change(func(s *storage.Store) error { return s.Delete(storage.CatalogKey(key)) })
}

func (o objectStore) change(f func(*storage.Store) error) error {
	store, err := o.engine.open()
	if err != nil {
		return err
	}
	if err := f(store); err != nil {
		return err
	}
	o.engine.change()
	return nil
}

// refresh brings the session's persistent objects up to date. The data directory is looked into when the statement names
// something else than the session's own objects, or asks for a list.
func (s *Session) refresh(st statement) error {
	if s.engine.opened() == nil && s.engine.exists() && (lists(st.tree) || !s.knows(st.tree)) {
		if _, err := s.engine.open(); err != nil {
			return err
		}
	}
	if v := s.engine.version(); v != s.version {
		s.version = v
		return s.reload()
	}
	return nil
}

// lists tells whether a statement shows all objects.
func lists(tree parser.Stmt) bool {
	show, ok := tree.(*parser.Show)
	return ok && slices.Contains([]parser.ShowKind{parser.ShowTables, parser.ShowViews, parser.ShowFunctions}, show.Kind)
}

// reload reads the persistent objects again. One that has become impossible is reported and left out.
func (s *Session) reload() error {
	old := s.objects
	s.objects = catalog.New(objectStore{s.engine})
	if err := s.objects.Load(s.parseObject); err != nil {
		s.note("warning: " + err.Error())
	}
	for _, o := range s.objects.List(parser.ObjectTable) {
		if err := s.addErrorTable(o); err != nil {
			return err
		}
	}
	for _, o := range temporaries(old) {
		if err := s.objects.Create(o, catalog.Keep); err != nil {
			return err
		}
	}
	return nil
}

// temporaries lists the temporary objects of a catalog, by kind and name.
func temporaries(c *catalog.Catalog) []catalog.Object {
	var all []catalog.Object
	for _, kind := range []parser.ObjectKind{parser.ObjectFunction, parser.ObjectTable, parser.ObjectView} {
		all = append(all, c.List(kind)...)
	}
	return slices.DeleteFunc(all, func(o catalog.Object) bool { return !o.IsTemporary() })
}

// parseObject makes the object that a CREATE statement describes, without putting it into the catalog.
func (s *Session) parseObject(sql string) (catalog.Object, error) {
	trees, err := parser.Parse("", sql)
	if err != nil {
		return nil, err
	}
	if len(trees) != 1 {
		return nil, fmt.Errorf("expected one statement, got %d", len(trees))
	}
	script := catalog.Script{Text: sql}
	switch tree := trees[0].(type) {
	case *parser.CreateTable:
		return orNone(s.planner().CreateTable(tree, script))
	case *parser.CreateView:
		return orNone(s.planner().CreateView(tree, script))
	case *parser.CreateFunction:
		return orNone(s.planner().CreateFunction(tree, script))
	}
	return nil, errors.New("it creates no object")
}

// orNone keeps a nil pointer from becoming an object.
func orNone[O catalog.Object](o O, err error) (catalog.Object, error) {
	if err != nil {
		return nil, err
	}
	return o, nil
}

// definitions lists the statements that make the session's temporary objects, in an order in which they can be run.
func (s *Session) definitions() []string {
	var texts []string
	done := map[catalog.Object]bool{}
	for _, o := range temporaries(s.objects) {
		for _, needed := range append(s.closure(o.Definition()), o) {
			if !done[needed] && needed.IsTemporary() && !strings.HasSuffix(needed.ObjectName(), errorsSuffix) {
				done[needed] = true
				texts = append(texts, parser.Format(needed.Definition()))
			}
		}
	}
	return texts
}

// define makes objects from the texts that definitions has returned.
func (s *Session) define(ctx context.Context, texts []string) error {
	for _, text := range texts {
		for _, err := range s.Execute(ctx, Source{Text: text}) {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// planner returns a planner with the session's settings.
func (s *Session) planner() *planner.Planner { return planner.New(s.objects, s.planSettings()) }
