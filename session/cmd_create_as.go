package session

import (
	"context"
	"errors"

	"streamsql/catalog"
	"streamsql/parser"
)

// createTableAs creates the table of a query and starts the job that fills it.
func (s *Session) createTableAs(ctx context.Context, st statement, tree *parser.CreateTable) (*Result, error) {
	table, insert, err := s.planner().CreateTableAs(tree, st.in())
	if err != nil {
		return nil, err
	}
	if _, err := s.objects.Relation(table.Name); err == nil && tree.IfNotExists {
		return confirmation("there is a table %s already", table.Name), nil
	}
	if _, err := s.create(st, tree.Name, table, catalog.Refuse); err != nil {
		return nil, err
	}
	result, err := s.fill(ctx, st, insert)
	if err != nil {
		return nil, errors.Join(err, s.objects.Drop(parser.ObjectTable, table.Name))
	}
	return result, nil
}

// fill runs the INSERT that is part of a statement, as a statement of its own.
func (s *Session) fill(ctx context.Context, st statement, insert *parser.Insert) (*Result, error) {
	part := *st.script
	part.Text = parser.Format(insert)
	trees, err := parser.Parse(part.Name, part.Text)
	if err != nil {
		return nil, err
	}
	result, err := runInsert(ctx, s, statement{&part, trees[0]}, trees[0].(*parser.Insert))
	st.script.started = part.started
	return result, err
}
