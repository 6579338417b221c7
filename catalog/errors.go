package catalog

import (
	"fmt"
	"strings"

	"streamsql/internal/suggest"
	"streamsql/parser"
)

// NotFoundError says that no object has the name. Its Hint is for the user.
type NotFoundError struct {
	Kind parser.ObjectKind
	Name string
	Hint string // "did you mean …?", or what to do instead; may be empty
}

// Error is one line without the hint.
func (e *NotFoundError) Error() string {
	return fmt.Sprintf("unknown %s '%s'", strings.ToLower(string(e.Kind)), e.Name)
}

// ExistsError says that the name is taken.
type ExistsError struct{ Object Object }

// Error is one line.
func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s '%s' exists already", kindWord(e.Object), e.Object.ObjectName())
}

// InUseError says that an object cannot go because views read it.
type InUseError struct {
	Object Object
	Views  []string
}

// Error is one line.
func (e *InUseError) Error() string {
	return fmt.Sprintf("%s '%s' is read by %s; drop that first", kindWord(e.Object), e.Object.ObjectName(), viewList(e.Views))
}

// ScopeError says that a persistent view reads a temporary object, which would be gone when the view is read again.
type ScopeError struct {
	View  *View
	Reads Object
}

// Error is one line.
func (e *ScopeError) Error() string {
	return fmt.Sprintf("view '%s' reads the temporary %s '%s'; write CREATE TEMPORARY VIEW, or make that persistent",
		e.View.Name, kindWord(e.Reads), e.Reads.ObjectName())
}

func kindWord(o Object) string { return strings.ToLower(string(o.Kind())) }

func viewList(names []string) string {
	if len(names) == 1 {
		return "view '" + names[0] + "'"
	}
	return "views '" + strings.Join(names, "', '") + "'"
}

// notFound says what is missing and what may have been meant. An object of another kind with the name comes first.
func (c *Catalog) notFound(kind parser.ObjectKind, name string) error {
	err := &NotFoundError{Kind: kind, Name: name}
	if o := c.find(spaceOf(kind), name); o != nil {
		err.Hint = fmt.Sprintf("'%s' is a %s", o.ObjectName(), kindWord(o))
		return err
	}
	var names []string
	for _, o := range c.visible(spaceOf(kind)) {
		names = append(names, o.ObjectName())
	}
	switch err.Hint = suggest.Hint(name, names); {
	case err.Hint != "":
	case len(names) == 0 && spaceOf(kind) == spaceOf(parser.ObjectTable):
		err.Hint = "there are no tables yet; CREATE TABLE defines one"
	case kind == parser.ObjectTable || kind == parser.ObjectView || kind == parser.ObjectFunction:
		err.Hint = fmt.Sprintf("SHOW %sS lists them", kind)
	}
	return err
}
