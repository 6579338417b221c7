package catalog

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"streamsql/parser"
)

// memory is a Store that can be told to fail.
type memory struct {
	entries map[string]string
	fail    error
}

func (m *memory) Load() ([]Entry, error) {
	var all []Entry
	for k, s := range m.entries {
		all = append(all, Entry{k, s})
	}
	return all, m.fail
}

func (m *memory) Save(e Entry) error {
	if m.fail == nil {
		m.entries[e.Key] = e.SQL
	}
	return m.fail
}

func (m *memory) Delete(key string) error {
	if m.fail == nil {
		delete(m.entries, key)
	}
	return m.fail
}

func table(name string) *Table {
	ddl := &parser.CreateTable{Name: parser.Name{Parts: []parser.Ident{{Name: name}}}}
	return &Table{Name: name, DDL: ddl}
}

func temporary(name string) *Table {
	t := table(name)
	t.Temporary = true
	return t
}

func view(name string, reads ...string) *View {
	one := &parser.Select{Items: []parser.Item{{X: &parser.Literal{Kind: parser.LitInt, Text: "1"}}}}
	ddl := &parser.CreateView{Name: parser.Name{Parts: []parser.Ident{{Name: name}}}, Query: &parser.Query{Body: one}}
	return &View{Name: name, Reads: reads, DDL: ddl}
}

func create(t *testing.T, c *Catalog, objects ...Object) {
	t.Helper()
	for _, o := range objects {
		if err := c.Create(o, Refuse); err != nil {
			t.Fatal(err)
		}
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func names(objects []Object) string {
	var all []string
	for _, o := range objects {
		all = append(all, o.ObjectName())
	}
	return strings.Join(all, " ")
}

func TestNamesIgnoreCaseAndKeepTheirSpelling(t *testing.T) {
	c := New(nil)
	create(t, c, table("Clicks"), view("biG"))
	o, err := c.Relation("CLICKS")
	if err != nil || o.ObjectName() != "Clicks" {
		t.Errorf("got %v, %v", o, err)
	}
	wantError(t, c.Create(view("clicks"), Refuse), "table 'Clicks' exists already")
	wantError(t, c.Create(view("clicks"), Replace), "table 'Clicks' exists already")
	if err := c.Create(view("clicks"), Keep); err != nil {
		t.Errorf("IF NOT EXISTS: %v", err)
	}
	if got := names(c.List(parser.ObjectTable)); got != "Clicks" {
		t.Errorf("tables: %s", got)
	}
	if got := names(c.List(parser.ObjectView)); got != "biG" {
		t.Errorf("views: %s", got)
	}
}

func TestTemporaryHidesPersistent(t *testing.T) {
	c := New(nil)
	shadow := temporary("T")
	create(t, c, table("t"), shadow)
	if o, _ := c.Relation("t"); o != Object(shadow) {
		t.Errorf("got %v", o)
	}
	if got := names(c.List(parser.ObjectTable)); got != "T" {
		t.Errorf("tables: %s", got)
	}
	if err := c.Drop(parser.ObjectTable, "t"); err != nil {
		t.Fatal(err)
	}
	if o, _ := c.Relation("t"); o == nil || o.IsTemporary() {
		t.Errorf("after the drop: %v", o)
	}
}

func TestNotFound(t *testing.T) {
	c := New(nil)
	create(t, c, table("orders"), view("open_orders"))
	for _, x := range []struct {
		kind parser.ObjectKind
		name string
		want NotFoundError
	}{
		{parser.ObjectTable, "ordesr", NotFoundError{Hint: "did you mean orders?"}},
		{parser.ObjectView, "orders", NotFoundError{Hint: "'orders' is a table"}},
		{parser.ObjectTable, "x", NotFoundError{Hint: "SHOW TABLES lists them"}},
		{parser.ObjectFunction, "orders", NotFoundError{Hint: "SHOW FUNCTIONS lists them"}},
	} {
		x.want.Kind, x.want.Name = x.kind, x.name
		_, err := c.Get(x.kind, x.name)
		var got *NotFoundError
		if !errors.As(err, &got) || *got != x.want {
			t.Errorf("Get: %+v, want %+v", got, x.want)
		}
		if !errors.As(c.Drop(x.kind, x.name), &got) || *got != x.want {
			t.Errorf("Drop: %+v, want %+v", got, x.want)
		}
	}
}

func TestDropWhatViewsRead(t *testing.T) {
	c := New(nil)
	create(t, c, table("t"), view("v", "T"), view("w", "v", "t"))
	wantError(t, c.Drop(parser.ObjectTable, "t"), "table 't' is read by views 'v', 'w'; drop that first")
	wantError(t, c.Drop(parser.ObjectView, "V"), "view 'v' is read by view 'w'; drop that first")
	create(t, c, temporary("t"))
	for _, drop := range []struct {
		kind parser.ObjectKind
		name string
	}{{parser.ObjectTable, "t"}, {parser.ObjectView, "w"}, {parser.ObjectView, "v"}, {parser.ObjectTable, "t"}} {
		if err := c.Drop(drop.kind, drop.name); err != nil {
			t.Error(err)
		}
	}
}

func TestPersistentViewOverTemporaryTable(t *testing.T) {
	c := New(nil)
	create(t, c, temporary("t"))
	wantError(t, c.Create(view("v", "t"), Refuse),
		"view 'v' reads the temporary table 't'; write CREATE TEMPORARY VIEW, or make that persistent")
	v := view("v", "t")
	v.Temporary = true
	create(t, c, v)
}

func TestStore(t *testing.T) {
	store := &memory{entries: map[string]string{}}
	c := New(store)
	base := view("Base")
	create(t, c, base, temporary("gone"), view("top", "base"))
	if got, want := store.entries["view/base"], parser.Format(base.DDL); got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
	if len(store.entries) != 2 {
		t.Errorf("stored %v", store.entries)
	}
	store.fail = errors.New("disk full")
	wantError(t, c.Create(view("more"), Refuse), "creating view 'more': disk full")
	wantError(t, c.Drop(parser.ObjectView, "top"), "dropping view 'top': disk full")
	if _, err := c.Relation("more"); err == nil {
		t.Error("a view that could not be stored is there")
	}
	if _, err := c.Relation("top"); err != nil {
		t.Error("a view that could not be deleted is gone")
	}
	store.fail = nil
	if err := c.Drop(parser.ObjectView, "top"); err != nil || len(store.entries) != 1 {
		t.Errorf("drop: %v, %v left", err, store.entries)
	}
}

func TestLoadInAnyOrder(t *testing.T) {
	store := &memory{entries: map[string]string{"view/a": "a b", "view/b": "b c", "view/c": "c", "view/d": "d nowhere"}}
	c := New(store)
	err := c.Load(func(sql string) (Object, error) {
		words := strings.Fields(sql)
		for _, read := range words[1:] {
			if _, err := c.Relation(read); err != nil {
				return nil, err
			}
		}
		return view(words[0], words[1:]...), nil
	})
	wantError(t, err, "catalog entry view/d: unknown table 'nowhere'")
	if got := names(c.List(parser.ObjectView)); got != "a b c" {
		t.Errorf("loaded %s", got)
	}
	if len(store.entries) != 4 {
		t.Error("loading changed the store")
	}
	delete(store.entries, "view/a")
	create(t, c, temporary("mine"))
	if err := c.Load(func(sql string) (Object, error) { return view(strings.Fields(sql)[0]), nil }); err != nil {
		t.Error(err)
	}
	if got := names(c.List(parser.ObjectView)) + " " + names(c.List(parser.ObjectTable)); got != "b c d mine" {
		t.Errorf("loaded again: %s", got)
	}
}

func TestFunctions(t *testing.T) {
	c := New(nil)
	f := &Function{Name: "Twice"}
	create(t, c, f, table("twice"))
	if c.Function("TWICE") != f || c.Function("thrice") != nil {
		t.Error("functions are not found by their name")
	}
	if !slices.Equal(c.List(parser.ObjectFunction), []Object{f}) {
		t.Error("functions are not listed")
	}
}

func TestAlter(t *testing.T) {
	store := &memory{entries: map[string]string{}}
	c := New(store)
	old, other := table("Clicks"), table("other")
	create(t, c, old, other, view("v", "other"))
	renamed := table("Hits")
	if err := c.Alter(old, renamed); err != nil {
		t.Fatal(err)
	}
	if got := names(c.List(parser.ObjectTable)); got != "Hits other" {
		t.Errorf("tables: %s", got)
	}
	if _, kept := store.entries["table/clicks"]; kept || store.entries["table/hits"] == "" {
		t.Errorf("store: %v", store.entries)
	}
	again := table("HITS")
	if err := c.Alter(renamed, again); err != nil || store.entries["table/hits"] == "" {
		t.Errorf("a change of letters: %v, store %v", err, store.entries)
	}
	wantError(t, c.Alter(again, table("other")), "table 'other' exists already")
	wantError(t, c.Alter(old, table("x")), "unknown table 'Clicks'")
	wantError(t, c.Alter(other, table("others")), "table 'other' is read by view 'v'; drop that first")
	if err := c.Alter(other, table("other")); err != nil {
		t.Errorf("a change of a table that is read: %v", err)
	}
	store.fail = errors.New("disk full")
	wantError(t, c.Alter(again, table("next")), "creating table 'next': disk full")
	if _, err := c.Relation("hits"); err != nil {
		t.Errorf("a change that cannot be stored: %v", err)
	}
}
