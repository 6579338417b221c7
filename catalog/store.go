package catalog

import (
	"errors"
	"fmt"
	"strings"
)

// Store keeps persistent objects over restarts, as the text of the statement that creates them. A key is a path of two words,
// such as table/clicks. Save and Delete return when the change is durable.
type Store interface {
	Load() ([]Entry, error)
	Save(e Entry) error
	Delete(key string) error
}

// Entry is one object in a Store.
type Entry struct{ Key, SQL string }

// Load puts what the store holds into the place of the catalog's persistent objects: define makes the object that the text of
// an entry describes. An object that needs another finds it there whatever the order of the entries. Those that cannot be
// defined are left out, and stay in the store; what is wrong with them is returned joined.
func (c *Catalog) Load(define func(sql string) (Object, error)) error {
	if c.store == nil {
		return nil
	}
	pending, err := c.store.Load()
	if err != nil {
		return fmt.Errorf("reading the catalog: %w", err)
	}
	c.forget()
	for {
		failed, errs := c.loadEach(pending, define)
		if len(failed) == 0 || len(failed) == len(pending) {
			return errors.Join(errs...)
		}
		pending = failed
	}
}

// forget takes the persistent objects out of the catalog.
func (c *Catalog) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, names := range c.permanent {
		clear(names)
	}
}

// loadEach defines what it can and returns the rest with their errors.
func (c *Catalog) loadEach(entries []Entry, define func(string) (Object, error)) (failed []Entry, errs []error) {
	for _, e := range entries {
		o, err := define(e.SQL)
		if err != nil {
			failed = append(failed, e)
			errs = append(errs, fmt.Errorf("catalog entry %s: %w", e.Key, err))
			continue
		}
		c.mu.Lock()
		c.permanent[spaceOf(o.Kind())][fold(o.ObjectName())] = o
		c.mu.Unlock()
	}
	return failed, errs
}

// key is where the object lies in the store.
func key(o Object) string { return kindWord(o) + "/" + fold(o.ObjectName()) }

// fold makes names that differ in the case of letters equal.
func fold(name string) string { return strings.ToLower(name) }
