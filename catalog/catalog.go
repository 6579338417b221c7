package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"streamsql/parser"
)

// Catalog maps names to objects. Tables and views share one space of names, functions have their own. It may be used by
// several goroutines.
type Catalog struct {
	mu    sync.RWMutex
	store Store // nil: nothing outlives the catalog
	// By space, then by folded name.
	permanent, temporary [spaces]map[string]Object
}

// Names that the one catalog and its one database go by.
const (
	DefaultCatalog  = "default_catalog"
	DefaultDatabase = "default_database"
)

// space is a set of kinds among which a name is unique.
type space int

const (
	relations space = iota
	functions
	spaces
)

func spaceOf(kind parser.ObjectKind) space {
	if kind == parser.ObjectFunction {
		return functions
	}
	return relations
}

// New returns an empty catalog that keeps its persistent objects in store. Without a store they end with the catalog.
func New(store Store) *Catalog {
	c := &Catalog{store: store}
	for s := range spaces {
		c.permanent[s] = map[string]Object{}
		c.temporary[s] = map[string]Object{}
	}
	return c
}

// OnConflict is what Create does when the name is taken.
type OnConflict int

// Refuse is an *ExistsError, Keep leaves the old object (IF NOT EXISTS), Replace puts the new one in its place (OR REPLACE).
const (
	Refuse OnConflict = iota
	Keep
	Replace
)

// Create adds an object. A temporary object conflicts with temporary ones only, a persistent with persistent ones. Only a view
// replaces a view and a function a function.
func (c *Catalog) Create(o Object, conflict OnConflict) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names(o)
	if old, taken := names[fold(o.ObjectName())]; taken {
		switch {
		case conflict == Keep:
			return nil
		case conflict == Refuse || old.Kind() != o.Kind():
			return &ExistsError{old}
		}
	}
	if err := c.checkReads(o); err != nil {
		return err
	}
	if err := c.save(o); err != nil {
		return err
	}
	names[fold(o.ObjectName())] = o
	return nil
}

// Drop removes the object of the kind and name: the temporary one if there are two. It fails with a *NotFoundError, or with an
// *InUseError while views read the object.
func (c *Catalog) Drop(kind parser.ObjectKind, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.find(spaceOf(kind), name)
	if o == nil || o.Kind() != kind {
		return c.notFound(kind, name)
	}
	if views := c.readers(o); len(views) > 0 {
		return &InUseError{Object: o, Views: views}
	}
	if err := c.erase(o, ""); err != nil {
		return err
	}
	delete(c.names(o), fold(o.ObjectName()))
	return nil
}

// Alter puts an object into the place of another of its kind, perhaps under a new name. It fails with an *ExistsError if that name is
// taken, and with an *InUseError while views read an object that is to be renamed.
func (c *Catalog) Alter(old, changed Object) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names(old)
	if names[fold(old.ObjectName())] != old {
		return c.notFound(old.Kind(), old.ObjectName())
	}
	if renamed := fold(old.ObjectName()) != fold(changed.ObjectName()); renamed {
		if other, taken := names[fold(changed.ObjectName())]; taken {
			return &ExistsError{other}
		}
		if views := c.readers(old); len(views) > 0 {
			return &InUseError{Object: old, Views: views}
		}
	}
	if err := c.save(changed); err != nil {
		return err
	}
	if err := c.erase(old, key(changed)); err != nil {
		return err
	}
	delete(names, fold(old.ObjectName()))
	names[fold(changed.ObjectName())] = changed
	return nil
}

// erase deletes an object from the store, unless another has taken its key.
func (c *Catalog) erase(o Object, taken string) error {
	if o.IsTemporary() || c.store == nil || key(o) == taken {
		return nil
	}
	if err := c.store.Delete(key(o)); err != nil {
		return fmt.Errorf("dropping %s '%s': %w", kindWord(o), o.ObjectName(), err)
	}
	return nil
}

// Relation returns the table or view of the name, or a *NotFoundError.
func (c *Catalog) Relation(name string) (Object, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if o := c.find(relations, name); o != nil {
		return o, nil
	}
	return nil, c.notFound(parser.ObjectTable, name)
}

// Get returns the object of the kind and name, or a *NotFoundError.
func (c *Catalog) Get(kind parser.ObjectKind, name string) (Object, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if o := c.find(spaceOf(kind), name); o != nil && o.Kind() == kind {
		return o, nil
	}
	return nil, c.notFound(kind, name)
}

// Function returns the function of the name, nil if there is none.
func (c *Catalog) Function(name string) *Function {
	c.mu.RLock()
	defer c.mu.RUnlock()
	f, _ := c.find(functions, name).(*Function)
	return f
}

// List returns the objects of the kind that names can reach, in the order of their names.
func (c *Catalog) List(kind parser.ObjectKind) []Object {
	c.mu.RLock()
	defer c.mu.RUnlock()
	all := c.visible(spaceOf(kind))
	return slices.DeleteFunc(all, func(o Object) bool { return o.Kind() != kind })
}

// names is the map the object belongs to.
func (c *Catalog) names(o Object) map[string]Object {
	if o.IsTemporary() {
		return c.temporary[spaceOf(o.Kind())]
	}
	return c.permanent[spaceOf(o.Kind())]
}

// find returns what the name stands for, nil if nothing.
func (c *Catalog) find(s space, name string) Object {
	if o, ok := c.temporary[s][fold(name)]; ok {
		return o
	}
	return c.permanent[s][fold(name)]
}

// visible returns all objects of the space that are not hidden by a temporary one, sorted by name.
func (c *Catalog) visible(s space) []Object {
	all := maps.Clone(c.permanent[s])
	maps.Copy(all, c.temporary[s])
	return slices.SortedFunc(maps.Values(all), func(a, b Object) int {
		return cmp.Compare(fold(a.ObjectName()), fold(b.ObjectName()))
	})
}

func (c *Catalog) save(o Object) error {
	if o.IsTemporary() || c.store == nil {
		return nil
	}
	if err := c.store.Save(Entry{Key: key(o), SQL: parser.Format(o.Definition())}); err != nil {
		return fmt.Errorf("creating %s '%s': %w", kindWord(o), o.ObjectName(), err)
	}
	return nil
}
