package session

import (
	"context"
	"errors"

	"streamsql/catalog"
	"streamsql/parser"
)

func init() {
	register(runAlterTable, Command{"ALTER TABLE [IF EXISTS] t RENAME TO u | SET ('key' = 'value', …) | RESET ('key', …)", "rename a table, or change its options"})
}

func runAlterTable(_ context.Context, s *Session, st statement, alter *parser.AlterTable) (*Result, error) {
	name := alter.Name.Last().Name
	if _, err := s.objects.Relation(name); alter.IfExists && errors.As(err, new(*catalog.NotFoundError)) {
		return confirmation("there is no table %s", name), nil
	}
	old, changed, err := s.planner().AlterTable(alter, st.in())
	if err != nil {
		return nil, err
	}
	if err := s.objects.Alter(old, changed); err != nil {
		about := alter.Name
		if alter.RenameTo != nil && errors.As(err, new(*catalog.ExistsError)) {
			about = *alter.RenameTo
		}
		return nil, objectError(st, about, err)
	}
	if err := s.addErrorTable(changed); err != nil {
		return nil, err
	}
	return confirmation("table %s altered", name), nil
}
