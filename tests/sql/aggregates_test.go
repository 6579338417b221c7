package sql

import (
	"testing"

	"streamsql/exec/agg"
	"streamsql/internal/text"
	"streamsql/session"
)

// TestAggregateExamples runs the examples of the documentation.
func TestAggregateExamples(t *testing.T) {
	e := newEngine(t, t.TempDir())
	for _, f := range agg.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			if got := e.value(t, f.Example); got != f.ExampleResult {
				t.Errorf("%s is %s, want %s", f.Example, got, f.ExampleResult)
			}
		})
	}
}

// value is the text of the only value of a query.
func (e *engine) value(t *testing.T, query string) string {
	s := e.NewSession(session.Options{Dir: e.dir, FinalResult: true})
	defer s.Close()
	var got string
	for result, err := range s.Execute(t.Context(), session.Source{Text: query}) {
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for b, err := range result.Rows.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Len() {
				rows++
				got = string(text.SQL(nil).Append(nil, b.Cols[0], b.Row(i)))
			}
			b.Release()
		}
		if rows != 1 {
			t.Fatalf("%s has %d rows", query, rows)
		}
	}
	return got
}
