package format_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector/format"
	_ "streamsql/connector/format/csv"
	_ "streamsql/connector/format/json"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "na\"me", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "t", Type: &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}},
	{Name: "d", Type: &arrow.Decimal128Type{Precision: 5, Scale: 1}},
	{Name: "f", Type: arrow.PrimitiveTypes.Float64},
}, nil)

// testBatch has four rows, of which the second is not selected.
func testBatch(t *testing.T, mem memory.Allocator) vec.Batch {
	rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(`[
		{"id": 1, "na\"me": "a,b", "t": 0, "d": "1.5", "f": 1},
		{"id": 2, "na\"me": "x", "t": 0, "d": "1.5", "f": 1},
		{"id": "9007199254740993", "na\"me": null, "t": 1000, "d": "-0.5", "f": "NaN"},
		{"id": 4, "na\"me": "", "t": 1001, "d": "0", "f": 0.1}]`))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	b := vec.NewBatch(4, rec.Columns()).Retain().Select([]uint32{0, 2, 3})
	b.Kinds = []vec.Kind{vec.Insert, vec.Insert, vec.UpdateBefore, vec.Delete}
	return b
}

func TestRowWriter(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	for _, c := range []struct {
		name    string
		zone    *time.Location
		options map[string]string
		want    string
	}{
		{"json", nil, nil, `{"id":1,"na\"me":"a,b","t":"1970-01-01 00:00:00.000Z","d":"1.5","f":1.0}
{"id":9007199254740993,"na\"me":null,"t":"1970-01-01 00:00:01.000Z","d":"-0.5","f":"NaN"}
{"id":4,"na\"me":"","t":"1970-01-01 00:00:01.001Z","d":"0.0","f":0.1}
`},
		{"changelog", tokyo, nil, `{"_op":"+I","id":1,"na\"me":"a,b","t":"1970-01-01 09:00:00.000","d":"1.5","f":1.0}
{"_op":"-U","id":9007199254740993,"na\"me":null,"t":"1970-01-01 09:00:01.000","d":"-0.5","f":"NaN"}
{"_op":"-D","id":4,"na\"me":"","t":"1970-01-01 09:00:01.001","d":"0.0","f":0.1}
`},
		{"csv", tokyo, map[string]string{"csv.header": "true"}, `id,"na""me",t,d,f
1,"a,b",1970-01-01 09:00:00.000,1.5,1.0
9007199254740993,,1970-01-01 09:00:01.000,-0.5,NaN
4,"",1970-01-01 09:00:01.001,0.0,0.1
`},
	} {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		var out strings.Builder
		w, err := format.NewRowWriter(&out, c.name, schema, c.zone, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(testBatch(t, mem)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || out.String() != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, out.String(), c.want)
		}
		mem.AssertSize(t, 0)
	}
}

func TestRowWriterWithoutRows(t *testing.T) {
	var out strings.Builder
	w, err := format.NewRowWriter(&out, "csv", schema, nil, map[string]string{"csv.header": "true"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || out.String() != "id,\"na\"\"me\",t,d,f\n" {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestRowWriterRefuses(t *testing.T) {
	for want, c := range map[string]struct {
		name    string
		options map[string]string
	}{
		"unknown format 'jsno'; did you mean 'json'?":                                                    {"jsno", nil},
		"unknown option 'csv.heeder' of format 'csv'; did you mean 'csv.header'?":                        {"csv", map[string]string{"csv.heeder": "true"}},
		"option 'csv.header': 'yes' is neither true nor false":                                           {"csv", map[string]string{"csv.header": "yes"}},
		"option 'csv.quote-character': 'ab' is not one ASCII character":                                  {"csv", map[string]string{"csv.quote-character": "ab"}},
		"option 'csv.field-delimiter': '1' cannot stand between fields, since it may be part of a value": {"csv", map[string]string{"csv.field-delimiter": "1"}},
	} {
		if _, err := format.NewRowWriter(nil, c.name, schema, nil, c.options); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errBroken }

var errBroken = errors.New("broken")

func TestRowWriterReportsErrors(t *testing.T) {
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	defer mem.AssertSize(t, 0)
	w, err := format.NewRowWriter(brokenPipe{}, "json", schema, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(testBatch(t, mem)); !errors.Is(err, errBroken) {
		t.Errorf("error is %v", err)
	}
}
