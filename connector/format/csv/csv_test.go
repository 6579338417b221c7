package csv

import (
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/connector"
	"streamsql/connector/format"
	_ "streamsql/connector/format/json"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
	"streamsql/internal/text"
)

func col(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

func parseOptions(t failer, options map[string]string) *connector.Options {
	t.Helper()
	f, err := format.Lookup("csv")
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]string{connector.Key: "test"}
	for k, v := range options {
		given[k] = v
	}
	o, err := (&connector.Connector{Name: "test", Options: f.Options}).Parse(connector.Table{Options: given})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func newTestInput(t failer, mem memory.Allocator, fields []arrow.Field, columns []int, options map[string]string) format.Input {
	t.Helper()
	in, err := newInput(format.InputSpec{Schema: arrow.NewSchema(fields, nil), Columns: columns, Options: parseOptions(t, options), Alloc: mem})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// decodeAll decodes doc in batches of the given number of rows. Each row is its values as JSON, joined by blanks and preceded by
// its line; bad records are their lines, fields and reasons.
func decodeAll(t failer, in format.Input, doc string, rows int) (good, bad []string) {
	t.Helper()
	data := append(make([]byte, 0, len(doc)+format.Padding), doc...)
	line := 0
	n := in.Header(data)
	if n < 0 {
		n = len(data)
	}
	header := data[:n]
	data = data[n:]
	line += strings.Count(string(header), "\n")
	d, err := in.NewDecoder(header)
	if err != nil {
		t.Fatal(err)
	}
	style := text.JSON(nil)
	for len(data) > 0 {
		c := d.Decode(data, rows)
		if c.Bytes == 0 || c.Batch.Rows > rows {
			t.Fatalf("decoded %d bytes, %d rows of at most %d", c.Bytes, c.Batch.Rows, rows)
		}
		for row := range c.Batch.Rows {
			s := fmt.Sprintf("%d:", line+c.RowLine(row))
			for _, a := range c.Batch.Cols {
				s += " " + string(style.Append(nil, a, row))
			}
			good = append(good, s)
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

var threeFields = []arrow.Field{col("id", arrow.PrimitiveTypes.Int32), col("s", arrow.BinaryTypes.String), col("v", arrow.PrimitiveTypes.Float64)}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name      string
		options   map[string]string
		columns   []int
		doc       string
		good, bad []string
	}{
		{
			name: "plain", columns: []int{0, 1, 2},
			doc:  "1,a,2.5\r\n\n+2,,\n 3 ,\"\", -1e3 \n007,x y,1",
			good: []string{`0: 1 "a" 2.5`, `2: 2 null null`, `3: 3 "" -1000.0`, `4: 7 "x y" 1.0`},
		},
		{
			name: "quoted", columns: []int{0, 1, 2},
			doc:  "\"1\",\"a,\"\"b\"\"\nc\",\"2\"\r\n2,\"\"\"\",3\n",
			good: []string{`0: 1 "a,\"b\"\nc" 2.0`, `2: 2 "\"" 3.0`},
		},
		{
			name: "bad records", columns: []int{0, 1, 2},
			doc: "1,a\nx,\"b\n\",1\n2,c,3,4\n3,d\"e,5\n4,\"f\"g,6\n5,\xff,7\n3000000000,,\n\"\",,\n6,ok,8\n7,a,\"b,c\",d\n8,\"open\n,x",
			good: []string{
				`9: 6 "ok" 8.0`,
			},
			bad: []string{
				"0: : expected 3 fields, got 2",
				`1: id: expected INT, got "x"`,
				"3: : expected 3 fields, got 4",
				"4: s: a quote inside an unquoted field",
				"5: s: 'g' after the closing quote of a field",
				"6: s: the text is not valid UTF-8",
				"7: id: 3000000000 is out of range for INT",
				`8: id: expected INT, got ""`,
				`10: v: expected DOUBLE, got "b,c"`,
				"11: s: the quoted field is not closed",
			},
		},
		{
			name: "projection", columns: []int{2},
			doc:  "x,\"\n\",1.0\n,,\n",
			good: []string{"0: 1.0", "2: null"},
		},
		{
			name: "no columns", doc: "1,2,3\n4,5,6\n", good: []string{"0:", "1:"},
		},
		{
			name: "header", columns: []int{0, 1, 2}, options: map[string]string{"csv.header": "true"},
			doc:  " V ,more,\"id\",\"s\"\n2.5,z,1,a\n,,,\n1,2,3\n",
			good: []string{`1: 1 "a" 2.5`, "2: null null null"},
			bad:  []string{"3: : expected 4 fields, got 3"},
		},
		{
			name: "dialect", columns: []int{0, 1, 2},
			options: map[string]string{"csv.field-delimiter": `\t`, "csv.quote-character": "'", "csv.null-literal": "NA"},
			doc:     "1\t'a''\tb'\tNA\nNA\t\t3\n\t'NA'\t4\n",
			good:    []string{`0: 1 "a'\tb" null`, `1: null "" 3.0`},
			bad:     []string{"2: id: expected INT, got an empty field (NULL is written NA)"},
		},
		{
			name: "numeric null", columns: []int{0, 1, 2}, options: map[string]string{"csv.null-literal": "-1"},
			doc: "-1,-1,-1\n-11,\"-1\",1\n", good: []string{"0: null null null", `1: -11 "-1" 1.0`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			mem := memory.NewCheckedAllocator(new(dirty.Allocator))
			defer mem.AssertSize(t, 0)
			in := newTestInput(t, mem, threeFields, c.columns, c.options)
			for _, rows := range []int{1, 2, 7, 4096} {
				good, bad := decodeAll(t, in, c.doc, rows)
				if !slices.Equal(good, c.good) {
					t.Errorf("batches of %d: rows\n%s\nwant\n%s", rows, strings.Join(good, "\n"), strings.Join(c.good, "\n"))
				}
				if !slices.Equal(bad, c.bad) {
					t.Errorf("batches of %d: bad records\n%s\nwant\n%s", rows, strings.Join(bad, "\n"), strings.Join(c.bad, "\n"))
				}
			}
		})
	}
}

func TestDecodeSingleColumn(t *testing.T) {
	in := newTestInput(t, memory.NewGoAllocator(), threeFields[1:2], []int{0}, nil)
	good, bad := decodeAll(t, in, "a\n\n\"\"\r\n", 10)
	if want := []string{`0: "a"`, "1: null", `2: ""`}; !slices.Equal(good, want) || len(bad) > 0 {
		t.Errorf("rows %q, bad %q, want %q", good, bad, want)
	}
}

func TestDecodeTypes(t *testing.T) {
	for _, c := range []struct {
		t        arrow.DataType
		in, want string
	}{
		{arrow.FixedWidthTypes.Boolean, "Yes", "true"},
		{arrow.PrimitiveTypes.Int8, "-128", "-128"},
		{arrow.PrimitiveTypes.Int64, "9223372036854775807", "9223372036854775807"},
		{arrow.PrimitiveTypes.Float32, "0.1", "0.1"},
		{arrow.PrimitiveTypes.Float64, "-Infinity", `"-Infinity"`},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, "12345678901234567.89", `"12345678901234567.89"`},
		{arrow.BinaryTypes.Binary, "AQL/", `"AQL/"`},
		{arrow.FixedWidthTypes.Date32, "2013-01-31", `"2013-01-31"`},
		{arrow.FixedWidthTypes.Time32ms, "12:34:56.7", `"12:34:56.700"`},
		{&arrow.TimestampType{Unit: arrow.Millisecond}, "2013-01-01T06:00:00Z", `"2013-01-01 06:00:00.000"`},
		{&arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}, "2013-01-01 06:00:00+01:00", `"2013-01-01 05:00:00Z"`},
		{arrow.ListOf(arrow.PrimitiveTypes.Int64), `"[1,null]"`, "[1,null]"},
		{arrow.StructOf(col("a", arrow.BinaryTypes.String)), `"{""a"":""x""}"`, `{"a":"x"}`},
	} {
		in := newTestInput(t, memory.NewGoAllocator(), []arrow.Field{col("c", c.t), col("z", arrow.PrimitiveTypes.Int32)}, []int{0}, nil)
		good, bad := decodeAll(t, in, ",0\n"+c.in+",0\nwrong,0\n"+c.in+",0\n", 10)
		if want := []string{"0: null", "1: " + c.want, "3: " + c.want}; !slices.Equal(good, want) || len(bad) != 1 {
			t.Errorf("%v: rows %q, bad %q, want %q", c.t, good, bad, want)
		}
	}
}

func TestMissingHeaderColumn(t *testing.T) {
	in := newTestInput(t, memory.NewGoAllocator(), threeFields, []int{0}, map[string]string{"csv.header": "true"})
	_, err := in.NewDecoder([]byte("id,str,w\n"))
	if want := "column 's' is missing in the header; known are id, str, w"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	if _, err = in.NewDecoder([]byte("id,S,vv")); err == nil || err.Error() != "column 'v' is missing in the header; did you mean 'vv'?" {
		t.Errorf("error is %v", err)
	}
}

func TestWrongOptions(t *testing.T) {
	for _, options := range []map[string]string{
		{"csv.field-delimiter": "a"},
		{"csv.field-delimiter": "-"},
		{"csv.field-delimiter": `"`},
		{"csv.null-literal": "a,b"},
	} {
		_, err := newInput(format.InputSpec{Schema: arrow.NewSchema(threeFields, nil), Options: parseOptions(t, options)})
		if err == nil {
			t.Errorf("%v was accepted", options)
		}
	}
	schema := arrow.NewSchema([]arrow.Field{col("d", arrow.FixedWidthTypes.Duration_ms)}, nil)
	if _, err := newInput(format.InputSpec{Schema: schema, Options: parseOptions(t, nil)}); err == nil || !strings.Contains(err.Error(), "column 'd' of type INTERVAL") {
		t.Errorf("error is %v", err)
	}
}

// TestCut compares the frame of every prefix with the ends of records.
func TestCut(t *testing.T) {
	d := dialect{delimiter: ',', quote: '"'}
	rapid.Check(t, func(t *rapid.T) {
		doc := []byte(rapid.StringMatching(`([a",\n]){0,30}`).Draw(t, "doc"))
		want := 0
		for p := 0; p < len(doc); {
			end := d.recordEnd(doc, p)
			if end == len(doc) {
				break
			}
			p = end + 1
			want = p
		}
		if got := d.cut(doc); got != want {
			t.Fatalf("cut(%q) = %d, want %d", doc, got, want)
		}
	})
}

// FuzzDecode compares with encoding/csv, which stops at the first bad record.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"a,b,c\n1,2,3", "\"a\",\"b\nc\",\"d\"\"e\"\n", "\n\na,,\n\"\",\"\",\"\"\n", "a,b\n", "a,b\"c,d\n", "\"a\"x,b,c\n", "\"a,b,c", strings.Repeat("long ", 10) + ",é,日本\n",
	} {
		f.Add(s)
	}
	fields := []arrow.Field{col("a", arrow.BinaryTypes.String), col("b", arrow.BinaryTypes.String), col("c", arrow.BinaryTypes.String)}
	f.Fuzz(func(t *testing.T, doc string) {
		if strings.Contains(doc, "\r") || !utf8.ValidString(doc) { // encoding/csv changes line breaks and takes any bytes
			return
		}
		r := stdcsv.NewReader(strings.NewReader(doc))
		r.FieldsPerRecord = 3
		var want []string
		var wantErr error
		for {
			record, err := r.Read()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					wantErr = err
				}
				break
			}
			line, _ := r.FieldPos(0)
			s := fmt.Sprintf("%d:", line-1)
			for _, v := range record {
				s += " " + string(text.AppendJSONString(nil, []byte(v)))
			}
			want = append(want, s)
		}
		in := newTestInput(t, memory.NewGoAllocator(), fields, []int{0, 1, 2}, map[string]string{"csv.null-literal": "a value that does not occur"})
		for _, rows := range []int{1, 100} {
			got, bad := decodeAll(t, in, doc, rows)
			if wantErr == nil && (!slices.Equal(got, want) || len(bad) > 0) {
				t.Fatalf("%q: rows %q, bad %q; encoding/csv has %q", doc, got, bad, want)
			}
			if wantErr != nil && (len(bad) == 0 || len(got) < len(want) || !slices.Equal(got[:len(want)], want)) {
				t.Fatalf("%q: rows %q, bad %q; encoding/csv has %q, then %v", doc, got, bad, want, wantErr)
			}
		}
	})
}

// TestRoundTrip writes random rows and reads them again.
func TestRoundTrip(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	rapid.Check(t, func(t *rapid.T) {
		options := map[string]string{
			"csv.field-delimiter": rapid.SampledFrom([]string{",", ";", `\t`, " ", "|"}).Draw(t, "delimiter"),
			"csv.null-literal":    rapid.SampledFrom([]string{"", "NA", "null"}).Draw(t, "null"),
			"csv.header":          rapid.SampledFrom([]string{"true", "false"}).Draw(t, "header"),
		}
		width := rapid.IntRange(1, 3).Draw(t, "width")
		fields := []arrow.Field{col("s", arrow.BinaryTypes.String), col("t t", &arrow.TimestampType{Unit: arrow.Millisecond}), col("l", arrow.ListOf(arrow.BinaryTypes.String))}[:width]
		var doc strings.Builder
		var want []string
		for i := range rapid.IntRange(0, 5).Draw(t, "rows") {
			s := rapid.SampledFrom([]string{"null", `""`, `"NA"`, `"null"`, `"a,b"`, `"x;y|z"`, `"line\nbreak"`, `"quo\"te"`, `" "`, `"é\t"`, `"\r"`}).Draw(t, "s")
			values := []string{s, `"2013-01-31 05:00:00.000"`, "[" + s + "]"}[:width]
			row := fmt.Sprintf("%d:", i)
			for _, v := range values {
				row += " " + v
			}
			want = append(want, row)
			doc.WriteString(jsonLine(fields, values))
		}
		batch := decodeJSON(t, mem, fields, doc.String())
		o, err := newOutput(format.OutputSpec{Schema: arrow.NewSchema(fields, nil), Options: parseOptions(t, options)})
		if err != nil {
			t.Fatal(err)
		}
		out := o.Append(o.Header(nil), batch)
		batch.Release()
		columns := []int{0, 1, 2}[:width]
		in, err := newInput(format.InputSpec{Schema: arrow.NewSchema(fields, nil), Columns: columns, Options: parseOptions(t, options), Alloc: mem})
		if err != nil {
			t.Fatal(err)
		}
		got, bad := decodeAll(t, in, string(out), 100)
		for i := range got { // the lines differ where values hold line breaks
			got[i] = fmt.Sprintf("%d:%s", i, got[i][strings.Index(got[i], ":")+1:])
		}
		if !slices.Equal(got, want) || len(bad) > 0 {
			t.Fatalf("%q: rows\n%s\nwant\n%s\nbad %q", out, strings.Join(got, "\n"), strings.Join(want, "\n"), bad)
		}
	})
}

// failer is what the helpers need of a testing.TB or a *rapid.T.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func jsonLine(fields []arrow.Field, values []string) string {
	var b strings.Builder
	for i, f := range fields {
		fmt.Fprintf(&b, ",%q:%s", f.Name, values[i])
	}
	return "{" + b.String()[1:] + "}\n"
}

func decodeJSON(t *rapid.T, mem memory.Allocator, fields []arrow.Field, doc string) vec.Batch {
	f, err := format.Lookup("json")
	if err != nil {
		t.Fatal(err)
	}
	columns := make([]int, len(fields))
	for i := range columns {
		columns[i] = i
	}
	in, err := f.NewInput(format.InputSpec{Schema: arrow.NewSchema(fields, nil), Columns: columns, Alloc: mem})
	if err != nil {
		t.Fatal(err)
	}
	d, err := in.NewDecoder(nil)
	if err != nil {
		t.Fatal(err)
	}
	return d.Decode(append(make([]byte, 0, len(doc)+format.Padding), doc...), 1000).Batch
}
