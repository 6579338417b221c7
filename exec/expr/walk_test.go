package expr

import (
	"slices"
	"testing"
)

var walkColumns = []*Column{{0, "a", BigInt, true}, {1, "b", BigInt, false}, {2, "s", String, true}, {3, "p", Boolean, true}}

func TestColumnsAndRemap(t *testing.T) {
	e := mustBind(t, "CASE WHEN b > 1 AND p THEN a + b ELSE CHAR_LENGTH(s) END", walkColumns...)
	if got := Columns(e); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("columns %v", got)
	}
	moved := Remap(e, map[int]int{0: 7, 1: 1, 2: 9, 3: 3})
	if got := Columns(moved); !slices.Equal(got, []int{1, 3, 7, 9}) {
		t.Errorf("columns %v after remapping", got)
	}
	if moved.String() != e.String() || Equal(moved, e) {
		t.Errorf("%s and %s", moved, e)
	}
	same := Rewrite(e, func(e Expr) Expr { return e })
	if same != e {
		t.Error("an unchanged expression was copied")
	}
}

func TestEqual(t *testing.T) {
	tests := []struct {
		x, y string
		want bool
	}{
		{"a + b", "a + b", true},
		{"a + b", "b + a", false},
		{"a + 1", "a + 1", true},
		{"a + 1", "a + 2", false},
		{"CAST(a AS INT)", "CAST(a AS INT)", true},
		{"CAST(a AS INT)", "TRY_CAST(a AS INT)", false},
		{"CAST(a AS INT)", "CAST(a AS DOUBLE)", false},
		{"p AND a = 1", "p AND a = 1", true},
		{"p AND a = 1", "p OR a = 1", false},
		{"NOW()", "NOW()", true},
		{"CASE WHEN p THEN 1 END", "CASE WHEN p THEN 1 END", true},
		{"CASE WHEN p THEN 1 END", "CASE WHEN p THEN 1 ELSE 2 END", false},
		{"UPPER(s)", "LOWER(s)", false},
		{"ROUND(a)", "ROUND(a, 0)", false},
	}
	for _, test := range tests {
		if got := Equal(mustBind(t, test.x, walkColumns...), mustBind(t, test.y, walkColumns...)); got != test.want {
			t.Errorf("%s equals %s: %v", test.x, test.y, got)
		}
	}
}

func TestProperties(t *testing.T) {
	tests := []struct {
		sql                                   string
		constant, deterministic, fails, nulls bool
	}{
		{"1 + 2", true, true, false, false},
		{"a + 1", false, true, true, true},
		{"b + 1", false, true, true, false},
		{"NOW()", false, false, false, false},
		{"CAST(a AS DOUBLE) + 1", false, true, false, true},
		{"CAST(s AS INT)", false, true, true, true},
		{"TRY_CAST(s AS INT)", false, true, false, true},
		{"a IS NULL", false, true, false, false},
		{"COALESCE(a, 0)", false, true, false, false},
		{"COALESCE(a, a + 1)", false, true, true, true},
		{"a BETWEEN 1 AND b", false, true, false, true},
		{"NULLIF(b, 1)", false, true, false, true},
		{"b > 1 OR p", false, true, false, true},
		{"CASE WHEN p THEN 1 END", false, true, false, true},
		{"CASE WHEN p THEN 1 ELSE 2 END", false, true, false, false},
		{"1 / 0", true, true, true, false},
		{"UPPER(s)", false, true, false, true},
	}
	for _, test := range tests {
		e := mustBind(t, test.sql, walkColumns...)
		if IsConstant(e) != test.constant || IsDeterministic(e) != test.deterministic || CanFail(e) != test.fails || e.Nullable() != test.nulls {
			t.Errorf("%s: constant %v, deterministic %v, can fail %v, nullable %v", e, IsConstant(e), IsDeterministic(e), CanFail(e), e.Nullable())
		}
	}
}

// TestText: the canonical text of an expression binds to an equal one.
func TestText(t *testing.T) {
	tests := map[string]string{ // to the canonical text, if it is another
		"(a + b) * 2": "", "a + b * 2": "", "a - (b - 1)": "", "a - b - 1": "", "-(a + b)": "", "-a": "", "- -a": "-(-a)",
		"NOT (p AND a = 1)": "", "NOT p": "", "(p OR a = 1) AND b = 2": "", "p AND (a = 1 OR b = 2)": "", "a IS NULL": "", "(a + b) IS NOT NULL": "a + b IS NOT NULL",
		"a BETWEEN 1 AND b + 1": "", "a NOT BETWEEN 1 AND 2": "", "a BETWEEN SYMMETRIC b AND 1": "", "a IN (1, 2, b)": "", "a NOT IN (1, 2)": "",
		"s LIKE 'a%'": "", "s NOT LIKE 'a!%' ESCAPE '!'": "", "s ILIKE 'x'": "", "s || 'it''s'": "", "(p IS TRUE) = (a > 1)": "",
		"CASE WHEN p THEN a ELSE b END": "", "CASE a WHEN 1 THEN 'x' END": "CASE WHEN a = 1 THEN 'x' END", "CAST(a AS DECIMAL(10, 2))": "",
		"EXTRACT(YEAR FROM DATE '2024-02-29') + a": "2024 + a", "FLOOR(NOW() TO DAY)": "FLOOR(CURRENT_TIMESTAMP TO DAY)", "TRIM(BOTH 'x' FROM s)": "", "POSITION('a' IN s)": "",
		"TIMESTAMPADD(DAY, a, CURRENT_DATE)": "", "a > 1.5": "CAST(a AS DECIMAL(20, 1)) > 1.5", "a IS DISTINCT FROM b": "", "INTERVAL '10' MINUTE + NOW()": "INTERVAL '10' MINUTE + CURRENT_TIMESTAMP", "1e0 / a": "1.0e0 / CAST(a AS DOUBLE)",
		"`a` + `b`": "a + b", "CURRENT_DATE - INTERVAL '1' MONTH": "", "NULLIF(a, 0)": "", "X'CAFE'": "", "IF(p, 1, 2)": "", "-5 + a": "",
	}
	for sql, want := range tests {
		if want == "" {
			want = sql
		}
		e := mustBind(t, sql, walkColumns...)
		if e.String() != want {
			t.Errorf("%s is written %s, want %s", sql, e, want)
		}
		if again := mustBind(t, e.String(), walkColumns...); again.String() != e.String() {
			t.Errorf("%s reads as %s", e, again)
		}
	}
}
