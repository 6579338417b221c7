package session

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"streamsql/parser"
)

// Command documents one form of a statement.
type Command struct {
	Synopsis string // "SHOW TABLES [LIKE 'pattern']"
	Doc      string // one line
}

// commands holds what each type of statement does.
var commands = map[reflect.Type]func(context.Context, *Session, statement) (*Result, error){}

// synopses documents them.
var synopses []Command

// Commands lists the statements a session knows, in the order of their text.
func Commands() []Command {
	sorted := slices.Clone(synopses)
	slices.SortFunc(sorted, func(a, b Command) int { return strings.Compare(a.Synopsis, b.Synopsis) })
	return sorted
}

// register makes run the meaning of statements of type S.
func register[S parser.Stmt](run func(context.Context, *Session, statement, S) (*Result, error), docs ...Command) {
	commands[reflect.TypeFor[S]()] = func(ctx context.Context, s *Session, st statement) (*Result, error) {
		return run(ctx, s, st, st.tree.(S))
	}
	synopses = append(synopses, docs...)
}

// command finds what a statement does.
func command(st statement) (func(context.Context, *Session, statement) (*Result, error), error) {
	if run := commands[reflect.TypeOf(st.tree)]; run != nil {
		return run, nil
	}
	words := strings.Fields(st.text())
	n := 2
	if len(words) > 1 && strings.EqualFold(words[1], "MATERIALIZED") {
		n = 3
	}
	return nil, st.errorAt(st.tree.At(), fmt.Sprintf("%s is not a statement of this version", strings.ToUpper(strings.Join(words[:min(n, len(words))], " "))),
		"help; lists the statements")
}
