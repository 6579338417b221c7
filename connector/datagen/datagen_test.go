package datagen

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/internal/text"
)

func col(name string, t arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

var millis = &arrow.TimestampType{Unit: arrow.Millisecond}

func testSource(fields []arrow.Field, options ...string) (connector.Source, error) {
	spec := connector.SourceSpec{
		Table: connector.Table{Name: "t", Schema: arrow.NewSchema(fields, nil), Options: map[string]string{"connector": "datagen"}},
		Rows:  7, Alloc: memory.NewGoAllocator(),
	}
	for i := range fields {
		spec.Columns = append(spec.Columns, i)
	}
	for i := 0; i < len(options); i += 2 {
		spec.Table.Options[options[i]] = options[i+1]
	}
	return connector.NewSource(spec)
}

// generate returns the rows of a bounded table, each as its values joined by blanks.
func generate(t *testing.T, fields []arrow.Field, options ...string) []string {
	t.Helper()
	s, err := testSource(fields, options...)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Bounded() {
		t.Fatal("the table does not end")
	}
	splits, err := s.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, split := range splits {
		out = append(out, readRows(t, s, split, nil)...)
	}
	return out
}

func readRows(t *testing.T, s connector.Source, split connector.Split, pos connector.Position) []string {
	t.Helper()
	r, err := s.Open(t.Context(), split, pos)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	style := text.SQL(nil)
	for {
		f, err := r.Read(t.Context())
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for row := range f.Batch.Rows {
			var values []string
			for _, c := range f.Batch.Cols {
				values = append(values, string(style.Append(nil, c, row)))
			}
			out = append(out, strings.Join(values, " "))
		}
		f.Batch.Release()
	}
}

func TestSequences(t *testing.T) {
	got := generate(t, []arrow.Field{
		col("i", arrow.PrimitiveTypes.Int8), col("s", arrow.BinaryTypes.String), col("f", arrow.PrimitiveTypes.Float64),
		col("n", &arrow.Decimal128Type{Precision: 5, Scale: 2}), col("d", arrow.FixedWidthTypes.Date32), col("ts", millis), col("u", &arrow.TimestampType{Unit: arrow.Second}),
	}, "fields.i.kind", "sequence", "fields.i.start", "-1", "fields.i.end", "2", "fields.s.kind", "sequence", "fields.s.start", "9",
		"fields.f.kind", "sequence", "fields.n.kind", "sequence", "fields.n.start", "-3", "fields.d.kind", "sequence", "fields.d.start", "2024-02-28",
		"fields.ts.step", "1 min", "start.time", "2024-01-01 00:00:00", "fields.u.start", "2000-01-01 00:00:00", "fields.u.step", "500 ms")
	want := []string{
		"-1 9 0.0 -3.00 2024-02-28 2024-01-01 00:00:00.000 2000-01-01 00:00:00",
		"0 10 1.0 -2.00 2024-02-29 2024-01-01 00:01:00.000 2000-01-01 00:00:00",
		"1 11 2.0 -1.00 2024-03-01 2024-01-01 00:02:00.000 2000-01-01 00:00:01",
		"2 12 3.0 0.00 2024-03-02 2024-01-01 00:03:00.000 2000-01-01 00:00:01",
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestRandomStaysInBounds(t *testing.T) {
	fields := []arrow.Field{
		col("i", arrow.PrimitiveTypes.Int32), col("f", arrow.PrimitiveTypes.Float32), col("n", &arrow.Decimal128Type{Precision: 38, Scale: 2}),
		col("b", arrow.FixedWidthTypes.Boolean), col("s", arrow.BinaryTypes.String), col("ts", millis), col("big", arrow.PrimitiveTypes.Int64),
		col("time", arrow.FixedWidthTypes.Time32ms), col("date", arrow.FixedWidthTypes.Date32), col("x", arrow.BinaryTypes.Binary),
	}
	rows := generate(t, fields, "number-of-rows", "5000", "fields.i.min", "-2", "fields.i.max", "2", "fields.f.min", "1", "fields.f.max", "1.5",
		"fields.n.min", "-0.02", "fields.n.max", "0.03", "fields.s.length", "14", "fields.ts.kind", "random",
		"fields.ts.min", "2024-01-01 00:00:00", "fields.ts.max", "2024-01-01 00:00:00.002")
	distinct := make([]map[string]bool, len(fields)+1) // a timestamp is two words
	for i := range distinct {
		distinct[i] = map[string]bool{}
	}
	for _, r := range rows {
		words := strings.Fields(r)
		for i, v := range words {
			distinct[i][v] = true
		}
		if len(words[4]) != 14 || words[1] < "1.0" || words[1] > "1.5" {
			t.Fatalf("row %s", r)
		}
	}
	for i, want := range map[int]int{0: 5, 2: 6, 3: 2, 6: 3} {
		if len(distinct[i]) != want {
			t.Errorf("column %d has %d values, want %d: %v", i, len(distinct[i]), want, distinct[i])
		}
	}
	for _, i := range []int{1, 4, 7, 8} {
		if len(distinct[i]) < 4000 {
			t.Errorf("column %d has only %d values", i, len(distinct[i]))
		}
	}
}

func TestRandomIsEven(t *testing.T) {
	s, err := testSource([]arrow.Field{col("i", arrow.PrimitiveTypes.Int64), col("f", arrow.PrimitiveTypes.Float64)}, "number-of-rows", "100000",
		"fields.i.min", "0", "fields.i.max", "9", "fields.f.null-rate", "0.25")
	if err != nil {
		t.Fatal(err)
	}
	splits, _ := s.Splits(t.Context())
	r, _ := s.Open(t.Context(), splits[0], nil)
	var counts [10]int
	nulls, sum := 0, 0.0
	for {
		f, err := r.Read(t.Context())
		if err != nil {
			break
		}
		for _, v := range f.Batch.Cols[0].(*array.Int64).Int64Values() {
			counts[v]++
		}
		floats := f.Batch.Cols[1].(*array.Float64)
		nulls += floats.NullN()
		for i := range floats.Len() {
			if floats.IsValid(i) {
				sum += floats.Value(i)
			}
		}
		f.Batch.Release()
	}
	for v, n := range counts {
		if n < 9500 || n > 10500 {
			t.Errorf("%d comes %d times", v, n)
		}
	}
	if nulls < 24000 || nulls > 26000 {
		t.Errorf("%d NULLs", nulls)
	}
	if mean := sum / float64(100000-nulls); math.Abs(mean-0.5) > 0.01 {
		t.Errorf("the mean is %v", mean)
	}
}

func TestSplitsShareTheRows(t *testing.T) {
	fields := []arrow.Field{col("id", arrow.PrimitiveTypes.Int64), col("v", arrow.PrimitiveTypes.Int64), col("ts", millis)}
	options := []string{"number-of-rows", "100", "fields.id.kind", "sequence", "seed", "5", "fields.v.null-rate", "0.5", "fields.ts.max-past", "10 s"}
	whole := generate(t, fields, options...)
	split := generate(t, fields, append(options, "scan.splits", "7")...)
	slices.Sort(whole)
	slices.Sort(split)
	if len(whole) != 100 || !slices.Equal(whole, split) {
		t.Errorf("%d rows in one split and %d others in seven", len(whole), len(split))
	}
	other := generate(t, fields, append(options, "seed", "6")...)
	slices.Sort(other)
	if slices.Equal(whole, other) {
		t.Error("another seed gives the same rows")
	}
	if more := generate(t, append(fields, col("w", arrow.PrimitiveTypes.Int64)), options...); !strings.HasPrefix(more[3], generate(t, fields, options...)[3]) {
		t.Error("another column changes the others")
	}
}

func TestEnd(t *testing.T) {
	id := []arrow.Field{col("id", arrow.PrimitiveTypes.Int64)}
	for _, c := range []struct {
		options []string
		rows    int // -1: endless
	}{
		{nil, -1},
		{[]string{"fields.id.kind", "sequence"}, -1},
		{[]string{"fields.id.kind", "sequence", "fields.id.start", "5", "fields.id.end", "7"}, 3},
		{[]string{"fields.id.kind", "sequence", "fields.id.end", "7", "number-of-rows", "2"}, 2},
		{[]string{"number-of-rows", "0"}, 0},
	} {
		s, err := testSource(id, c.options...)
		if err != nil {
			t.Fatal(err)
		}
		if s.Bounded() != (c.rows >= 0) || !s.Replayable() {
			t.Errorf("%v: bounded %v", c.options, s.Bounded())
		}
		if c.rows >= 0 {
			if got := generate(t, id, c.options...); len(got) != c.rows {
				t.Errorf("%v: %d rows", c.options, len(got))
			}
		}
	}
	if got := generate(t, []arrow.Field{col("id", arrow.PrimitiveTypes.Int8)}, "fields.id.kind", "sequence", "fields.id.start", "120"); len(got) != 8 {
		t.Errorf("a TINYINT from 120 on has %d values", len(got))
	}
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fields := []arrow.Field{col("ts", &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"})}
		for _, c := range []struct {
			options []string
			want    time.Duration // for the first 10001 rows
		}{
			{nil, time.Second},
			{[]string{"rows-per-second", "100"}, 100 * time.Second},
			{[]string{"rows-per-second", "100", "scan.splits", "4", "fields.ts.kind", "now"}, 400 * time.Second},
			{[]string{"number-of-rows", "100000"}, 0},
		} {
			s, err := testSource(fields, c.options...)
			if err != nil {
				t.Fatal(err)
			}
			splits, _ := s.Splits(t.Context())
			r, _ := s.Open(t.Context(), splits[0], nil)
			start := time.Now()
			for rows := 0; rows < 10001; {
				f, err := r.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				rows += f.Batch.Rows
				if now := f.Batch.Cols[0].(*array.Timestamp).Value(0); len(c.options) == 6 && int64(now) != time.Now().Unix() {
					t.Fatalf("now is %v", now)
				}
				f.Batch.Release()
			}
			if took := time.Since(start); took < c.want-time.Millisecond*100 || took > c.want {
				t.Errorf("%v: took %v, want %v", c.options, took, c.want)
			}
		}
	})
}

func TestWrongFields(t *testing.T) {
	fields := []arrow.Field{col("id", arrow.PrimitiveTypes.Int8), col("f", arrow.PrimitiveTypes.Float64), col("ts", millis), col("s", arrow.BinaryTypes.String), col("b", arrow.FixedWidthTypes.Boolean)}
	for want, options := range map[string][]string{
		"option 'fields.id.min': 'x' is no TINYINT":                                            {"fields.id.min", "x"},
		"option 'fields.id.max': '128' is no TINYINT":                                          {"fields.id.max", "128"},
		"option 'fields.id.max': it is less than min":                                          {"fields.id.max", "1", "fields.id.min", "2"},
		"option 'fields.id.length': it means nothing for this kind of TINYINT":                 {"fields.id.length", "5"},
		"option 'fields.id.start': it means nothing for this kind of TINYINT":                  {"fields.id.start", "5"},
		"option 'fields.id.start': 500 is out of range for TINYINT":                            {"fields.id.kind", "sequence", "fields.id.start", "500"},
		"option 'fields.id.end': -1 does not come after start, or is out of range for TINYINT": {"fields.id.kind", "sequence", "fields.id.end", "-1"},
		"option 'fields.id.kind': only timestamps can be now":                                  {"fields.id.kind", "now"},
		"option 'fields.b.kind': there are no sequences of BOOLEAN":                            {"fields.b.kind", "sequence"},
		"option 'fields.f.max': it is not a number from min on, or too far from it":            {"fields.f.max", "-1"},
		"option 'fields.f.null-rate': '2' is no number from 0 to 1":                            {"fields.f.null-rate", "2"},
		"option 'fields.s.end': 'z' is no whole number":                                        {"fields.s.kind", "sequence", "fields.s.end", "z"},
		"option 'fields.ts.start': start.time, 'noon', is no TIMESTAMP(3)":                     {"start.time", "noon"},
		"option 'fields.idd.kind': there is no column 'idd'; did you mean 'id'?":               {"fields.idd.kind", "now"},
		"option 'fields.id.kind': unknown value 'rand'; known are random, sequence, now":       {"fields.id.kind", "rand"},
	} {
		if _, err := testSource(fields, options...); err == nil || err.Error() != want {
			t.Errorf("%v: error is %v, want %s", options, err, want)
		}
	}
	_, err := testSource([]arrow.Field{col("l", arrow.ListOf(arrow.PrimitiveTypes.Int64))})
	if want := "datagen cannot make values of type ARRAY<BIGINT>, which column 'l' has"; err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	s, _ := testSource(fields)
	if _, err := s.Open(t.Context(), connector.Split{}, nil); err == nil {
		t.Error("a damaged split was accepted")
	}
}

func BenchmarkRead(b *testing.B) {
	s, err := testSource([]arrow.Field{col("id", arrow.PrimitiveTypes.Int64), col("v", arrow.PrimitiveTypes.Float64), col("s", arrow.BinaryTypes.String), col("ts", millis)},
		"number-of-rows", fmt.Sprint(1<<62), "fields.id.max", "1000", "fields.s.length", "8")
	if err != nil {
		b.Fatal(err)
	}
	s.(*source).spec.Rows = 4096
	splits, _ := s.Splits(b.Context())
	r, _ := s.Open(b.Context(), splits[0], nil)
	rows := 0
	for b.Loop() {
		f, err := r.Read(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		rows += f.Batch.Rows
		f.Batch.Release()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}
