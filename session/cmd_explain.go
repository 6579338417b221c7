package session

import (
	"context"
	"strings"
	"time"

	"streamsql/parser"
)

func init() {
	register(runExplain, Command{"EXPLAIN [(LOGICAL | PHYSICAL | CHANGELOG | STATE | GUARANTEE | ADVICE | JSON)] statement", "show how a statement would be run"})
}

func runExplain(_ context.Context, s *Session, st statement, x *parser.Explain) (*Result, error) {
	text, err := s.planner().Explain(x.Stmt, st.in(), x.Details...)
	if err != nil {
		return nil, err
	}
	return textResult("plan", text), nil
}

// textResult is a text to be read, as a table of one row.
func textResult(column, text string) *Result {
	g := newGrid(time.UTC, textField(column))
	g.add(strings.TrimRight(text, "\n"))
	r := g.result()
	r.Rows.Text = true
	return r
}
