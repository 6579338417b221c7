package planner

import (
	"testing"

	"streamsql/catalog"
	"streamsql/parser"
)

const benchTables = `
CREATE TABLE bid (ts TIMESTAMP(3), auction BIGINT, bidder BIGINT, price BIGINT, channel STRING, url STRING, extra STRING,
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'test');
CREATE VIEW dear AS SELECT ts, auction, price * 2 AS twice, channel FROM bid WHERE price > 100;`

const benchQuery = `
SELECT auction, channel, window_start, window_end, COUNT(*) AS n, SUM(twice) AS total, MAX(twice) - MIN(twice) AS spread, AVG(twice) AS mean
FROM TABLE(TUMBLE(TABLE dear, DESCRIPTOR(ts), INTERVAL '10' MINUTE))
WHERE channel <> 'test' AND CASE WHEN auction > 5 THEN auction * 2 ELSE 0 END < 1000
GROUP BY auction, channel, window_start, window_end HAVING COUNT(*) > 10`

// A usual query is to be planned within a millisecond.
func BenchmarkPlanQuery(b *testing.B) {
	objects := catalog.New(nil)
	p := New(objects, Settings{})
	if _, err := p.runCommand("ddl", benchTables); err != nil {
		b.Fatal(err)
	}
	stmts, err := parser.Parse("", benchQuery)
	if err != nil {
		b.Fatal(err)
	}
	q, script := stmts[0].(*parser.QueryStmt).Query, catalog.Script{Text: benchQuery}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.PlanQuery(q, script); err != nil {
			b.Fatal(err)
		}
	}
}
