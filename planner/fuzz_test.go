package planner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"streamsql/catalog"
	"streamsql/parser"
)

const fuzzTables = `
CREATE TABLE t (ts TIMESTAMP(3), k STRING, a BIGINT, b INT, d DOUBLE, ok BOOLEAN, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'test');
CREATE TABLE u (k STRING, a BIGINT, c AS a + 1) WITH ('connector' = 'test', 'bounded' = 'true');
CREATE VIEW v AS SELECT k, SUM(a) AS s FROM t GROUP BY k;`

// FuzzPlan: whatever parses is planned or refused with a placed error, and what is planned can be drawn.
func FuzzPlan(f *testing.F) {
	for _, sql := range goldenStatements(f) {
		f.Add(sql)
	}
	objects := catalog.New(nil)
	if _, err := New(objects, Settings{}).runCommand("ddl", fuzzTables); err != nil {
		f.Fatal(err)
	}
	details := []parser.ExplainDetail{parser.ExplainLogical, parser.ExplainPhysical, parser.ExplainChangelog, parser.ExplainState, parser.ExplainAdvice, parser.ExplainJSON}
	f.Fuzz(func(t *testing.T, sql string) {
		stmts, err := parser.Parse("", sql)
		if err != nil {
			return
		}
		p := New(objects, Settings{FinalResult: len(sql)%2 == 0})
		script := catalog.Script{Text: sql}
		for _, s := range stmts {
			switch s := s.(type) {
			case *parser.QueryStmt, *parser.Insert, *parser.StatementSet:
				_, err = p.Explain(s, script, details...)
			case *parser.CreateTable:
				_, err = p.CreateTable(s, script)
			case *parser.CreateView:
				_, err = p.CreateView(s, script)
			case *parser.CreateFunction:
				_, err = p.CreateFunction(s, script)
			}
			var placed *parser.Error
			if err != nil && !errors.As(err, &placed) {
				t.Errorf("an error without a place: %v", err)
			}
		}
	})
}

// goldenStatements are the statements of the golden files, over the tables of the fuzz test.
func goldenStatements(f *testing.F) []string {
	var all []string
	files, _ := filepath.Glob("testdata/*.test")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range strings.Split(string(text), "\n\n") {
			if head, _, ok := strings.Cut(block, "----\n"); ok {
				_, sql, _ := strings.Cut(head, "\n")
				all = append(all, sql, renameTables(sql))
			}
		}
	}
	return all
}

// renameTables makes statements about t of those about other tables.
func renameTables(sql string) string {
	return strings.NewReplacer("bid", "t", "plain", "u", "src", "t", "auction", "a", "price", "b", "sink", "u").Replace(sql)
}
