package json

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector/format"
	"streamsql/internal/dirty"
	"streamsql/internal/text"
)

// decodeAll decodes doc in batches of the given number of rows. Each row is its values as JSON, joined by blanks and preceded by
// its line; bad records are their lines, fields and reasons.
func decodeAll(t testing.TB, in format.Input, mem memory.Allocator, doc string, rows int) (good, bad []string) {
	t.Helper()
	d, err := in.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := append(make([]byte, 0, len(doc)+format.Padding), doc...)
	line := 0
	for len(data) > 0 {
		c := d.Decode(data, rows)
		if c.Bytes == 0 || c.Batch.Rows > rows {
			t.Fatalf("decoded %d bytes, %d rows of at most %d", c.Bytes, c.Batch.Rows, rows)
		}
		style := text.JSON(nil)
		for row := range c.Batch.Rows {
			var b strings.Builder
			fmt.Fprintf(&b, "%d:", line+c.RowLine(row))
			if c.Batch.Kinds != nil {
				fmt.Fprintf(&b, " %v", c.Batch.Kind(row))
			}
			for _, col := range c.Batch.Cols {
				fmt.Fprintf(&b, " %s", style.Append(nil, col, row))
			}
			good = append(good, b.String())
		}
		for _, r := range c.Bad {
			bad = append(bad, fmt.Sprintf("%d: %s: %s", line+r.Line, r.Field, r.Reason))
		}
		line += c.Lines
		data = data[c.Bytes:]
		c.Batch.Release()
	}
	return good, bad
}

func newTestInput(t testing.TB, name string, mem memory.Allocator, fields []arrow.Field, columns []int) format.Input {
	t.Helper()
	f, err := format.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	in, err := f.NewInput(format.InputSpec{Schema: arrow.NewSchema(fields, nil), Columns: columns, Alloc: mem})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func col(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

// checkDecode decodes one document in batches of several sizes and compares rows and bad records.
func checkDecode(t *testing.T, in format.Input, mem memory.Allocator, doc string, good, bad []string) {
	t.Helper()
	for _, rows := range []int{1, 2, 7, 4096} {
		gotGood, gotBad := decodeAll(t, in, mem, doc, rows)
		if !slices.Equal(gotGood, good) {
			t.Errorf("batches of %d: rows\n%s\nwant\n%s", rows, strings.Join(gotGood, "\n"), strings.Join(good, "\n"))
		}
		if !slices.Equal(gotBad, bad) {
			t.Errorf("batches of %d: bad records\n%s\nwant\n%s", rows, strings.Join(gotBad, "\n"), strings.Join(bad, "\n"))
		}
	}
}

func TestDecodeLines(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	in := newTestInput(t, "json", mem, []arrow.Field{col("id", arrow.PrimitiveTypes.Int32), col("v", arrow.PrimitiveTypes.Int64), col("s", arrow.BinaryTypes.String)}, []int{0, 1, 2})
	doc := strings.Join([]string{
		`{"id":1,"v":10,"s":"a"}`,
		``,
		`  { "id" : 2 , "s" : "b" , "extra" : {"x": [1, {"id": 99}], "y": null} }  ` + "\r",
		`{"id":oops}`,
		"\t \r",
		`{"s":"\u00e9\n\"","V":-5,"ID":3}`,
		`{"id":4,"id":5,"v":null,"v":7}`,
		`{"id":6,"ID":7,"Id":8}`,
		`{"ID":9,"id":10}`,
		`{}`,
		`{"s":"é😀","v":123456789012345678}`,
	}, "\n")
	checkDecode(t, in, mem, doc, []string{
		`0: 1 10 "a"`,
		`2: 2 null "b"`,
		`5: 3 -5 "é\n\""`,
		`6: 5 7 null`,
		`7: 6 null null`,
		`8: 10 null null`,
		`9: null null null`,
		`10: null 123456789012345678 "é😀"`,
	}, []string{
		`3: id: malformed JSON: expected a value, got 'o'`,
	})
}

func TestProjection(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	fields := []arrow.Field{col("a", arrow.PrimitiveTypes.Int64), col("b", arrow.PrimitiveTypes.Int64), col("c", arrow.PrimitiveTypes.Int64)}
	doc := `{"a":1,"b":2,"c":3}` + "\n" + `{"a":"not read","c":4}` + "\n"
	checkDecode(t, newTestInput(t, "json", mem, fields, []int{2, 1}), mem, doc, []string{"0: 3 2", "1: 4 null"}, nil)
	checkDecode(t, newTestInput(t, "json", mem, fields, nil), mem, doc, []string{"0:", "1:"}, nil)
}

func TestChangelog(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	in := newTestInput(t, "changelog-json", mem, []arrow.Field{col("a", arrow.PrimitiveTypes.Int64)}, []int{0})
	doc := `{"_op":"+I","a":1}` + "\n" + `{"a":1,"_op":"-U"}` + "\n" + `{"a":3}` + "\n" + `{"_op":"+U","a":2}` + "\n" + `{"_op":"?","a":2}` + "\n" + `{"_op":null}` + "\n" + `{"_op":"-D"}`
	checkDecode(t, in, mem, doc, []string{"0: +I 1", "1: -U 1", "3: +U 2", "6: -D null"}, []string{
		"2: _op: the kind of change is missing; it is one of +I, -U, +U, -D",
		`4: _op: malformed JSON: expected one of "+I", "-U", "+U", "-D", got a string`,
		"5: _op: the kind of change is missing; it is one of +I, -U, +U, -D",
	})
	f, _ := format.Lookup("changelog-json")
	if _, err := f.NewInput(format.InputSpec{Schema: arrow.NewSchema([]arrow.Field{col("_op", arrow.BinaryTypes.String)}, nil)}); err == nil {
		t.Error("a column _op was accepted")
	}
}

// everyType is a column of each type, named as the comments of TestDecodeTypes use them.
var everyType = []arrow.Field{
	col("b", arrow.FixedWidthTypes.Boolean),
	col("i8", arrow.PrimitiveTypes.Int8),
	col("i64", arrow.PrimitiveTypes.Int64),
	col("f", arrow.PrimitiveTypes.Float32),
	col("d", arrow.PrimitiveTypes.Float64),
	col("s", arrow.BinaryTypes.String),
	col("x", arrow.BinaryTypes.Binary),
	col("n", &arrow.Decimal128Type{Precision: 10, Scale: 2}),
	col("date", arrow.FixedWidthTypes.Date32),
	col("time", arrow.FixedWidthTypes.Time32ms),
	col("ts", &arrow.TimestampType{Unit: arrow.Millisecond}),
	col("ltz", &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}),
	col("list", arrow.ListOf(arrow.PrimitiveTypes.Int64)),
	col("map", arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64)),
	col("row", arrow.StructOf(col("a", arrow.PrimitiveTypes.Int32), col("l", arrow.ListOf(arrow.StructOf(col("z", arrow.BinaryTypes.String)))))),
}

func TestDecodeTypes(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	for _, c := range []struct{ column, json, want, reason string }{
		{"b", `true`, "true", ""},
		{"b", `false`, "false", ""},
		{"b", `1`, "", "expected BOOLEAN, got number 1"},
		{"b", `"true"`, "", `expected BOOLEAN, got string "true"`},
		{"b", `tru`, "", "malformed JSON: expected true, got 't'"},
		{"i8", `-128`, "-128", ""},
		{"i8", `128`, "", "128 is out of range for TINYINT"},
		{"i8", `1.0`, "1", ""},
		{"i8", `12e1`, "120", ""},
		{"i8", `1.5`, "", "expected TINYINT, got number 1.5"},
		{"i8", `"1"`, "", `expected TINYINT, got string "1"`},
		{"i8", `true`, "", "expected TINYINT, got true"},
		{"i8", `[1]`, "", "expected TINYINT, got an array"},
		{"i8", `{}`, "", "expected TINYINT, got an object"},
		{"i8", `01`, "", "malformed JSON: expected a value, got '0'"},
		{"i8", `-`, "", "malformed JSON: expected a value, got '}'"},
		{"i8", `+1`, "", "malformed JSON: expected a value, got '+'"},
		{"i8", `1.`, "", "malformed JSON: expected a value, got '.'"},
		{"i8", `"` + strings.Repeat("é", 30) + `"`, "", `expected TINYINT, got string "` + strings.Repeat("é", 20) + `"…`},
		{"i64", `9223372036854775807`, "9223372036854775807", ""},
		{"i64", `-9223372036854775808`, "-9223372036854775808", ""},
		{"i64", `9223372036854775808`, "", "9223372036854775808 is out of range for BIGINT"},
		{"i64", `9007199254740993.000`, "9007199254740993", ""},
		{"f", `0.1`, "0.1", ""},
		{"f", `1e39`, "", "1e39 is out of range for FLOAT"},
		{"f", `16777217.000000001`, "16777218.0", ""},
		{"d", `0.1`, "0.1", ""},
		{"d", `-12.5`, "-12.5", ""},
		{"d", `7`, "7.0", ""},
		{"d", `1e400`, "", "1e400 is out of range for DOUBLE"},
		{"d", `"NaN"`, `"NaN"`, ""},
		{"d", `"-Infinity"`, `"-Infinity"`, ""},
		{"d", `"1.5"`, "", `expected DOUBLE, got string "1.5"`},
		{"s", `""`, `""`, ""},
		{"s", `"null"`, `"null"`, ""},
		{"s", `"\ud83d\ude00\ud83dx"`, "\"😀\ufffdx\"", ""},
		{"s", "\"a\xffb\"", "", "the text is not valid UTF-8"},
		{"s", "\"a\\n\xff\"", "", "the text is not valid UTF-8"},
		{"s", "\"a\tb\"", "", `malformed JSON: expected a closing quote, got '\t'`},
		{"s", `"a\qb"`, "", `malformed JSON: expected an escape such as \n or \u00e9, got '\\'`},
		{"s", `"abc`, "", "malformed JSON: expected a closing quote, got the end of the line"},
		{"s", `5`, `"5"`, ""},
		{"s", `-1.50e3`, `"-1.50e3"`, ""},
		{"s", `true`, `"true"`, ""},
		{"s", `{"a": [1, "\u00e9"]}`, `"{\"a\": [1, \"\\u00e9\"]}"`, ""},
		{"s", `[1, 2`, "", "malformed JSON: expected ',' or ']', got '}'"},
		{"x", `"AQL/"`, `"AQL/"`, ""},
		{"x", `"AQL"`, "", `expected BYTES, got string "AQL"`},
		{"n", `0.10`, `"0.10"`, ""},
		{"n", `"12345678.905"`, `"12345678.91"`, ""},
		{"n", `123456789`, "", "123456789 is out of range for DECIMAL(10, 2)"},
		{"n", `"abc"`, "", `expected DECIMAL(10, 2), got string "abc"`},
		{"n", `"NaN"`, "", `expected DECIMAL(10, 2), got string "NaN"`},
		{"date", `"2013-01-31"`, `"2013-01-31"`, ""},
		{"date", `"2013-02-31"`, "", `expected DATE, got string "2013-02-31"`},
		{"time", `"12:34:56.7"`, `"12:34:56.700"`, ""},
		{"ts", `"2013-01-31T05:00:00Z"`, `"2013-01-31 05:00:00.000"`, ""},
		{"ts", `"2013-01-31 05:00:00+01:00"`, "", `expected TIMESTAMP(3), got string "2013-01-31 05:00:00+01:00"`},
		{"ts", `1359608400`, "", "expected TIMESTAMP(3), got number 1359608400"},
		{"ltz", `"2013-01-31 05:00:00+01:00"`, `"2013-01-31 04:00:00Z"`, ""},
		{"list", `[]`, `[]`, ""},
		{"list", ` [ 1 , null , 3 ] `, `[1,null,3]`, ""},
		{"list", `[1,"x"]`, "", `expected BIGINT, got string "x"`},
		{"list", `[1,]`, "", "malformed JSON: expected a value, got ']'"},
		{"list", `{}`, "", "expected ARRAY<BIGINT>, got an object"},
		{"map", `{}`, `{}`, ""},
		{"map", `{"a":1,"b":null,"a":2.5}`, `{"a":2.5,"b":null}`, ""},
		{"map", `{"a":1,}`, "", "malformed JSON: expected a key in double quotes, got '}'"},
		{"row", `{"A":1,"x":[{}],"l":[{"z":"q"},null,{}]}`, `{"a":1,"l":[{"z":"q"},null,{"z":null}]}`, ""},
		{"row", `{"l":null}`, `{"a":null,"l":null}`, ""},
		{"row", strings.Repeat(`{"x":`, 1001) + "1" + strings.Repeat("}", 1001), "", "values are nested too deep"},
	} {
		i := slices.IndexFunc(everyType, func(f arrow.Field) bool { return f.Name == c.column })
		in := newTestInput(t, "json", mem, everyType, []int{i})
		line := fmt.Sprintf(`{"%s":%s}`, c.column, c.json)
		null := fmt.Sprintf(`{"%s":null}`, c.column)
		again := fmt.Sprintf(`{"%[1]s":%s,"%[1]s":null}`, c.column, c.json) // a value that null replaces
		good, bad := decodeAll(t, in, mem, null+"\n"+line+"\n"+again+"\n"+line+"\n"+null, 100)
		if c.reason != "" {
			want := c.column + ": " + c.reason
			if len(bad) != 3 || bad[0] != "1: "+want || bad[2] != "3: "+want || len(good) != 2 {
				t.Errorf("%s: rows %v, bad %v, want %s", line, good, bad, want)
			}
			continue
		}
		want := []string{"0: null", "1: " + c.want, "2: null", "3: " + c.want, "4: null"}
		if len(bad) != 0 || !slices.Equal(good, want) {
			t.Errorf("%s: rows %v, bad %v, want %v", line, good, bad, want)
		}
	}
}

func TestBadFieldPath(t *testing.T) {
	mem := memory.NewGoAllocator()
	in := newTestInput(t, "json", mem, everyType, []int{14})
	_, bad := decodeAll(t, in, mem, `{"row":{"l":[{"z":"\q"}]}}`, 1)
	if want := []string{`0: row.l.z: malformed JSON: expected an escape such as \n or \u00e9, got '\\'`}; !slices.Equal(bad, want) {
		t.Errorf("bad is %q, want %q", bad, want)
	}
}

// TestManyKeys decodes records whose keys are all different.
func TestManyKeys(t *testing.T) {
	mem := memory.NewGoAllocator()
	in := newTestInput(t, "json", mem, everyType, []int{2})
	var doc strings.Builder
	for i := range 2 * maxKeys {
		fmt.Fprintf(&doc, `{"k%d":0,"i64":%d,"j%d":0}`+"\n", i, i, i)
	}
	good, bad := decodeAll(t, in, mem, doc.String(), 5000)
	if len(good) != 2*maxKeys || len(bad) != 0 || good[len(good)-1] != fmt.Sprintf("%[1]d: %[1]d", 2*maxKeys-1) {
		t.Errorf("%d rows, %d bad, last %s", len(good), len(bad), good[len(good)-1])
	}
}
