package session

import (
	"slices"
	"strings"
	"testing"

	"streamsql/parser"
)

func TestMentions(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT a FROM t": "t",
		"SELECT UPPER(a) FROM t AS x JOIN u ON t.a = u.a":                        "UPPER() t u",
		"WITH w AS (SELECT * FROM t) SELECT * FROM w, v":                         "t v",
		"INSERT INTO s SELECT * FROM (SELECT * FROM t)":                          "s t",
		"SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY))": "TUMBLE() t",
		"SELECT a FROM t WHERE a IN (SELECT b FROM u)":                           "t u",
		"DESCRIBE d":                       "d",
		"DROP VIEW IF EXISTS d":            "d",
		"SHOW CREATE TABLE d":              "d",
		"EXPLAIN SELECT * FROM t":          "t",
		"CREATE VIEW v AS SELECT * FROM t": "t",
		"EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT * FROM s; INSERT INTO b SELECT * FROM s; END": "a s b",
		"SELECT 1": "",
	} {
		trees, err := parser.Parse("", sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		var got []string
		for _, m := range mentions(trees[0]) {
			name := m.name
			if m.function {
				name += "()"
			}
			if !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		slices.Sort(got)
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Errorf("%s: got %q, want %q", sql, got, wanted)
		}
	}
}

func TestPaddedKeepsPlaces(t *testing.T) {
	text := "SET 'a' = 'ü';\n/* 中 */ SELECT x FROM t; SELECT 2"
	trees, err := parser.Parse("", text)
	if err != nil {
		t.Fatal(err)
	}
	st := statement{&script{Source: Source{Text: text}}, trees[1]}
	padded := st.padded()
	again, err := parser.Parse("", padded)
	if err != nil || len(again) != 1 {
		t.Fatalf("%q: %v, %v", padded, again, err)
	}
	if got, want := again[0].At(), trees[1].At(); got != want {
		t.Errorf("at %v, want %v", got, want)
	}
	if strings.Count(padded, "\n") != 1 {
		t.Errorf("%q", padded)
	}
}

func TestFilter(t *testing.T) {
	show := func(pattern string, not bool) func(string) bool {
		return filter(&parser.Show{Like: &parser.Text{Value: pattern}, Not: not})
	}
	cases := []struct {
		pattern, name string
		not, want     bool
	}{
		{"nex%", "nexmark", false, true},
		{"nex%", "NEXMARK", false, true},
		{"nex%", "annex", false, false},
		{"%a_c%", "xabcx", false, true},
		{"a.c", "abc", false, false},
		{"", "", false, true},
		{"b%", "abc", true, true},
		{"a%", "abc", true, false},
	}
	for _, c := range cases {
		if got := show(c.pattern, c.not)(c.name); got != c.want {
			t.Errorf("%q LIKE %q (not %v): %v", c.name, c.pattern, c.not, got)
		}
	}
	if !filter(&parser.Show{})("anything") {
		t.Error("without LIKE something is left out")
	}
}
