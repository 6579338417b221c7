package connector

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"streamsql/internal/text"
)

// Options holds the checked options of one table. Reading a key its connector does not declare is a mistake in the program and
// panics.
type Options struct {
	declared map[string]*Option
	given    map[string]string
}

// Parse checks the options of a table: every key is known, every value has its type, nothing required is missing.
func (c *Connector) Parse(t Table) (*Options, error) {
	declared := slices.Concat(common, c.Options)
	if c.More != nil {
		more, err := c.More(t)
		if err != nil {
			return nil, err
		}
		declared = append(declared, more...)
	}
	return NewOptions("connector '"+c.Name+"'", declared, t)
}

// NewOptions checks the options of a table against those declared by owner, as messages call it.
func NewOptions(owner string, declared []Option, t Table) (*Options, error) {
	o := &Options{declared: make(map[string]*Option, len(declared)), given: t.Options}
	for i := range declared {
		o.declared[declared[i].Key] = &declared[i]
	}
	for _, key := range slices.Sorted(maps.Keys(t.Options)) {
		option, err := o.declaration(owner, t, key)
		if err != nil {
			return nil, err
		}
		if err := option.check(t.Options[key]); err != nil {
			return nil, fmt.Errorf("option '%s': %w", key, err)
		}
	}
	for i := range declared {
		if _, ok := t.Options[declared[i].Key]; declared[i].Required && !ok {
			return nil, fmt.Errorf("%s needs the option '%s': %s", owner, declared[i].Key, declared[i].Doc)
		}
	}
	return o, nil
}

// declaration finds the option a key stands for.
func (o *Options) declaration(owner string, t Table, key string) (*Option, error) {
	if d := o.declared[key]; d != nil {
		return d, nil
	}
	columns := columnNames(t)
	known := make([]string, 0, len(o.declared))
	for pattern, d := range o.declared {
		before, after, isPattern := strings.Cut(pattern, "*")
		if !isPattern {
			known = append(known, pattern)
			continue
		}
		if column, ok := between(key, before, after); ok {
			if slices.ContainsFunc(columns, func(name string) bool { return strings.EqualFold(name, column) }) {
				return d, nil
			}
			return nil, fmt.Errorf("option '%s': there is no column '%s'; %s", key, column, Suggestion(column, columns))
		}
		for _, name := range columns {
			known = append(known, before+strings.ToLower(name)+after)
		}
	}
	slices.Sort(known)
	return nil, fmt.Errorf("unknown option '%s' of %s; %s", key, owner, Suggestion(key, known))
}

func columnNames(t Table) []string {
	var names []string
	if t.Schema != nil {
		for _, f := range t.Schema.Fields() {
			names = append(names, f.Name)
		}
	}
	return names
}

// between returns what stands between the two ends of s.
func between(s, before, after string) (string, bool) {
	if len(s) <= len(before)+len(after) || !strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
		return "", false
	}
	return s[len(before) : len(s)-len(after)], true
}

// Has reports whether the table gives the option.
func (o *Options) Has(key string) bool {
	_, ok := o.given[key]
	return ok
}

// Text is the option's value or its default.
func (o *Options) Text(key string) string {
	if v, ok := o.given[key]; ok {
		return v
	}
	d := o.declared[key]
	if d == nil {
		panic("connector: option " + key + " is not declared")
	}
	return d.Default
}

// Column is the value, for a column, of an option whose key has a "*" in the column's place, or its default.
func (o *Options) Column(key, column string) string {
	if v, ok := o.given[strings.Replace(key, "*", strings.ToLower(column), 1)]; ok {
		return v
	}
	return o.Text(key)
}

// Flag is the value of an option of type Flag.
func (o *Options) Flag(key string) bool { return must(parseFlag(o.Text(key))) }

// Count is the value of an option of type Count or Positive; without value and default it is 0.
func (o *Options) Count(key string) int64 {
	if o.Text(key) == "" {
		return 0
	}
	return must(parseCount(o.Text(key), 0))
}

// Duration is the value of an option of type Duration.
func (o *Options) Duration(key string) time.Duration { return must(text.ParseDuration(o.Text(key))) }

// Character is the value of an option of type Character.
func (o *Options) Character(key string) byte { return must(parseCharacter(o.Text(key))) }

// Word is the value of an option of type Word, as the option's Words spell it.
func (o *Options) Word(key string) string { return must(parseWord(o.Text(key), o.declared[key].Words)) }

// must takes the value of a parse that cannot fail, since the options have been checked.
func must[T any](v T, err error) T {
	if err != nil {
		panic("connector: unchecked option: " + err.Error())
	}
	return v
}
