package planner

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"streamsql/catalog"
	"streamsql/parser"
)

const explainTables = `
CREATE TABLE t (g STRING, a BIGINT, b BIGINT, tags ARRAY<STRING>, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'test');
CREATE TABLE rates (g STRING, rate BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts, PRIMARY KEY (g) NOT ENFORCED) WITH ('connector' = 'test');
CREATE TABLE newest (g STRING, a BIGINT, PRIMARY KEY (g) NOT ENFORCED) WITH ('connector' = 'test', 'upsert' = 'true', 'changelog' = 'true');
CREATE TABLE s (g STRING, n BIGINT) WITH ('connector' = 'test', 'changelog' = 'true');`

// explainedStatements have, all together, every kind of operator.
var explainedStatements = []string{
	"VALUES (1, 'a'), (2, 'b')",
	"SELECT g, a + 1 FROM t WHERE a > 1",
	"INSERT INTO s SELECT g, COUNT(*) FROM t GROUP BY g",
	"EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT g, a FROM t; INSERT INTO s SELECT g, SUM(a) FROM t GROUP BY g; END",
	"SELECT window_start, g, COUNT(DISTINCT a) FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY window_start, window_end, g",
	"SELECT SESSION_END(ts, INTERVAL '1' MINUTE), SUM(a) FROM t GROUP BY g, SESSION(ts, INTERVAL '1' MINUTE)",
	"SELECT g FROM t UNION ALL SELECT g FROM rates",
	"SELECT g FROM t INTERSECT ALL SELECT g FROM rates",
	"SELECT * FROM t AS x LEFT JOIN t AS y ON x.a = y.a AND x.b < y.b",
	"SELECT * FROM t AS x JOIN t AS y ON x.a = y.a AND x.ts BETWEEN y.ts - INTERVAL '1' MINUTE AND y.ts",
	`SELECT x.a FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS x JOIN TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) AS y
		ON x.a = y.a AND x.window_start = y.window_start AND x.window_end = y.window_end`,
	"SELECT t.a * r.rate FROM t JOIN rates FOR SYSTEM_TIME AS OF t.ts AS r ON t.g = r.g",
	"SELECT a, tag FROM t CROSS JOIN UNNEST(tags) AS u (tag)",
	"SELECT a, SUM(b) OVER (PARTITION BY g ORDER BY ts ROWS 5 PRECEDING) FROM t",
	"SELECT g, a FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY g ORDER BY b DESC) AS n FROM t) AS x WHERE n <= 3",
	"SELECT g, a FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY g ORDER BY ts) AS n FROM t) AS x WHERE n = 1",
	"SELECT a FROM t ORDER BY b LIMIT 5",
	"SELECT g, SUM(a) FROM newest GROUP BY g",
	"SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY g ORDER BY ts MEASURES LAST(D.a) AS bottom PATTERN (S D+) DEFINE D AS D.a < S.a) AS m",
}

var operatorMethod = regexp.MustCompile(`func \(\*(\w+)\) op\(\)`)

// TestExplainEverything: every detail of EXPLAIN knows every operator there is in a plan.
func TestExplainEverything(t *testing.T) {
	p := New(catalog.New(nil), Settings{})
	if _, err := p.runCommand("ddl", explainTables); err != nil {
		t.Fatal(detail(err))
	}
	seen := map[string]bool{}
	for _, sql := range explainedStatements {
		stmts, err := parser.Parse("", sql)
		if err != nil {
			t.Fatal(detail(err))
		}
		script := catalog.Script{Text: sql}
		roots, err := p.bindAll(stmts[0], script)
		if err != nil {
			t.Errorf("%s", detail(err))
			continue
		}
		planned, err := p.lower(roots...)
		if err != nil {
			t.Fatal(detail(err))
		}
		for _, v := range planned.Graph.Vertices {
			seen[strings.TrimPrefix(fmt.Sprintf("%T", v.Op), "*plan.")] = true
		}
		for _, e := range explanations {
			text, err := p.Explain(stmts[0], script, e.detail)
			if err != nil {
				t.Errorf("%s", detail(err))
			}
			checkExplained(t, e.detail, planned, text)
		}
	}
	for _, name := range operators(t) {
		if !seen[name] {
			t.Errorf("no statement has a %s; there are %q", name, slices.Sorted(maps.Keys(seen)))
		}
	}
}

// checkExplained checks that a picture has every vertex that it is about.
func checkExplained(t *testing.T, d parser.ExplainDetail, planned *Planned, text string) {
	if text == "" || strings.Contains(text, "%!") || strings.Contains(text, "plan.") || strings.Contains(text, "0x") {
		t.Errorf("EXPLAIN (%s) gives %q", d, text)
	}
	if d == parser.ExplainJSON && !json.Valid([]byte(text)) {
		t.Errorf("this is no JSON: %s", text)
	}
	for _, v := range planned.Graph.Vertices {
		shown := d == parser.ExplainPhysical || d == parser.ExplainChangelog || d == parser.ExplainJSON || d == parser.ExplainState && stateText(v, planned.Bounded) != ""
		if shown && !strings.Contains(text, v.ID) {
			t.Errorf("EXPLAIN (%s) has no %s:\n%s", d, v.ID, text)
		}
	}
}

// operators are the names of the types of operators, as the package plan declares them.
func operators(t *testing.T) (names []string) {
	files, err := filepath.Glob("../plan/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range operatorMethod.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names
}
