package expr

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/internal/dirty"
)

// TestBindErrors checks the words, and which argument is marked.
func TestBindErrors(t *testing.T) {
	columns := []*Column{{0, "i", Int, true}, {1, "s", String, true}, {2, "ts", Timestamp(3), true}, {3, "b", Boolean, true}}
	tests := []struct {
		sql string
		arg int
		msg string
	}{
		{"ABS(s)", 0, "ABS takes a number, got STRING"},
		{"ABS(i, i)", -1, "ABS takes 1 argument, got 2"},
		{"SUBSTRING(s)", -1, "SUBSTRING takes 2 or 3 arguments, got 1"},
		{"COALESCE()", -1, "COALESCE takes at least 1 argument, got 0"},
		{"LEFT(s, s)", 1, "argument 2 of LEFT must be an integer, got STRING"},
		{"NOT i", 0, "NOT takes a BOOLEAN, got INT"},
		{"i + s", 1, "cannot add INT and STRING"},
		{"b - i", 0, "cannot subtract BOOLEAN and INT"},
		{"i = s", 1, "cannot compare INT with STRING; CAST one of them"},
		{"ts < i", 1, "cannot compare TIMESTAMP(3) with INT; CAST one of them"},
		{"i = 'x'", 1, "'x' is not a value of type INT"},
		{"ts = 'yesterday'", 1, "'yesterday' is not a value of type TIMESTAMP(3)"},
		{"i IN (1, s)", 2, "cannot compare INT with STRING; CAST one of them"},
		{"CAST(ts AS INT)", 0, "cannot cast TIMESTAMP(3) to INT"},
		{"CASE WHEN i THEN 1 END", 0, "WHEN takes a BOOLEAN, got INT"},
		{"CASE WHEN b THEN 1 ELSE 'x' END", 2, "the results of CASE are INT and STRING; CAST one of them"},
		{"CASE WHEN b THEN i WHEN b THEN s END", 3, "the results of CASE are INT and STRING; CAST one of them"},
		{"b AND i", 1, "AND takes a BOOLEAN, got INT"},
		{"COALESCE(i, s)", -1, "the arguments of COALESCE have no common type: INT and STRING; CAST them"},
		{"EXTRACT(MILLENIUM FROM ts)", -2, ""},
		{"NOW(1)", -1, "CURRENT_TIMESTAMP takes no arguments, got 1"},
	}
	for _, test := range tests {
		_, err := bindText(test.sql, Settings{}, columns...)
		var arg *ArgumentError
		switch {
		case test.arg == -2:
		case !errors.As(err, &arg):
			t.Errorf("%s: %v", test.sql, err)
		case arg.Arg != test.arg || arg.Msg != test.msg:
			t.Errorf("%s: argument %d, %q, want %d, %q", test.sql, arg.Arg, arg.Msg, test.arg, test.msg)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	_, err := NewCall("UPER", []Expr{NewString("a")}, Settings{})
	var unknown *UnknownNameError
	if !errors.As(err, &unknown) || !slices.Contains(unknown.Candidates, "UPPER") || err.Error() != "there is no function UPER" {
		t.Errorf("%v, %+v", err, unknown)
	}
	_, err = TypeOf("BIGGINT", nil)
	if !errors.As(err, &unknown) || unknown.Candidates[0] != "BIGINT" {
		t.Errorf("%v, %+v", err, unknown)
	}
}

// TestEvalErrors checks that an error names expression and row.
func TestEvalErrors(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch, columns := table(t, mem, "a INT, b INT, s STRING, d DECIMAL(38,0)",
		"1|1|7|1", "5|0|x y|1", "2147483647|2|"+strings.Repeat("long ", 20)+"|99999999999999999999999999999999999999", "NULL|0|NULL|NULL")
	defer batch.Release()
	tests := []struct {
		sql string
		row int
		msg string
	}{
		{"a / b", 1, "division by zero in a / b (row: a = 5, b = 0)"},
		{"1 + a / b", 1, "division by zero in a / b (row: a = 5, b = 0)"},
		{"a + b", 2, "INT overflow in a + b (row: a = 2147483647, b = 2)"},
		{"d * 10", 2, "DECIMAL(38, 0) overflow in d * 10 (row: d = 99999999999999999999999999999999999999)"},
		{"CAST(s AS INT)", 1, "'x y' is not a value of type INT in CAST(s AS INT) (row: s = 'x y')"},
		{"CASE WHEN a > 5 THEN CAST(s AS DOUBLE) END", 2, "'" + strings.Repeat("long ", 12) + "…' is not a value of type DOUBLE in CAST(s AS DOUBLE) (row: s = '" + strings.Repeat("long ", 12) + "…')"},
	}
	for _, test := range tests {
		for _, sel := range [][]uint32{nil, {1, 2, 3}} {
			_, err := evalTexts(t, mem, mustBind(t, test.sql, columns...), Settings{}, batch.Select(sel))
			var failed *EvalError
			switch {
			case !errors.As(err, &failed):
				t.Errorf("%s: %v", test.sql, err)
			case failed.Msg != test.msg || failed.Row != test.row:
				t.Errorf("%s: row %d, %q, want %d, %q", test.sql, failed.Row, failed.Msg, test.row, test.msg)
			}
		}
	}
}

// TestEvalErrorsAsNulls counts the values that become NULL instead.
func TestEvalErrorsAsNulls(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch, columns := table(t, mem, "a INT, b INT, s STRING", "6|3|1", "5|0|x", "NULL|0|y", "7|0|NULL")
	defer batch.Release()
	tests := []struct {
		sql    string
		want   []string
		errors int64
	}{
		{"a / b", []string{"2", "NULL", "NULL", "NULL"}, 2},
		{"CAST(s AS INT)", []string{"1", "NULL", "NULL", "NULL"}, 2},
		{"TRY_CAST(s AS INT)", []string{"1", "NULL", "NULL", "NULL"}, 0},
		{"CASE WHEN b <> 0 THEN a / b ELSE 0 END", []string{"2", "0", "0", "0"}, 0},
		{"COALESCE(a / b, -1) + a / b", []string{"4", "NULL", "NULL", "NULL"}, 2},
		{"1 / 0 = a", []string{"NULL", "NULL", "NULL", "NULL"}, 1},
	}
	for _, test := range tests {
		p, err := Compile(mem, []Expr{mustBind(t, test.sql, columns...)}, Settings{EvalErrors: Null})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Eval(batch)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(out[0]); !slices.Equal(got, test.want) || p.Errors() != test.errors {
			t.Errorf("%s is %v with %d errors, want %v with %d", test.sql, got, p.Errors(), test.want, test.errors)
		}
		out[0].Release()
	}
}

// TestGuards: a branch is evaluated for the rows that come to it only.
func TestGuards(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch, columns := table(t, mem, "a INT, b INT, s STRING", "6|3|1", "5|0|x", "NULL|0|y", "7|NULL|2")
	defer batch.Release()
	tests := []struct {
		sql  string
		want []string
	}{
		{"CASE WHEN b = 0 THEN -1 ELSE a / b END", []string{"2", "-1", "-1", "NULL"}},
		{"b <> 0 AND a / b > 1", []string{"TRUE", "FALSE", "FALSE", "NULL"}},
		{"b = 0 OR a / b > 1", []string{"TRUE", "TRUE", "TRUE", "NULL"}},
		{"IF(b = 0, 0, a / b) + IF(b = 0, 1, a / b)", []string{"4", "1", "1", "NULL"}},
		{"COALESCE(NULLIF(b, 0), a)", []string{"3", "5", "NULL", "7"}},
		{"a / NULLIF(b, 0)", []string{"2", "NULL", "NULL", "NULL"}},
		{"CASE WHEN s IN ('x', 'y') THEN 0 WHEN CAST(s AS INT) > 1 THEN 1 ELSE CAST(s AS INT) + 10 END", []string{"11", "0", "0", "1"}},
		{"CASE WHEN s < 'x' THEN CASE WHEN b = 3 THEN CAST(s AS INT) / (b - 3 + 1) ELSE CAST(s AS INT) END END", []string{"1", "NULL", "NULL", "2"}},
		{"CASE WHEN FALSE AND a / b = 1 THEN 1 / 0 END IS NULL", []string{"TRUE", "TRUE", "TRUE", "TRUE"}},
		{"CASE WHEN b = 17 THEN 1 / 0 END", []string{"NULL", "NULL", "NULL", "NULL"}},
	}
	for _, test := range tests {
		got, err := evalTexts(t, mem, mustBind(t, test.sql, columns...), Settings{}, batch)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s is %v, %v, want %v", test.sql, got, err, test.want)
		}
	}
	_, err := evalTexts(t, mem, mustBind(t, "CASE WHEN b = 3 THEN 1 / 0 END", columns...), Settings{}, batch)
	var failed *EvalError
	if !errors.As(err, &failed) || failed.Row != 0 {
		t.Errorf("a constant branch: %v", err)
	}
	_, err = evalTexts(t, mem, mustBind(t, "CASE WHEN a = 7 THEN 1 / 0 END", columns...), Settings{}, batch)
	if !errors.As(err, &failed) || failed.Row != 3 {
		t.Errorf("a constant branch: %v", err)
	}
}

// TestSharedSteps: equal subexpressions are computed once.
func TestSharedSteps(t *testing.T) {
	columns := []*Column{{0, "a", BigInt, true}, {1, "b", BigInt, true}}
	tests := []struct {
		sql   []string
		steps int
	}{
		{[]string{"a + b", "(a + b) * 2", "a + b > 7"}, 3},
		{[]string{"a + 1 > 3 AND a + 1 < 9"}, 5},                   // +, >, guard, <, AND
		{[]string{"CASE WHEN a > 1 THEN a / b ELSE a / b END"}, 6}, // >, two guards, two divisions, choice
		{[]string{"a"}, 0},
	}
	for _, test := range tests {
		var exprs []Expr
		for _, sql := range test.sql {
			exprs = append(exprs, mustBind(t, sql, columns...))
		}
		p, err := Compile(memory.DefaultAllocator, exprs, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.steps) != test.steps {
			t.Errorf("%v takes %d steps, want %d", test.sql, len(p.steps), test.steps)
		}
	}
}
