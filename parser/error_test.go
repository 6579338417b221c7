package parser

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGoldenErrors compares the errors of all bad statements with what they were.
func TestGoldenErrors(t *testing.T) {
	var b strings.Builder
	for _, e := range corpus(t) {
		if strings.HasPrefix(e.want, "err:") {
			_, err := Parse("q.sql", e.text)
			b.WriteString("=== " + e.name + "\n" + details(err) + "\n")
		}
	}
	const file = "testdata/errors.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d of %s is now\n%s\nand was\n%s\n(go test -update writes it)", i+1, file, strings.Join(got[i:min(i+5, len(got))], "\n"), line)
		}
	}
}

func TestErrorLine(t *testing.T) {
	_, err := Parse("q.sql", "SELECT *\nFORM bid")
	want := "q.sql:2:1: unexpected 'FORM' (did you mean FROM?)"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = Parse("", "SELECT 1;\nSELECT a b 1; SELEC")
	want = "2:12: unexpected number 1, expected ',', FROM or the end of the statement (missing comma before number 1?)\n" +
		"2:15: unexpected 'SELEC', expected a statement such as SELECT, INSERT, CREATE or EXPLAIN (did you mean SELECT?)"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestErrorAt checks the errors of later layers, and how places are drawn.
func TestErrorAt(t *testing.T) {
	const src = "SELECT a\nFROM\t'用户' x\nWHERE é = ☃"
	for _, c := range []struct{ part, want string }{
		{"a", "error: no\n  --> f:1:8\n 1 | SELECT a\n   |        ^\n  hint: try b"},
		{"'用户'", "error: no\n  --> f:2:6\n 2 | FROM    '用户' x\n   |         ^^^^^^\n  hint: try b"},
		{"x", "error: no\n  --> f:2:11\n 2 | FROM    '用户' x\n   |                ^\n  hint: try b"},
		{"☃", "error: no\n  --> f:3:11\n 3 | WHERE é = ☃\n   |           ^\n  hint: try b"},
		{"x\nWHERE", "error: no\n  --> f:2:11\n 2 | FROM    '用户' x\n   |                ^\n  hint: try b"},
	} {
		lo := strings.Index(src, c.part)
		if c.part == "a" {
			lo = 7
		}
		e := ErrorAt("f", src, Span{int32(lo), int32(lo + len(c.part))}, "no", "try b")
		if got := e.Detail(); got != c.want {
			t.Errorf("%q is drawn\n%s\nwant\n%s", c.part, got, c.want)
		}
	}
}

func TestLongLine(t *testing.T) {
	src := strings.Repeat("x", 300) + "!" + strings.Repeat("y", 300)
	_, carets := drawLine(src, Span{300, 301})
	text, _ := drawLine(src, Span{300, 301})
	if at := strings.IndexByte(carets, '^'); cells(text) > maxCells+1 || []rune(text)[at] != '!' {
		t.Errorf("%d cells, the caret is under %q", cells(text), []rune(text)[at])
	}
	text, carets = drawLine(src, Span{0, 600})
	if cells(text) > maxCells+1 || len(carets) > maxCells+1 {
		t.Errorf("%d cells, %d carets", cells(text), len(carets))
	}
}

func TestPosition(t *testing.T) {
	const src = "ab\ncé d\n"
	for offset, want := range map[int][2]int{0: {1, 1}, 2: {1, 3}, 3: {2, 1}, 6: {2, 3}, 9: {3, 1}, 99: {3, 1}, -1: {1, 1}} {
		if line, col := Position(src, offset); line != want[0] || col != want[1] {
			t.Errorf("offset %d is at %d:%d, want %v", offset, line, col, want)
		}
	}
}

func TestIncomplete(t *testing.T) {
	for src, want := range map[string]bool{
		"SELECT": true, "SELECT a FROM": true, "SELECT (a": true, "SELECT 'a": true, "SELECT \"a": true, "SELECT /* a": true,
		"SELECT a FROM t WHERE": true, "SELECT a FROM t GROUP": true, "SELECT 1 +": true, "EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1;": true,
		"SELECT a b c": false, "SELECT a FROM;": false, "SELECT (a;": false, "SELECT ) FROM": false, "SELEC a": false, "SELECT a FROM t WHERE GROUP BY": false,
	} {
		_, err := Parse("", src)
		list := allErrors(err)
		if len(list) != 1 || list[0].Incomplete != want {
			t.Errorf("%q: %v, want incomplete %t", src, err, want)
		}
	}
}

func TestComplete(t *testing.T) {
	for src, want := range map[string]bool{
		"": true, " -- x": true, "SELECT 1": false, "SELECT 1;": true, "SELECT 1; -- x\n": true, "SELECT ';": false, "SELECT 1; SELECT": false,
		"EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1;": false, "EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT 1; END;": true,
		"SELECT /* ; ": false, "SELECT ) ;": true, "/* open": false,
	} {
		if got := Complete(src); got != want {
			t.Errorf("%q is complete: %t", src, got)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"parallelism.default", "checkpoint.interval", "price", "name"}
	for word, want := range map[string]string{
		"prize": "price", "PRICE": "price", "nmae": "name", "checkpoint.intervall": "checkpoint.interval", "x": "", "total": "", "naem": "name",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("%s is near to %q, want %q", word, got, want)
		}
	}
}

func TestBadSource(t *testing.T) {
	_, err := Parse("f", "SELECT 1;\n\xff")
	if err == nil || err.Error() != "f:2:1: the byte 0xff is no UTF-8 text" {
		t.Error(err)
	}
	if _, err := ParseExpr("f", "a\xff"); err == nil {
		t.Error("no error")
	}
	if _, err := ParseExpr("f", "a b"); err == nil {
		t.Error("no error")
	}
	if stmts, err := Parse("f", " ; -- nothing\n;"); err != nil || len(stmts) != 0 {
		t.Error(stmts, err)
	}
}
