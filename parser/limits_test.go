package parser

import (
	"strings"
	"testing"
	"time"
)

// TestLimits checks that what is too deep or too long is a proper error, and that just less is good.
func TestLimits(t *testing.T) {
	nest := func(open, inner, closes string, n int) string {
		return "SELECT " + strings.Repeat(open, n) + inner + strings.Repeat(closes, n)
	}
	for name, c := range map[string]struct{ good, bad, want string }{
		"brackets":  {nest("(", "a", ")", 100), nest("(", "a", ")", 101), "nested too deeply"},
		"calls":     {nest("f(", "a", ")", 100), nest("f(", "a", ")", 101), "nested too deeply"},
		"subquery":  {nest("(SELECT ", "a", ")", 100), nest("(SELECT ", "a", ")", 101), "nested too deeply"},
		"casts":     {nest("CAST(", "a", " AS INT)", 100), nest("CAST(", "a", " AS INT)", 101), "nested too deeply"},
		"index":     {nest("a[", "a", "]", 100), nest("a[", "a", "]", 101), "nested too deeply"},
		"not":       {nest("NOT ", "a", "", 1000), nest("NOT ", "a", "", 1001), "nested too deeply"},
		"minus":     {nest("- ", "a", "", 1000), nest("- ", "a", "", 100000), "nested too deeply"},
		"case":      {nest("CASE WHEN ", "a", " THEN b END", 1000), nest("CASE WHEN ", "a", " THEN b END", 1001), "nested too deeply"},
		"plus":      {nest("a + ", "a", "", 9900), nest("a + ", "a", "", 10001), "nested too deeply"},
		"postfix":   {nest("", "a", "::INT", 9900), nest("", "a", "::INT", 10001), "nested too deeply"},
		"union":     {nest("", "1", " UNION SELECT 1", 9900), nest("", "1", " UNION SELECT 1", 10001), "nested too deeply"},
		"join":      {nest("", "* FROM a", " CROSS JOIN b", 9900), nest("", "* FROM a", " CROSS JOIN b", 10001), "nested too deeply"},
		"outer":     {nest("", "* FROM a", " LEFT JOIN b ON c", 900), nest("", "* FROM a", " LEFT JOIN b ON c", 1001), "nested too deeply"},
		"type":      {nest("", "CAST(a AS "+strings.Repeat("ARRAY<", 100)+"INT"+strings.Repeat(">", 100)+")", "", 1), nest("", "CAST(a AS "+strings.Repeat("ARRAY<", 101)+"INT"+strings.Repeat(">", 101)+")", "", 1), "nested too deeply"},
		"words":     {nest("", "a", ", b", 60000), nest("", "a", ", b", 70000), "too long"},
		"many nots": {nest("NOT a AND ", "b", "", 3000), nest("", "a", ", b", 70000), "too long"},
		"many case": {nest("CASE WHEN a THEN b END + ", "c", "", 3000), nest("", "a", ", b", 70000), "too long"},
		"many negs": {nest("- a + ", "b", "", 3000), nest("", "a", ", b", 70000), "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			stmts, err := Parse("", c.good)
			if err != nil {
				t.Fatal(clip(err.Error()))
			}
			if len(Format(stmts[0])) == 0 {
				t.Error("prints nothing")
			}
			if _, err := Parse("", c.bad); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestSlow checks that time grows with the length of a text and not with its square, with or without
// an error at its end. The bound is ten times what it takes; other programs may be in the way, but not three times in a row.
func TestSlow(t *testing.T) {
	for name, src := range map[string]string{
		"list":        "SELECT " + strings.Repeat("a + 1, ", 20000) + "b",
		"and":         "SELECT a FROM t WHERE " + strings.Repeat("a AND ", 60000) + "b",
		"error":       "SELECT " + strings.Repeat("a + 1, ", 8000) + "b c d",
		"values":      "INSERT INTO t VALUES " + strings.Repeat("(1, 'x', NULL), ", 10000) + "(2, 'y', NULL)",
		"calls":       "SELECT " + strings.Repeat("f(a, b) OVER (PARTITION BY c + 1), ", 2000) + "b",
		"short error": "SELECT " + strings.Repeat("a + 1, ", 600) + "b c d",
		"columns":     "CREATE TABLE t (" + strings.Repeat("a INT COMMENT 'x', ", 20000) + "b INT)",
		"statements":  strings.Repeat("SELECT a FROM t;", 5000),
		"semicolons":  strings.Repeat(";", 100000),
		"words":       strings.Repeat("a ", 100000),
		"brackets":    "SELECT " + strings.Repeat("(a), ", 20000) + "b",
		"quote":       "SELECT '" + strings.Repeat("''", 100000),
	} {
		const bound = 4 * time.Second
		took := bound
		for try := 0; try < 3 && took >= bound; try++ {
			start := time.Now()
			Parse("", src)
			took = time.Since(start)
		}
		if took >= bound {
			t.Errorf("%s takes %v", name, took)
		} else {
			t.Logf("%s: %d bytes in %v", name, len(src), took)
		}
	}
}
