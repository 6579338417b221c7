package answers

import (
	"strings"
	"testing"
	"time"
)

const sample = `# a comment

table t
columns x DOUBLE, d DECIMAL(10;3)
row 1, 2.5
row NULL, 'a, b'
x + 1
  = 2; NULL
POWER(x, 2) :: pow(x, 2)

table u
columns g STRING
row 'a'
by g
COUNT(*)
  = 1
`

func TestRoundTrip(t *testing.T) {
	f, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.String(); got != sample {
		t.Errorf("%s", got)
	}
	first, second := f.Tables[0], f.Tables[1]
	if first.Columns[1].Type != "DECIMAL(10,3)" || first.Expressions[1].Other != "pow(x, 2)" || second.By != "g" || second.Expressions[0].Answers != "1" {
		t.Errorf("%+v %+v", first, second)
	}
	cast := func(value, typ string) string { return value + "::" + typ }
	want := "SELECT g AS k, COUNT(*) AS e0 FROM (SELECT n, g::STRING AS g FROM (VALUES (0, 'a')) AS v (n, g)) AS t GROUP BY g"
	if got := second.Query([]string{"COUNT(*)"}, cast); got != want {
		t.Errorf("%s", got)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"x + 1":          "line 1: there is no table yet",
		"table t\n  = 1": "line 2: these answers belong to no expression",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{nil, "NULL"},
		{true, "TRUE"},
		{"a\"b", `"a\"b"`},
		{[]byte{1, 255}, "x01FF"},
		{0.1, "0.1"},
		{float32(0.1), "0.1"},
		{int64(7), "7"},
		{Number("1.500"), "1.5"},
		{Number("100"), "100"},
		{Number("2.000"), "2"},
		{[]any{int64(1), nil}, "[1, NULL]"},
		{time.Date(2024, 2, 29, 1, 2, 3, 500_000_000, time.UTC), "2024-02-29T01:02:03.5"},
	} {
		if got := Text(c.value); got != c.want {
			t.Errorf("%v is %s, want %s", c.value, got, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"1; NULL", "1; NULL", true},
		{"0.30000000000000004", "0.3", true},
		{"0.301", "0.3", false},
		{"[1, 2]", "[1]", false},
		{`"a"`, `"b"`, false},
		{"1", "NULL", false},
		{"[0.1, 7]; 3", "[0.10000000000000001, 7]; 3", true},
	} {
		if Same(c.a, c.b) != c.want {
			t.Errorf("%s and %s", c.a, c.b)
		}
	}
}
