package format

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/connector"
)

var registry = map[string]*Format{}

// Register adds a format; it is called from init functions. A name taken twice is a mistake in the program and panics.
func Register(f *Format) {
	if registry[f.Name] != nil {
		panic("format: " + f.Name + " is registered twice")
	}
	registry[f.Name] = f
}

// Names lists the formats, sorted.
func Names() []string {
	var names []string
	for name := range registry {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Writable lists the formats that can be written, sorted.
func Writable() []string {
	return slices.DeleteFunc(Names(), func(name string) bool { return registry[name].NewOutput == nil })
}

// Lookup finds a format by its name, in any case.
func Lookup(name string) (*Format, error) {
	if f := registry[strings.ToLower(name)]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("unknown format '%s'; %s", name, connector.Suggestion(name, Names()))
}

// Option is the declaration of the option that names the format.
func Option() connector.Option {
	return connector.Option{Key: Key, Type: connector.Text, Required: true, Doc: "how rows are written: " + strings.Join(Names(), ", ")}
}

// Options returns the options of the format that a table names, the option format among them. It is a Connector's More.
func Options(t connector.Table) ([]connector.Option, error) {
	options := []connector.Option{Option()}
	name, ok := t.Options[Key]
	if !ok {
		return options, nil // the missing option is reported with the others
	}
	f, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return append(options, f.Options...), nil
}
