package expr

import (
	"regexp"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/vec/vectest"
	"streamsql/internal/text"
)

func TestNestedExpressions(t *testing.T) {
	checkValues(t, Settings{}, []valueTest{
		{"ARRAY[]", "[]"},
		{"ARRAY[1, 2.5]", "[1.0, 2.5]"},
		{"ARRAY['a', NULL]", "[a, NULL]"},
		{"ARRAY[ARRAY[1], ARRAY[], NULL]", "[[1], [], NULL]"},
		{"ARRAY[1, 'a']", "!the arguments of ARRAY have no common type: INT and STRING"},
		{"ARRAY[10, 20][1]", "10"},
		{"ARRAY[10, 20][0]", "NULL"},
		{"ARRAY[10, 20][3]", "NULL"},
		{"ARRAY[10, 20][-1]", "NULL"},
		{"ARRAY[ROW(1, 'a'), ROW(2, 'b')][2].f1", "b"},
		{"MAP['k', 1, 'j', 2, 'k', 3]", "{k=3, j=2}"},
		{"MAP['k', 1]['k']", "1"},
		{"MAP['k', 1]['x']", "NULL"},
		{"MAP[1, 'a'][CAST(1 AS BIGINT)]", "a"},
		{"MAP['k']", "!MAP takes a value for each key"},
		{"MAP[CAST(NULL AS STRING), 1]", "!a key of a MAP is NULL"},
		{"ROW(1, 'a').f2", "!there is no field f2"},
		{"ROW(1, ROW('x', NULL)).F1.f0", "x"},
		{"ELEMENT(ARRAY[])", "NULL"},
		{"ELEMENT(ARRAY[1, 2])", "!more than one element"},
		{"CARDINALITY(MAP['a', 1, 'b', 2])", "2"},
		{"CARDINALITY(CAST(NULL AS ARRAY<INT>))", "NULL"},
		// equality
		{"ARRAY[1, 2] = ARRAY[1, 2]", "TRUE"},
		{"ARRAY[1, 2] = ARRAY[1, 2.0]", "TRUE"},
		{"ARRAY[1, 2] <> ARRAY[2, 1]", "TRUE"},
		{"ARRAY[1, NULL] = ARRAY[1, NULL]", "TRUE"},
		{"MAP['a', 1, 'b', 2] = MAP['b', 2, 'a', 1]", "TRUE"},
		{"ROW(1, 'a') = ROW(1, 'b')", "FALSE"},
		{"ROW(1, 2) IN (ROW(3, 4), ROW(1, 2))", "TRUE"},
		{"ROW(1, 2) IN (ROW(3, 4), NULL)", "NULL"},
		{"NULLIF(ARRAY[1], ARRAY[1])", "NULL"},
		{"ARRAY[1] IS NOT DISTINCT FROM NULL", "FALSE"},
		{"ARRAY[1] < ARRAY[2]", "!a value that has an order"},
		{"COALESCE(CAST(NULL AS ARRAY<INT>), ARRAY[7])", "[7]"},
		// casts
		{"CAST(ARRAY['1', '2'] AS ARRAY<INT>)", "[1, 2]"},
		{"CAST(ARRAY['1', 'x', NULL] AS ARRAY<INT>)", "!the value does not fit ARRAY<INT>"},
		{"TRY_CAST(ARRAY['1', 'x'] AS ARRAY<INT>)", "NULL"},
		{"CAST(ARRAY[ARRAY['1'], ARRAY['2', NULL]] AS ARRAY<ARRAY<BIGINT>>)", "[[1], [2, NULL]]"},
		{"TRY_CAST(ARRAY[ARRAY['1'], ARRAY['x']] AS ARRAY<ARRAY<BIGINT>>)", "NULL"},
		{"CAST(MAP['1', 2] AS MAP<INT, STRING>)[1]", "2"},
		{"CAST(MAP['x', 2] AS MAP<INT, STRING>)", "!does not fit MAP<INT, STRING>"},
		{"CAST(ROW(1, '2') AS ROW<a BIGINT, b INT>).b", "2"},
		{"CAST(ROW(1, '2') AS ROW<a BIGINT>)", "!cannot cast ROW<f0 INT, f1 STRING> to ROW<a BIGINT>"},
		{"CAST(ARRAY[1] AS INT)", "!cannot cast ARRAY<INT> to INT"},
		{"CAST(ARRAY[1, NULL] AS STRING)", "[1, NULL]"},
		{"CAST(MAP['a', ARRAY[1]] AS STRING)", "{a=[1]}"},
		{"CAST(ROW(1, 'a', NULL) AS STRING)", "(1, a, NULL)"},
		{"CAST(ARRAY[] AS ARRAY<STRING>)", "[]"},
	})
}

// TestNestedText: the canonical text of a nested literal reads as the same value.
func TestNestedText(t *testing.T) {
	for _, sql := range []string{
		"ARRAY[1, 2]", "ARRAY['it''s', NULL]", "ARRAY[ARRAY[1], ARRAY[]]", "MAP['a', 1.5, 'b', NULL]", "ROW(1, 'a', DATE '2024-02-29')",
		"ARRAY[ROW(1, MAP['k', ARRAY['v']])]",
	} {
		e := mustBind(t, sql)
		if _, ok := e.(*Literal); !ok || e.String() != sql {
			t.Errorf("%s is written as %s, %T", sql, e, e)
		}
		if again := mustBind(t, e.String()); !Equal(again, e) {
			t.Errorf("%s is read again as %s", e, again)
		}
	}
	if got := mustBind(t, "TRY_CAST(a AS VARCHAR(3))", &Column{0, "a", Int, true}).String(); got != "TRY_CAST(a AS VARCHAR(3))" {
		t.Errorf("a cast is written as %s", got)
	}
	column := &Column{0, "r", rowType, true}
	if got := must(NewField(column, "f1", Settings{})).String(); got != "(r).f1" {
		t.Errorf("the field of a column is written as %s", got)
	}
	if got := mustBind(t, "ARRAY[1, 2][a]", &Column{0, "a", Int, true}).String(); got != "ARRAY[1, 2][CAST(a AS BIGINT)]" {
		t.Errorf("an element is written as %s", got)
	}
}

// TestLargeConstants: an ARRAY of many values is not kept as a literal.
func TestLargeConstants(t *testing.T) {
	var all []Expr
	for i := range 2 * mostFolded {
		all = append(all, NewInt(int32(i)))
	}
	e := must(NewCall("ARRAY", all, Settings{}))
	if _, ok := e.(*Call); !ok {
		t.Errorf("ARRAY of %d values is a %T", len(all), e)
	}
	if got := show(must(NewCall("CARDINALITY", []Expr{e}, Settings{})), Settings{}); got != "200" {
		t.Errorf("it has %s elements", got)
	}
}

// TestSameAgainstText: values are the same if and only if they are written alike.
func TestSameAgainstText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
		typ := rapid.SampledFrom(slices.DeleteFunc(slices.Clone(vectest.All), func(t arrow.DataType) bool {
			return t.ID() == arrow.MAP // whose entries have no order
		})).Draw(t, "type")
		a, b := vectest.Array(t, mem, typ, 20), vectest.Array(t, mem, typ, 20)
		x, y := jsonTexts(a), jsonTexts(b)
		same := sameOf(a, b)
		for i := range x {
			for j := range y {
				if want := x[i] == y[j]; same(i, j) != want {
					t.Fatalf("%s and %s of %s are the same: %v", x[i], y[j], typ, same(i, j))
				}
			}
		}
		a.Release()
		b.Release()
		if mem.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes left", mem.CurrentAlloc())
		}
	})
}

var negativeZero = regexp.MustCompile(`-0\.0\b`)

// jsonTexts are the rows of an array as JSON, in which 0 has no sign.
func jsonTexts(arr arrow.Array) []string {
	rows := make([]string, arr.Len())
	for i := range rows {
		rows[i] = negativeZero.ReplaceAllString(string(text.JSON(nil).Append(nil, arr, i)), "0.0")
	}
	return rows
}
