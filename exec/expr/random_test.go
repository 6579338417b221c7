package expr

import (
	"regexp"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

// TestRandom: another value for each row, the same ones again with the same seed.
func TestRandom(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch := vec.Batch{Rows: 50}
	for _, sql := range []string{"RAND()", "UUID()", "RAND_INTEGER(1000000000)", "RAND(7)", "RAND_INTEGER(7, 1000000000)"} {
		eval := func(s Settings) []string {
			rows, err := evalTexts(t, mem, mustBind(t, sql), s, batch)
			if err != nil {
				t.Fatal(err)
			}
			return rows
		}
		first := eval(Settings{Seed: 5})
		if distinct := len(slices.Compact(slices.Sorted(slices.Values(first)))); distinct != len(first) {
			t.Errorf("%s gives %d different values for %d rows", sql, distinct, len(first))
		}
		if again := eval(Settings{Seed: 5}); !slices.Equal(first, again) {
			t.Errorf("%s gives other values the second time", sql)
		}
		seeded := sql == "RAND(7)" || sql == "RAND_INTEGER(7, 1000000000)"
		if same := slices.Equal(first, eval(Settings{Seed: 6})); same != seeded {
			t.Errorf("%s with another seed of the settings is the same: %v", sql, same)
		}
	}
	uuid := regexp.MustCompile("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
	rows, err := evalTexts(t, mem, mustBind(t, "UUID()"), Settings{}, batch)
	if err != nil || !uuid.MatchString(rows[0]) {
		t.Errorf("UUID() is %s, %v", rows[0], err)
	}
}

// TestRandomGoesOn: the numbers do not depend on how the rows are divided into batches, nor on where a program begins that has been
// told how many rows there were before.
func TestRandomGoesOn(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	for _, sql := range []string{"RAND()", "UUID()", "RAND_INTEGER(1000000000)", "RAND(7)", "RAND_INTEGER(7, 1000000000)"} {
		run := func(from uint64, batches ...int) (values []string) {
			p, err := Compile(mem, []Expr{mustBind(t, sql)}, Settings{Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			p.Resume(from)
			for _, rows := range batches {
				cols, err := p.Eval(vec.Batch{Rows: rows})
				if err != nil {
					t.Fatal(err)
				}
				for i := range rows {
					values = append(values, cols[0].ValueStr(i))
				}
				cols[0].Release()
				from += uint64(rows)
			}
			if p.Drawn() != from {
				t.Errorf("%s: %d rows drawn, want %d", sql, p.Drawn(), from)
			}
			return values
		}
		whole := run(0, 10)
		if parts := run(0, 1, 0, 4, 5); !slices.Equal(parts, whole) {
			t.Errorf("%s in parts is %v, want %v", sql, parts, whole)
		}
		if rest := run(4, 6); !slices.Equal(rest, whole[4:]) {
			t.Errorf("%s after four rows is %v, want %v", sql, rest, whole[4:])
		}
	}
}

// TestVolatileCalls: each call has values of its own, and an argument used twice by an expansion is one call.
func TestVolatileCalls(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	batch := vec.Batch{Rows: 100}
	for sql, want := range map[string]string{
		"RAND() = RAND()":                                  "FALSE",
		"RAND() BETWEEN 0 AND 1":                           "TRUE",
		"COALESCE(NULLIF(RAND_INTEGER(3), 3), 9) < 3":      "TRUE",
		"RAND_INTEGER(2) BETWEEN SYMMETRIC 1 AND 0":        "TRUE",
		"CASE WHEN RAND() >= 0 THEN RAND() ELSE 2 END < 1": "TRUE",
	} {
		rows, err := evalTexts(t, mem, mustBind(t, sql), Settings{}, batch)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(rows, func(s string) bool { return s != want }); i >= 0 {
			t.Errorf("%s is %s in row %d", sql, rows[i], i)
		}
	}
}
