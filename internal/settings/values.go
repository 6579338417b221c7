package settings

import (
	"fmt"
	"maps"
)

// Values holds what has been set; everything else has its default. The zero Values has nothing set. Copies share what they
// hold: Clone makes one that does not.
type Values struct{ given map[string]string }

// Set gives the named setting a value after checking it.
func (v *Values) Set(name, value string) error {
	s, err := Lookup(name)
	if err != nil {
		return err
	}
	if err := s.Check(value); err != nil {
		return fmt.Errorf("setting '%s': %w", s.Key, err)
	}
	if v.given == nil {
		v.given = map[string]string{}
	}
	v.given[s.Key] = value
	return nil
}

// Reset gives the named setting its default again.
func (v *Values) Reset(name string) error {
	s, err := Lookup(name)
	if err != nil {
		return err
	}
	delete(v.given, s.Key)
	return nil
}

// ResetAll gives every setting its default again.
func (v *Values) ResetAll() { v.given = nil }

// Take sets the named settings to what they have been set to in from; those that have not been set there stay as they are.
func (v *Values) Take(from Values, keys ...string) error {
	for _, key := range keys {
		if value, given := from.given[key]; given {
			if err := v.Set(key, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// Get returns the value of a setting and whether it was set rather than being the default.
func (v Values) Get(s *Setting) (value string, given bool) {
	value, given = v.given[s.Key]
	if !given {
		value = s.Default
	}
	return value, given
}

// Given returns what has been set, by full key.
func (v Values) Given() map[string]string { return maps.Clone(v.given) }

// Equal tells whether the same settings have been given the same values.
func (v Values) Equal(w Values) bool { return maps.Equal(v.given, w.given) }

// Clone returns an independent copy.
func (v Values) Clone() Values { return Values{maps.Clone(v.given)} }

func (v Values) text(s *Setting) string {
	value, _ := v.Get(s)
	return value
}
