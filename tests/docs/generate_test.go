package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"streamsql/connector"
	_ "streamsql/connector/all"
	"streamsql/connector/format"
	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/internal/settings"
	"streamsql/session"
)

// generators makes each subject's text. Those of one for every connector or format are in subjects.
var generators = map[string]func() string{
	"settings":            settingsTable,
	"statements":          statementsTable,
	"connectors":          connectorsTable,
	"formats":             formatsTable,
	"scalar functions":    scalarFunctions,
	"aggregate functions": aggregateFunctions,
}

// subjects lists everything that some document has to tell.
func subjects() []string {
	all := slices.Collect(maps.Keys(generators))
	for _, name := range connector.Names() {
		c, _ := connector.Lookup(name)
		if len(c.Options) > 0 {
			all = append(all, "connector "+name)
		}
		if len(c.Metadata) > 0 {
			all = append(all, "metadata "+name)
		}
	}
	for _, name := range format.Names() {
		if f, _ := format.Lookup(name); len(f.Options) > 0 {
			all = append(all, "format "+name)
		}
	}
	slices.Sort(all)
	return all
}

// generate makes the text about a subject.
func generate(subject string) (string, error) {
	if g := generators[subject]; g != nil {
		return g(), nil
	}
	if name, ok := strings.CutPrefix(subject, "connector "); ok {
		c, err := connector.Lookup(name)
		if err != nil {
			return "", err
		}
		return optionsTable(c.Options), nil
	}
	if name, ok := strings.CutPrefix(subject, "metadata "); ok {
		c, err := connector.Lookup(name)
		if err != nil {
			return "", err
		}
		return metadataTable(c.Metadata), nil
	}
	if name, ok := strings.CutPrefix(subject, "format "); ok {
		f, err := format.Lookup(name)
		if err != nil {
			return "", err
		}
		return optionsTable(f.Options), nil
	}
	return "", fmt.Errorf("nothing generates '%s'; known are %s", subject, strings.Join(subjects(), ", "))
}

// table is a Markdown table.
type table struct{ strings.Builder }

func newTable(columns ...string) *table {
	t := &table{}
	t.row(columns...)
	t.WriteString(strings.Repeat("|---", len(columns)) + "|\n")
	return t
}

func (t *table) row(cells ...string) {
	for _, c := range cells {
		t.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
	}
	t.WriteString("|\n")
}

// code sets a text as code; an empty one stays empty.
func code(text string) string {
	switch {
	case text == "":
		return ""
	case strings.Contains(text, "`"):
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

func codes(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, code(text))
	}
	return strings.Join(all, ", ")
}

func settingsTable() string {
	t := newTable("key", "also", "type", "default", "meaning")
	for _, s := range settings.All() {
		t.row(code(s.Key), codes(s.Aliases), strings.ReplaceAll(s.Type, "|", ", "), code(s.Default), s.Doc)
	}
	return t.String()
}

func statementsTable() string {
	t := newTable("statement", "what it does")
	for _, c := range session.Commands() {
		t.row(code(c.Synopsis), c.Doc)
	}
	return t.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func connectorsTable() string {
	t := newTable("connector", "read", "write", "what it is")
	for _, name := range connector.Names() {
		c, _ := connector.Lookup(name)
		t.row(code(name), yes(c.NewSource != nil), yes(c.NewSink != nil), c.Doc)
	}
	return t.String()
}

func formatsTable() string {
	t := newTable("format", "read", "write", "updates", "what it is")
	for _, name := range format.Names() {
		f, _ := format.Lookup(name)
		t.row(code(name), yes(f.Readable()), yes(f.NewOutput != nil), yes(f.Changelog), f.Doc)
	}
	return t.String()
}

// typeNames are the types of options in the words of the documentation.
var typeNames = map[connector.OptionType]string{
	connector.Text: "text", connector.Flag: "`true`, `false`", connector.Count: "number from 0", connector.Positive: "number from 1",
	connector.Duration: "duration", connector.Character: "character",
}

func optionsTable(options []connector.Option) string {
	t := newTable("option", "value", "default", "meaning")
	for _, o := range options {
		value := typeNames[o.Type]
		if o.Type == connector.Word {
			value = codes(o.Words)
		}
		standard := code(o.Default)
		if o.Required {
			standard = "required"
		}
		t.row(code(o.Key), value, standard, o.Doc)
	}
	return t.String()
}

func metadataTable(metadata []connector.Metadata) string {
	t := newTable("key", "type", "meaning")
	for _, m := range metadata {
		t.row(code(m.Key), expr.TypeName(m.Type), m.Doc)
	}
	return t.String()
}

func scalarFunctions() string {
	var categories []string
	for _, f := range expr.Functions() {
		if !slices.Contains(categories, f.Category) {
			categories = append(categories, f.Category)
		}
	}
	slices.Sort(categories)
	var b strings.Builder
	for i, category := range categories {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### %s%s\n\n", strings.ToUpper(category[:1]), category[1:])
		t := newTable("function", "also", "what it gives", "example", "result")
		for _, f := range expr.Functions() {
			if f.Category == category {
				t.row(code(f.Name), codes(f.Aliases), f.Doc, code(f.Example), code(f.ExampleResult))
			}
		}
		b.WriteString(t.String())
	}
	return b.String()
}

func aggregateFunctions() string {
	t := newTable("call", "also", "what it gives", "example", "result")
	for _, f := range agg.Functions() {
		t.row(code(f.Signature), codes(f.Aliases), f.Doc, code(f.Example), code(f.ExampleResult))
	}
	return t.String()
}
