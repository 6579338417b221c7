package expr

import (
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec"
	"streamsql/exec/vec/vectest"
)

func TestCollections(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"ARRAY_APPEND(ARRAY[1], NULL)", "[1, NULL]"},
		{"ARRAY_APPEND(ARRAY[1], 2.5)", "[1.0, 2.5]"},
		{"ARRAY_APPEND(ARRAY[], 'a')", "[a]"},
		{"ARRAY_APPEND(CAST(NULL AS ARRAY<INT>), 1)", "NULL"},
		{"ARRAY_APPEND(ARRAY[1], 'a')", "!have no common type"},
		{"ARRAY_PREPEND(ARRAY[ARRAY[1]], ARRAY[])", "[[], [1]]"},
		{"ARRAY_REMOVE(ARRAY[1, NULL, 2], NULL)", "[1, 2]"},
		{"ARRAY_CONCAT(ARRAY[1], NULL)", "NULL"},
		{"ARRAY_CONCAT(ARRAY[1])", "[1]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], 0)", "[1, 2, 3]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], -2)", "[2, 3]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], -9, 2)", "[1, 2]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], 3, 2)", "[]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], 4, 9)", "[]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], 1, -4)", "[]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], 0, 0)", "[1]"},
		{"ARRAY_SLICE(ARRAY[1, 2, 3], 1, NULL)", "NULL"},
		{"ARRAY_DISTINCT(ARRAY[1.0, 1.00, 2])", "[1.00, 2.00]"},
		{"ARRAY_DISTINCT(ARRAY[ROW(1, 'a'), ROW(1, 'b'), ROW(1, 'a')])", "[(1, a), (1, b)]"},
		{"ARRAY_UNION(ARRAY[1, NULL], ARRAY[NULL, 2])", "[1, NULL, 2]"},
		{"ARRAY_EXCEPT(ARRAY[1, 2], ARRAY[1, 2])", "[]"},
		{"ARRAY_INTERSECT(ARRAY[1, NULL], ARRAY[NULL])", "[NULL]"},
		{"ARRAY_INTERSECT(ARRAY[1], NULL)", "NULL"},
		{"ARRAY_DISTINCT(ARRAY[MAP['a', 1]])", "!takes an ARRAY, not of MAPs"},
		{"ARRAY_CONTAINS(ARRAY[1, NULL], NULL)", "TRUE"},
		{"ARRAY_CONTAINS(ARRAY[1], NULL)", "FALSE"},
		{"ARRAY_CONTAINS(ARRAY[1, 2], 2.0)", "TRUE"},
		{"ARRAY_CONTAINS(NULL, 2)", "NULL"},
		{"ARRAY_POSITION(ARRAY[1, NULL], NULL)", "NULL"},
		{"ARRAY_POSITION(ARRAY[1], 7)", "0"},
		{"ARRAY_MAX(ARRAY[])", "NULL"},
		{"ARRAY_MAX(ARRAY['a', 'b'])", "b"},
		{"ARRAY_MIN(ARRAY[NULL, CAST(NULL AS INT)])", "NULL"},
		{"ARRAY_MIN(ARRAY[DATE '2024-02-29', DATE '2023-02-28'])", "2023-02-28"},
		{"ARRAY_SORT(ARRAY[3, NULL, 1])", "[NULL, 1, 3]"},
		{"ARRAY_SORT(ARRAY[3, NULL, 1], FALSE)", "[3, 1, NULL]"},
		{"ARRAY_SORT(ARRAY[3, NULL, 1], FALSE, TRUE)", "[NULL, 3, 1]"},
		{"ARRAY_SORT(ARRAY[NULL, NULL])", "[NULL, NULL]"},
		{"ARRAY_SORT(ARRAY[ARRAY[1]])", "!an ARRAY of values that have an order"},
		{"ARRAY_JOIN(ARRAY['a', NULL, 'b'], ',')", "a,b"},
		{"ARRAY_JOIN(ARRAY[1, 2], '')", "12"},
		{"ARRAY_JOIN(ARRAY['a'], ',', NULL)", "NULL"},
		{"FLATTEN(ARRAY[ARRAY[1, NULL], NULL, ARRAY[]])", "[1, NULL]"},
		{"FLATTEN(ARRAY[1])", "!FLATTEN takes an ARRAY of ARRAYs, got ARRAY<INT>"},
		{"MAP_ENTRIES(MAP['a', 1])[1].value", "1"},
		{"MAP_KEYS(NULL)", "NULL"},
		{"MAP_FROM_ARRAYS(ARRAY['a', 'a'], ARRAY[1, 2])", "{a=2}"},
		{"MAP_FROM_ARRAYS(ARRAY['a'], ARRAY[1, 2])", "!as many values as keys"},
		{"MAP_FROM_ARRAYS(ARRAY[NULL, 'a'], ARRAY[1, 2])", "!a key of a MAP is NULL"},
		{"MAP_UNION(MAP['a', 1], MAP['b', 2.5], MAP['a', NULL])", "{a=NULL, b=2.5}"},
		{"MAP_UNION(MAP['a', 1], NULL)", "NULL"},
		{"GENERATE_SERIES(1, 3)", "[1, 2, 3]"},
		{"GENERATE_SERIES(3, 1)", "[]"},
		{"GENERATE_SERIES(1, 1, -1)", "[1]"},
		{"GENERATE_SERIES(1, 2, 0)", "!needs a step other than 0"},
		{"GENERATE_SERIES(-9223372036854775807, 9223372036854775807)", "!at most 1048576 values"},
		{"GENERATE_SERIES(9223372036854775806, 9223372036854775807, 5)", "[9223372036854775806]"},
		{"GENERATE_SERIES(TIMESTAMP '2024-02-28 12:00:00', DATE '2024-03-01', INTERVAL '1' DAY)", "[2024-02-28 12:00:00.000, 2024-02-29 12:00:00.000]"},
		{"GENERATE_SERIES(DATE '2024-01-31', DATE '2024-04-30', INTERVAL '1' MONTH)", "[2024-01-31 00:00:00.000, 2024-02-29 00:00:00.000, 2024-03-31 00:00:00.000, 2024-04-30 00:00:00.000]"},
	})
}

// naiveLists are the functions of lists of texts in terms of slices; NULL is a text like others.
var naiveLists = map[string]func(x, y []string, e string) []string{
	"ARRAY_APPEND(x, e)":    func(x, _ []string, e string) []string { return append(x, e) },
	"ARRAY_PREPEND(x, e)":   func(x, _ []string, e string) []string { return append([]string{e}, x...) },
	"ARRAY_CONCAT(x, y, x)": func(x, y []string, _ string) []string { return slices.Concat(x, y, x) },
	"ARRAY_REVERSE(x)": func(x, _ []string, _ string) []string {
		x = slices.Clone(x)
		slices.Reverse(x)
		return x
	},
	"ARRAY_REMOVE(x, e)": func(x, _ []string, e string) []string {
		return slices.DeleteFunc(slices.Clone(x), func(s string) bool { return s == e })
	},
	"ARRAY_DISTINCT(x)": func(x, _ []string, _ string) []string { return unique(x) },
	"ARRAY_UNION(x, y)": func(x, y []string, _ string) []string { return unique(slices.Concat(x, y)) },
	"ARRAY_EXCEPT(x, y)": func(x, y []string, _ string) []string {
		return slices.DeleteFunc(unique(x), func(s string) bool { return slices.Contains(y, s) })
	},
	"ARRAY_INTERSECT(x, y)": func(x, y []string, _ string) []string {
		return slices.DeleteFunc(unique(x), func(s string) bool { return !slices.Contains(y, s) })
	},
	"ARRAY_SLICE(x, 2, 3)": func(x, _ []string, _ string) []string { return x[min(1, len(x)):min(3, len(x))] },
}

func unique(x []string) []string {
	var once []string
	for _, s := range x {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

func TestListsAgainstNaive(t *testing.T) {
	list := arrow.ListOf(BigInt)
	columns := []*Column{{0, "x", list, true}, {1, "y", list, true}, {2, "e", BigInt, true}}
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		n := rapid.IntRange(1, 70).Draw(t, "rows")
		batch := vec.NewBatch(n, []arrow.Array{vectest.Array(t, mem, list, n), vectest.Array(t, mem, list, n), vectest.Array(t, mem, BigInt, n)})
		x, y, e := texts(batch.Cols[0]), texts(batch.Cols[1]), texts(batch.Cols[2])
		for sql, naive := range naiveLists {
			bound, err := bindText(sql, Settings{}, columns...)
			if err != nil {
				t.Fatal(err)
			}
			got := evaluateTexts(t, mem, bound, Settings{}, batch)
			for row := range got {
				want := "NULL"
				if x[row] != "NULL" && (y[row] != "NULL" || !strings.Contains(sql, "y")) {
					want = "[" + strings.Join(naive(elements(x[row]), elements(y[row]), e[row]), ", ") + "]"
				}
				if got[row] != want {
					t.Fatalf("%s of %s, %s, %s is %s, want %s", sql, x[row], y[row], e[row], got[row], want)
				}
			}
		}
		batch.Release()
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes left", mem.CurrentAlloc())
		}
	})
}

// elements are the texts in [a, b].
func elements(list string) []string {
	if list == "[]" || list == "NULL" {
		return nil
	}
	return strings.Split(list[1:len(list)-1], ", ")
}

// TestElementSet adds more elements than a small table holds.
func TestElementSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arr := vectest.Array(t, memory.DefaultAllocator, BigInt, rapid.IntRange(0, 20).Draw(t, "values"))
		values := texts(arr)
		var s elementSet
		s.start(arr)
		for range 3 {
			s.clear()
			var want []string
			for range rapid.IntRange(0, 60).Draw(t, "adds") {
				if len(values) == 0 {
					break
				}
				i := rapid.IntRange(0, len(values)-1).Draw(t, "element")
				place, added := s.add(i)
				if added != !slices.Contains(want, values[i]) {
					t.Fatalf("%s was added: %v", values[i], added)
				}
				if added {
					want = append(want, values[i])
				}
				if want[place] != values[i] {
					t.Fatalf("%s stands in place of %s", want[place], values[i])
				}
				if found, ok := s.find(i); !ok || found != place {
					t.Fatalf("%s is at %d, %v, not %d", values[i], found, ok, place)
				}
			}
		}
	})
}

// TestManyElements: sets and MAPs grow beyond their first table.
func TestManyElements(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"CARDINALITY(ARRAY_DISTINCT(ARRAY_CONCAT(GENERATE_SERIES(1, 1000), GENERATE_SERIES(500, 1500))))", "1500"},
		{"CARDINALITY(ARRAY_INTERSECT(GENERATE_SERIES(1, 1000), GENERATE_SERIES(500, 1500)))", "501"},
		{"MAP_FROM_ARRAYS(GENERATE_SERIES(1, 1000), GENERATE_SERIES(1001, 2000))[777]", "1777"},
	})
}
