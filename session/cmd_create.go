package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
)

func init() {
	register(runCreateTable, Command{
		"CREATE [TEMPORARY] TABLE [IF NOT EXISTS] t (columns) WITH ('connector' = '…', …)",
		"define a table by where its rows come from or go to",
	}, Command{
		"CREATE TABLE t WITH ('connector' = '…', …) AS SELECT …",
		"define a table by a query and start the job that fills it",
	}, Command{
		"CREATE TABLE t WITH (…) LIKE other [(INCLUDING | EXCLUDING | OVERWRITING ALL | OPTIONS | …)]",
		"define a table by another one",
	}, Command{
		"CREATE EXTERNAL TABLE t (columns) TYPE json LOCATION '…' [TBLPROPERTIES '{…}']",
		"define a table in Beam SQL's form",
	})
	register(runCreateView, Command{"CREATE [OR REPLACE] [TEMPORARY] VIEW [IF NOT EXISTS] v AS SELECT …", "give a query a name"})
	register(runCreateFunction, Command{
		"CREATE [OR REPLACE] [TEMPORARY] FUNCTION f(x BIGINT) RETURNS BIGINT RETURN x + 1",
		"define a function by an expression",
	})
	register(runDrop, Command{"DROP TABLE | VIEW | FUNCTION [IF EXISTS] x", "remove an object"})
}

func runCreateTable(ctx context.Context, s *Session, st statement, tree *parser.CreateTable) (*Result, error) {
	definition := *tree
	definition.Temporary = tree.Temporary || !s.options.Persist
	if tree.As != nil {
		return s.createTableAs(ctx, st, &definition)
	}
	table, err := s.planner().CreateTable(&definition, st.in())
	if err != nil {
		return nil, err
	}
	return s.create(st, tree.Name, table, conflict(tree.IfNotExists, false))
}

func runCreateView(_ context.Context, s *Session, st statement, tree *parser.CreateView) (*Result, error) {
	definition := *tree
	definition.Temporary = tree.Temporary || !s.options.Persist
	view, err := s.planner().CreateView(&definition, st.in())
	if err != nil {
		return nil, err
	}
	return s.create(st, tree.Name, view, conflict(tree.IfNotExists, tree.OrReplace))
}

func runCreateFunction(_ context.Context, s *Session, st statement, tree *parser.CreateFunction) (*Result, error) {
	definition := *tree
	definition.Temporary = tree.Temporary || !s.options.Persist
	function, err := s.planner().CreateFunction(&definition, st.in())
	if err != nil {
		return nil, err
	}
	return s.create(st, tree.Name, function, conflict(tree.IfNotExists, tree.OrReplace))
}

func conflict(ifNotExists, orReplace bool) catalog.OnConflict {
	switch {
	case ifNotExists:
		return catalog.Keep
	case orReplace:
		return catalog.Replace
	}
	return catalog.Refuse
}

// create puts an object into the catalog.
func (s *Session) create(st statement, name parser.Name, o catalog.Object, c catalog.OnConflict) (*Result, error) {
	if err := s.objects.Create(o, c); err != nil {
		return nil, objectError(st, name, err)
	}
	if err := s.addErrorTable(o); err != nil {
		return nil, err
	}
	return confirmation("%s %s created", kindWord(o.Kind()), o.ObjectName()), nil
}

// confirmation is the result of a statement that has done what it says.
func confirmation(format string, args ...any) *Result {
	return &Result{Message: fmt.Sprintf(format, args...), Minor: true}
}

func kindWord(k parser.ObjectKind) string { return strings.ToLower(string(k)) }

// objectError puts an error of the catalog at the name it is about. Errors of the store stay what they are.
func objectError(st statement, name parser.Name, err error) error {
	var unknown *catalog.NotFoundError
	var exists *catalog.ExistsError
	var used *catalog.InUseError
	var scope *catalog.ScopeError
	switch {
	case errors.As(err, &unknown):
		return st.errorAt(name.At(), unknown.Error(), unknown.Hint)
	case errors.As(err, &exists):
		return st.errorAt(name.At(), exists.Error(), "DROP it first, or give the new one another name")
	case errors.As(err, &used), errors.As(err, &scope):
		return st.errorAt(name.At(), err.Error())
	}
	return err
}

func runDrop(_ context.Context, s *Session, st statement, drop *parser.Drop) (*Result, error) {
	name := drop.Name.Last().Name
	err := s.objects.Drop(drop.Kind, name)
	if err == nil && drop.Kind == parser.ObjectTable {
		_ = s.objects.Drop(drop.Kind, name+errorsSuffix) // most tables have none
	}
	if unknown := (*catalog.NotFoundError)(nil); drop.IfExists && errors.As(err, &unknown) {
		return confirmation("there is no %s %s", kindWord(drop.Kind), name), nil
	}
	if err != nil {
		return nil, objectError(st, drop.Name, err)
	}
	return confirmation("%s %s dropped", kindWord(drop.Kind), name), nil
}
