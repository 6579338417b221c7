package session

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// wantedFunctions reads the names that must be there.
func wantedFunctions(t *testing.T) (names []string) {
	t.Helper()
	list, err := os.ReadFile("testdata/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if group, rest, ok := strings.Cut(line, ": "); ok && !strings.HasPrefix(group, " ") {
			line = rest
		}
		names = append(names, strings.Fields(line)...)
	}
	return names
}

// TestShowFunctions wants all functions to be listed.
func TestShowFunctions(t *testing.T) {
	b := newBench(t)
	listed := b.run("SHOW FUNCTIONS")
	for _, name := range wantedFunctions(t) {
		if !slices.ContainsFunc(listed, func(line string) bool { return strings.HasPrefix(line, name+"|") }) {
			t.Errorf("SHOW FUNCTIONS lacks %s", name)
		}
		if len(functionsNamed(name)) == 0 {
			t.Errorf("%s is no function", name)
		}
	}
}

// TestFunctionsAreDocumented wants every function to say what it does, and how.
func TestFunctionsAreDocumented(t *testing.T) {
	for _, f := range Functions() {
		if f.Doc == "" || f.Example == "" || len(f.Syntax) == 0 || f.Category == "" {
			t.Errorf("%+v lacks something", f)
		}
		planned := !slices.Contains([]string{"scalar", "aggregate"}, f.Kind) || f.Name == "EXISTS" || f.Category == "change"
		if f.Result == "" && !planned {
			t.Errorf("%s has no result for its example", f.Name)
		}
	}
}

// TestExamplesArePlanned plans the examples that only a query can give a meaning.
func TestExamplesArePlanned(t *testing.T) {
	b := newBench(t)
	b.run(`CREATE TABLE bid (auction BIGINT, price BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
		WITH ('connector' = 'datagen')`)
	for _, f := range Functions() {
		switch f.Kind {
		case "over":
			b.run("EXPLAIN SELECT " + f.Example + " FROM bid")
		case "window", "grouping", "table":
			b.run("EXPLAIN " + f.Example)
		}
	}
}

func TestWays(t *testing.T) {
	for syntax, want := range map[string][]string{
		"COUNT(*) | COUNT(x)":                 {"COUNT(*)", "COUNT(x)"},
		"F(x) [RESPECT NULLS | IGNORE NULLS]": {"F(x) [RESPECT NULLS | IGNORE NULLS]"},
	} {
		if got := ways(syntax); !slices.Equal(got, want) {
			t.Errorf("%s: %q", syntax, got)
		}
	}
}

func TestDescribeFunction(t *testing.T) {
	b := newBench(t)
	b.want("DESCRIBE FUNCTION len", "name|CHAR_LENGTH", "alias|CHARACTER_LENGTH", "alias|LENGTH", "alias|LEN", "kind|scalar", "category|string",
		"syntax|CHAR_LENGTH(string)", "description|The number of characters of the string.",
		"example|CHAR_LENGTH('日本')", "result|2")
	b.want("DESCRIBE FUNCTION tumble_start", "name|TUMBLE_START", "kind|window", "syntax|TUMBLE_START(time, size [, offset])",
		"description|The first moment of the window, as a TIMESTAMP.",
		"example|SELECT TUMBLE_START(ts, INTERVAL '5' MINUTE) AS bound, COUNT(*) AS bids FROM bid GROUP BY TUMBLE(ts, INTERVAL '5' MINUTE)")
	b.run("CREATE FUNCTION twice(x BIGINT) RETURNS BIGINT RETURN x * 2")
	if got := b.run("DESCRIBE FUNCTION twice")[0]; !strings.HasPrefix(got, "CREATE TEMPORARY FUNCTION twice") {
		t.Error(got)
	}
	if got := b.fail("DESCRIBE FUNCTION nope"); !strings.Contains(got, "unknown function 'nope'") {
		t.Error(got)
	}
}
