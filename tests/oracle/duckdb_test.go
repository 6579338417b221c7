package oracle

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/internal/answers"
	"streamsql/session"
)

// TestAgainstDuckDB evaluates the expressions of which DuckDB's answers are kept.
func TestAgainstDuckDB(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "duckdb.txt"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := answers.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	engine := session.NewEngine(t.TempDir())
	defer engine.Close(t.Context())
	s := engine.NewSession(session.Options{Dir: t.TempDir(), FinalResult: true})
	defer s.Close()
	n := 0
	for _, table := range f.Tables {
		t.Run(table.Name, func(t *testing.T) {
			for _, e := range table.Expressions {
				n++
				got, err := ask(t, s, table, e.Ours)
				if err != nil {
					t.Errorf("%s: %v", e.Ours, err)
				} else if !answers.Same(got, e.Answers) {
					t.Errorf("%s is\n%s\nin DuckDB\n%s", e.Ours, got, e.Answers)
				}
			}
		})
	}
	if n < 150 {
		t.Errorf("only %d expressions are compared", n)
	}
}

// ask gives the answers of ours.
func ask(t *testing.T, s *session.Session, table *answers.Table, expression string) (string, error) {
	query := table.Query([]string{expression}, func(value, typ string) string { return "CAST(" + value + " AS " + typ + ")" })
	type answer struct{ key, text string }
	var all []answer
	for result, err := range s.Execute(t.Context(), session.Source{Text: query}) {
		if err != nil {
			return "", err
		}
		for b, err := range result.Rows.All(t.Context()) {
			if err != nil {
				return "", err
			}
			for i := range b.Len() {
				row := b.Row(i)
				all = append(all, answer{fmt.Sprintf("%6s", b.Cols[0].ValueStr(row)), answers.Text(plain(b.Cols[1], row))})
			}
			b.Release()
		}
	}
	slices.SortFunc(all, func(a, b answer) int { return cmp.Compare(a.key, b.key) })
	var texts []string
	for _, a := range all {
		texts = append(texts, a.text)
	}
	return answers.Join(texts), nil
}

// plain is a value in the types that answers knows.
func plain(arr arrow.Array, row int) any {
	if arr.IsNull(row) {
		return nil
	}
	switch arr := arr.(type) {
	case *array.Boolean:
		return arr.Value(row)
	case *array.Float64:
		return arr.Value(row)
	case *array.Float32:
		return arr.Value(row)
	case *array.String:
		return arr.Value(row)
	case *array.Binary:
		return arr.Value(row)
	case *array.Timestamp:
		return arr.Value(row).ToTime(arr.DataType().(*arrow.TimestampType).Unit)
	case *array.Date32:
		return time.Unix(int64(arr.Value(row))*86400, 0)
	case *array.Decimal128:
		return answers.Number(arr.ValueStr(row))
	case *array.List:
		from, to := arr.ValueOffsets(row)
		elements := []any{}
		for i := from; i < to; i++ {
			elements = append(elements, plain(arr.ListValues(), int(i)))
		}
		return elements
	}
	return answers.Number(fmt.Sprint(arr.ValueStr(row)))
}
