package connector

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/internal/suggest"
)

// Key is the option that names the connector.
const Key = "connector"

var registry = map[string]*Connector{}

// Register adds a connector; it is called from init functions. A name taken twice is a mistake in the program and panics.
func Register(c *Connector) {
	if registry[c.Name] != nil {
		panic("connector: " + c.Name + " is registered twice")
	}
	registry[c.Name] = c
}

// Names lists the connectors, sorted.
func Names() []string {
	var names []string
	for name := range registry {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Lookup finds a connector by its name, in any case.
func Lookup(name string) (*Connector, error) {
	if c := registry[strings.ToLower(name)]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("unknown connector '%s'; %s", name, Suggestion(name, Names()))
}

// Of finds the connector that the table's options name.
func Of(t Table) (*Connector, error) {
	name, ok := t.Options[Key]
	if !ok {
		return nil, fmt.Errorf("option 'connector' is missing; known connectors are %s", strings.Join(Names(), ", "))
	}
	return Lookup(name)
}

// Check reports what is wrong with the options of a table, as far as can be told without opening it.
func Check(t Table) error {
	c, err := Of(t)
	if err != nil {
		return err
	}
	_, err = c.Parse(t)
	return err
}

// NewSource makes the source of a table.
func NewSource(spec SourceSpec) (Source, error) {
	c, err := Of(spec.Table)
	if err != nil {
		return nil, err
	}
	if c.NewSource == nil {
		return nil, fmt.Errorf("connector '%s' can only be written to", c.Name)
	}
	o, err := c.Parse(spec.Table)
	if err != nil {
		return nil, err
	}
	return c.NewSource(spec, o)
}

// NewSink makes the sink of a table.
func NewSink(spec SinkSpec) (Sink, error) {
	c, err := Of(spec.Table)
	if err != nil {
		return nil, err
	}
	if c.NewSink == nil {
		return nil, fmt.Errorf("connector '%s' can only be read from", c.Name)
	}
	o, err := c.Parse(spec.Table)
	if err != nil {
		return nil, err
	}
	return c.NewSink(spec, o)
}

// Suggestion ends an error about an unknown name: the name it may have meant, or else the known ones.
func Suggestion(name string, known []string) string {
	if near := suggest.Near(name, known); len(near) > 0 {
		return fmt.Sprintf("did you mean '%s'?", near[0])
	}
	return "known are " + strings.Join(known, ", ")
}
