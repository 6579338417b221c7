package parser

import "testing"

// BenchmarkCorpus parses all good statements of the corpus; the time is for one statement.
func BenchmarkCorpus(b *testing.B) {
	list := goodStatements(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Parse("q.sql", list[i%len(list)].text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUsual parses a windowed aggregation, the most usual of statements.
func BenchmarkUsual(b *testing.B) {
	const text = `INSERT INTO sink
SELECT auction, window_start, COUNT(*) AS bids, SUM(price) FILTER (WHERE price > 10) AS total, CAST(MAX(price) AS DOUBLE) / 100
FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' MINUTE))
WHERE channel LIKE 'a%' AND price BETWEEN 1 AND 1000
GROUP BY auction, window_start, window_end`
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("q.sql", text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkError parses statements that are wrong, with expected words and repairs.
func BenchmarkError(b *testing.B) {
	var list []example
	for _, e := range corpus(b) {
		if e.group == "error" {
			list = append(list, e)
		}
	}
	for i := 0; b.Loop(); i++ {
		if _, err := Parse("q.sql", list[i%len(list)].text); err == nil {
			b.Fatal("no error")
		}
	}
}

// BenchmarkFormat prints all good statements of the corpus; the time is for one statement.
func BenchmarkFormat(b *testing.B) {
	var stmts []Stmt
	for _, e := range goodStatements(b) {
		stmts = append(stmts, mustParse(b, e.text)...)
	}
	for i := 0; b.Loop(); i++ {
		Format(stmts[i%len(stmts)])
	}
}
