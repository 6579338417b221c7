package session

import (
	"context"
	"errors"
	"strings"
	"time"

	"streamsql/internal/settings"
	"streamsql/parser"
)

func init() {
	register(runSet,
		Command{"SET 'key' = 'value'", "change a setting of the session"},
		Command{"SET", "list the settings that are not at their defaults"})
	register(runReset, Command{"RESET ['key']", "give a setting, or all of them, the default again"})
}

func runSet(_ context.Context, s *Session, st statement, set *parser.Set) (*Result, error) {
	if set.Key == nil {
		return s.givenSettings(), nil
	}
	if err := s.settings.Set(set.Key.Value, set.Value.Value); err != nil {
		return nil, settingError(st, set.Key, set.Value, err)
	}
	key, _ := settings.Lookup(set.Key.Value)
	return confirmation("%s = %s", key.Key, set.Value.Value), nil
}

// settingError puts an error about a setting at its key if that is unknown, else at its value.
func settingError(st statement, key, value *parser.Text, err error) error {
	if unknown := (*settings.UnknownError)(nil); errors.As(err, &unknown) {
		hint := "SHOW SETTINGS lists them"
		if unknown.Nearest != "" {
			hint = "did you mean '" + unknown.Nearest + "'?"
		}
		return st.errorAt(key.At(), "unknown setting '"+key.Value+"'", hint)
	}
	msg, hint, _ := strings.Cut(err.Error(), "; ")
	return st.errorAt(value.At(), msg, hint)
}

func runReset(_ context.Context, s *Session, st statement, reset *parser.Reset) (*Result, error) {
	if reset.Key == nil {
		s.settings.ResetAll()
		return confirmation("all settings are at their defaults"), nil
	}
	if err := s.settings.Reset(reset.Key.Value); err != nil {
		return nil, settingError(st, reset.Key, reset.Key, err)
	}
	key, _ := settings.Lookup(reset.Key.Value)
	return confirmation("%s = %s", key.Key, key.Default), nil
}

// givenSettings lists what is not at its default.
func (s *Session) givenSettings() *Result {
	g := newGrid(time.UTC, textField("key"), textField("value"))
	for _, key := range settings.All() {
		if value, given := s.settings.Get(key); given {
			g.add(key.Key, value)
		}
	}
	return g.result()
}
