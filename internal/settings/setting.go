// Package settings is the one table of everything a user can SET: keys, short names, types, defaults and documentation. SET,
// SHOW SETTINGS, completion, the command line's --set and the documentation are all made from it.
//
// Keys are Flink's where Flink has one. A setting is declared once, as a typed Key, and read with Key.Of.
package settings

import (
	"slices"
	"strings"
)

// Setting describes one key. It is immutable.
type Setting struct {
	Key     string   // the full name, as Flink writes it
	Aliases []string // other names it goes by, the short one first
	Type    string   // "duration", "boolean", "integer", "number", "string", "time zone" or the allowed words: "a|b|c"
	Default string   // in the form SET takes; "" means not set
	Doc     string   // one line
	check   func(string) error
}

// Check tells whether value may be set.
func (s *Setting) Check(value string) error { return s.check(value) }

// Key is a setting whose value is a T.
type Key[T any] struct {
	*Setting
	parse func(string) (T, error)
}

// Of returns the setting's value in v, or its default.
func (k Key[T]) Of(v Values) T {
	t, err := k.parse(v.text(k.Setting))
	if err != nil { // values are checked as they are set, defaults by a test
		panic("settings: " + k.Key + ": " + err.Error())
	}
	return t
}

// Given tells whether the setting was set to something in v.
func (k Key[T]) Given(v Values) bool {
	_, ok := v.given[k.Key]
	return ok
}

var (
	table  []*Setting              // by key
	byName = map[string]*Setting{} // keys and aliases
)

// All returns every setting, by key.
func All() []*Setting { return slices.Clone(table) }

// Lookup finds a setting by its key or one of its aliases, in any case of letters.
func Lookup(name string) (*Setting, error) {
	if s := byName[strings.ToLower(strings.TrimSpace(name))]; s != nil {
		return s, nil
	}
	return nil, &UnknownError{Name: name, Nearest: nearest(name)}
}

// UnknownError says that there is no setting of that name.
type UnknownError struct {
	Name    string
	Nearest string // the key that may have been meant, or ""
}

func (e *UnknownError) Error() string {
	msg := "unknown setting '" + e.Name + "'"
	if e.Nearest != "" {
		msg += "; did you mean '" + e.Nearest + "'?"
	}
	return msg
}

// declare enters a setting into the table.
func declare[T any](s Setting, parse func(string) (T, error)) Key[T] {
	s.check = func(value string) error { _, err := parse(value); return err }
	at, _ := slices.BinarySearchFunc(table, s.Key, func(have *Setting, key string) int { return strings.Compare(have.Key, key) })
	table = slices.Insert(table, at, &s)
	for _, name := range append([]string{s.Key}, s.Aliases...) {
		byName[name] = &s
	}
	return Key[T]{&s, parse}
}
