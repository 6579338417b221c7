package text

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/internal/dirty"
)

var ltz = &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}

// values has, for each type, an array given as arrow's JSON and its texts.
var values = []struct {
	dt        arrow.DataType
	json      string
	sql, doc  []string // SQL in Tokyo; JSON
	docInZone []string // JSON in Tokyo, if different
}{
	{dt: arrow.FixedWidthTypes.Boolean, json: `[true,false,null]`, sql: []string{"TRUE", "FALSE", "NULL"}, doc: []string{"true", "false", "null"}},
	{dt: arrow.PrimitiveTypes.Int8, json: `[-128,null]`, sql: []string{"-128", "NULL"}, doc: []string{"-128", "null"}},
	{dt: arrow.PrimitiveTypes.Int16, json: `[300]`, sql: []string{"300"}, doc: []string{"300"}},
	{dt: arrow.PrimitiveTypes.Int32, json: `[1,null,3]`, sql: []string{"1", "NULL", "3"}, doc: []string{"1", "null", "3"}},
	{dt: arrow.PrimitiveTypes.Int64, json: `["9007199254740993"]`, sql: []string{"9007199254740993"}, doc: []string{"9007199254740993"}},
	{dt: arrow.PrimitiveTypes.Float32, json: `[0.5]`, sql: []string{"0.5"}, doc: []string{"0.5"}},
	{dt: arrow.PrimitiveTypes.Float64, json: `[1,null,"NaN"]`, sql: []string{"1.0", "NULL", "NaN"}, doc: []string{"1.0", "null", `"NaN"`}},
	{dt: arrow.BinaryTypes.String, json: `["","a\"b\n\u0001é",null]`, sql: []string{"", "a\"b\n\x01é", "NULL"}, doc: []string{`""`, `"a\"b\n\u0001é"`, "null"}},
	{dt: arrow.BinaryTypes.Binary, json: `["AQL/"]`, sql: []string{"x'0102ff'"}, doc: []string{`"AQL/"`}},
	{dt: &arrow.Decimal128Type{Precision: 20, Scale: 2}, json: `["-1.05",null]`, sql: []string{"-1.05", "NULL"}, doc: []string{`"-1.05"`, "null"}},
	{dt: arrow.FixedWidthTypes.Date32, json: `["2013-01-31"]`, sql: []string{"2013-01-31"}, doc: []string{`"2013-01-31"`}},
	{dt: arrow.FixedWidthTypes.Time32ms, json: `["12:34:56.789"]`, sql: []string{"12:34:56.789"}, doc: []string{`"12:34:56.789"`}},
	{dt: &arrow.TimestampType{Unit: arrow.Second}, json: `["2013-01-31 12:00:00"]`, sql: []string{"2013-01-31 12:00:00"}, doc: []string{`"2013-01-31 12:00:00"`}},
	{dt: ltz, json: `["2013-01-31 12:00:00",null]`, sql: []string{"2013-01-31 21:00:00.000", "NULL"}, doc: []string{`"2013-01-31 12:00:00.000Z"`, "null"}, docInZone: []string{`"2013-01-31 21:00:00.000"`, "null"}},
	{dt: arrow.FixedWidthTypes.Duration_ms, json: `[-93784005]`, sql: []string{"-1 02:03:04.005"}, doc: []string{`"-1 02:03:04.005"`}},
	{dt: arrow.FixedWidthTypes.MonthInterval, json: `[{"months":14}]`, sql: []string{"+1-02"}, doc: []string{`"+1-02"`}},
	{dt: arrow.ListOf(arrow.BinaryTypes.String), json: `[["a",null],[],null]`, sql: []string{"[a, NULL]", "[]", "NULL"}, doc: []string{`["a",null]`, "[]", "null"}},
	{dt: arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64), json: `[[{"key":1,"value":2},{"key":3,"value":null}]]`, sql: []string{"{1=2, 3=NULL}"}, doc: []string{`{"1":2,"3":null}`}},
	{dt: arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32}, arrow.Field{Name: "b", Type: ltz}), json: `[{"a":1,"b":"1970-01-01 00:00:00"}]`, sql: []string{"(1, 1970-01-01 09:00:00.000)"}, doc: []string{`{"a":1,"b":"1970-01-01 00:00:00.000Z"}`}, docInZone: []string{`{"a":1,"b":"1970-01-01 09:00:00.000"}`}},
}

func TestRender(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	for _, c := range values {
		t.Run(c.dt.String(), func(t *testing.T) {
			arr := parse(t, mem, c.dt, c.json)
			defer arr.Release()
			checkTexts(t, arr, SQL(tokyo), c.sql)
			checkTexts(t, arr, JSON(nil), c.doc)
			if c.docInZone != nil {
				checkTexts(t, arr, JSON(tokyo), c.docInZone)
			}
			for i, s := range c.doc {
				if !json.Valid([]byte(s)) {
					t.Errorf("row %d: %s is not JSON", i, s)
				}
			}
		})
	}
}

func parse(t *testing.T, mem memory.Allocator, dt arrow.DataType, doc string) arrow.Array {
	t.Helper()
	b := array.NewBuilder(mem, dt)
	defer b.Release()
	if err := b.UnmarshalJSON([]byte(doc)); err != nil {
		t.Fatal(err)
	}
	return b.NewArray()
}

// checkTexts renders all rows, each row by itself in a slice, and the rows backwards by a selection.
func checkTexts(t *testing.T, arr arrow.Array, s *Style, want []string) {
	t.Helper()
	var c Column
	c.Render(arr, nil, s)
	if len(c.Ends) != len(want) {
		t.Fatalf("%d texts, want %d", len(c.Ends), len(want))
	}
	for i, w := range want {
		if got := string(c.Row(i)); got != w {
			t.Errorf("row %d is %s, want %s", i, got, w)
		}
		if got := string(s.Append(nil, arr, i)); got != w {
			t.Errorf("value %d is %s, want %s", i, got, w)
		}
	}
	for i, w := range want {
		slice := array.NewSlice(arr, int64(i), int64(i+1))
		c.Render(slice, nil, s)
		if got := string(c.Row(0)); got != w {
			t.Errorf("slice at %d is %s, want %s", i, got, w)
		}
		c.Render(slice, []uint32{0, 0}, s)
		if got := string(c.Row(1)); got != w {
			t.Errorf("selection of the slice at %d is %s, want %s", i, got, w)
		}
		slice.Release()
	}
}

func TestNestedStyle(t *testing.T) {
	arr := parse(t, memory.DefaultAllocator, arrow.ListOf(arrow.BinaryTypes.String), `[["a"]]`)
	s := *SQL(nil)
	s.Nested = JSON(nil)
	s.String = AppendJSONString
	if got := string(s.Append([]byte("x"), arr, 0)); got != `x"[\"a\"]"` {
		t.Errorf("nested text is %s", got)
	}
}

func TestJSONStringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		var back string
		if err := json.Unmarshal(AppendJSONString(nil, []byte(s)), &back); err != nil || back != s {
			t.Fatalf("%q became %q, %v", s, back, err)
		}
	})
	if got := string(AppendJSONString(nil, []byte("a\xffb\xc3"))); got != "\"a\ufffdb\ufffd\"" {
		t.Errorf("broken UTF-8 gives %q", got)
	}
}
