package file

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"streamsql/connector"
	_ "streamsql/connector/format/ipc"
	_ "streamsql/connector/format/parquet"
	"streamsql/internal/text"
)

// recordWriter is what all of Arrow's writers have.
type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

// writers make the columnar files, by the ends of their names.
var writers = map[string]func(*os.File, *arrow.Schema) (recordWriter, error){
	".parquet": func(f *os.File, s *arrow.Schema) (recordWriter, error) {
		return pqarrow.NewFileWriter(s, f, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy)),
			pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	},
	".arrow": func(f *os.File, s *arrow.Schema) (recordWriter, error) {
		return ipc.NewFileWriter(f, ipc.WithSchema(s), ipc.WithZstd())
	},
	".arrows": func(f *os.File, s *arrow.Schema) (recordWriter, error) {
		return ipc.NewWriter(f, ipc.WithSchema(s)), nil
	},
}

// writeColumns writes groups of rows, each as JSON.
func writeColumns(t testing.TB, path string, schema *arrow.Schema, groups ...string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := writers[filepath.Ext(path)](f, schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		rec, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(g))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
		rec.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// ids is n rows from an id on.
func ids(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"id": %d}`, from+i)
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]"
}

// eachFormat runs a test for each kind of columnar file, with the options of a table and the end of its files' names.
func eachFormat(t *testing.T, test func(t *testing.T, format, end string)) {
	for _, f := range [][2]string{{"parquet", ".parquet"}, {"arrow", ".arrow"}, {"arrow", ".arrows"}} {
		t.Run(f[1][1:], func(t *testing.T) { test(t, f[0], f[1]) })
	}
}

func columnarSource(t testing.TB, spec connector.SourceSpec) *columnar {
	t.Helper()
	s, err := connector.NewSource(spec)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*columnar)
}

// TestColumnarResume goes on from everywhere with batches of another size.
func TestColumnarResume(t *testing.T) {
	eachFormat(t, func(t *testing.T, format, end string) {
		dir := t.TempDir()
		writeColumns(t, filepath.Join(dir, "in"+end), idSchema, ids(0, 10), ids(10, 1), "[]", ids(11, 25), ids(36, 4))
		spec := testSpec(t, dir, "in"+end, "format", format)
		spec.Ordered, spec.Rows = true, 3
		s := columnarSource(t, spec)
		splits, err := s.Splits(t.Context())
		if err != nil || len(splits) != 1 {
			t.Fatalf("%d splits, %v", len(splits), err)
		}
		whole := readSplit(t, s, splits[0], nil)
		if !slices.Equal(whole.ids, sequence(40)) || whole.places[39] != "in"+end+": row 40" {
			t.Fatalf("read %v, the last of %s", whole.ids, whole.places[len(whole.places)-1])
		}
		for i, pos := range whole.positions {
			for _, rows := range []int{1, 4, 100} {
				s.spec.Rows = rows
				rest := readSplit(t, s, splits[0], pos)
				if !slices.Equal(rest.ids, whole.ids[whole.counts[i]:]) || !slices.Equal(rest.places, whole.places[whole.counts[i]:]) {
					t.Fatalf("after %d rows it goes on with %v", whole.counts[i], rest.ids)
				}
			}
		}
	})
}

// TestColumnarSplits divides a file between groups, and reads all rows whatever the division.
func TestColumnarSplits(t *testing.T) {
	eachFormat(t, func(t *testing.T, format, end string) {
		dir := t.TempDir()
		writeColumns(t, filepath.Join(dir, "in"+end), idSchema, ids(0, 100), ids(100, 100), ids(200, 100))
		for _, c := range []struct {
			ranges int64
			splits int
		}{{1, 3}, {1 << 30, 1}} {
			s := columnarSource(t, testSpec(t, dir, "in"+end, "format", format))
			s.ranges = c.ranges
			splits, err := s.Splits(t.Context())
			if err != nil || len(splits) != c.splits {
				t.Fatalf("%d splits, %v", len(splits), err)
			}
			all := readAll(t, s)
			if !slices.Equal(all.ids, sequence(300)) || all.places[250] != "in"+end+": row 251" {
				t.Errorf("read %v", all.ids)
			}
		}
		ordered := testSpec(t, dir, "in"+end, "format", format)
		ordered.Ordered = true
		s := columnarSource(t, ordered)
		s.ranges = 1
		if splits, err := s.Splits(t.Context()); err != nil || len(splits) != 1 {
			t.Errorf("a table with a watermark has %d splits, %v", len(splits), err)
		}
	})
}

// TestColumnarCut cuts a file off everywhere: what is left gives its first rows or an error.
func TestColumnarCut(t *testing.T) {
	eachFormat(t, func(t *testing.T, format, end string) {
		dir := t.TempDir()
		whole := filepath.Join(dir, "whole"+end)
		writeColumns(t, whole, idSchema, ids(0, 30), ids(30, 20))
		data, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(data) {
			writeFile(t, filepath.Join(dir, "cut"+end), data[:n])
			spec := testSpec(t, dir, "cut"+end, "format", format)
			s := columnarSource(t, spec)
			splits, err := s.Splits(t.Context())
			if err != nil {
				continue
			}
			if end != ".arrows" {
				t.Fatalf("%d of %d bytes are taken for a file", n, len(data))
			}
			for _, split := range splits {
				if got := readSplit(t, s, split, nil); !slices.Equal(got.ids, sequence(len(got.ids))) {
					t.Fatalf("of %d bytes %v is read", n, got.ids)
				}
			}
		}
	})
}

// dialect has a column of each type of SQL.
var dialect = arrow.NewSchema([]arrow.Field{
	{Name: "bool", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	{Name: "tiny", Type: arrow.PrimitiveTypes.Int8, Nullable: true},
	{Name: "small", Type: arrow.PrimitiveTypes.Int16, Nullable: true},
	{Name: "int", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	{Name: "big", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "float", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
	{Name: "double", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "dec", Type: &arrow.Decimal128Type{Precision: 20, Scale: 3}, Nullable: true},
	{Name: "text", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "bytes", Type: arrow.BinaryTypes.Binary, Nullable: true},
	{Name: "date", Type: arrow.PrimitiveTypes.Date32, Nullable: true},
	{Name: "time", Type: arrow.FixedWidthTypes.Time32ms, Nullable: true},
	{Name: "ts", Type: &arrow.TimestampType{Unit: arrow.Millisecond}, Nullable: true},
	{Name: "ltz", Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true},
	{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int64), Nullable: true},
	{Name: "map", Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64), Nullable: true},
	{Name: "row", Type: arrow.StructOf(
		arrow.Field{Name: "a", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "b", Type: arrow.ListOf(arrow.StructOf(arrow.Field{Name: "c", Type: arrow.PrimitiveTypes.Float64, Nullable: true})), Nullable: true},
	), Nullable: true},
	{Name: "dict", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}, Nullable: true},
}, nil)

const dialectRows = `[
 {"bool": true, "tiny": -1, "small": 2, "int": 3, "big": 9007199254740992, "float": 1.5, "double": 2.5, "dec": "-1.250", "text": "Zoë", "bytes": "AAE=",
  "date": "2024-02-29", "time": "10:00:00.5", "ts": "2024-02-29 10:00:00.5", "ltz": "2024-02-29 10:00:00.000001",
  "list": [1, null, 3], "map": [{"key": "x", "value": 1}, {"key": "y", "value": null}], "row": {"a": "r", "b": [{"c": 1.5}, null, {"c": null}]}, "dict": "red"},
 {},
 {"text": "", "bytes": "", "list": [], "map": [], "row": {"a": null, "b": []}, "dict": "blue"},
 {"row": {"a": "s", "b": null}, "dict": "red"}]`

const dialectShown = `TRUE|-1|2|3|9007199254740992|1.5|2.5|-1.250|Zoë|x'0001'|2024-02-29|10:00:00.500|2024-02-29 10:00:00.500|2024-02-29 10:00:00.000001|[1, NULL, 3]|{x=1, y=NULL}|(r, [(1.5), NULL, (NULL)])|red
NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL
NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL||x''|NULL|NULL|NULL|NULL|[]|{}|(NULL, [])|blue
NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|(s, NULL)|red
`

// TestColumnarTypes finds out the columns of a file with every type, and reads them.
func TestColumnarTypes(t *testing.T) {
	eachFormat(t, func(t *testing.T, format, end string) {
		dir := t.TempDir()
		writeColumns(t, filepath.Join(dir, "in"+end), dialect, dialectRows, dialectRows)
		spec := testSpec(t, dir, "in"+end, "format", format)
		spec.Table.Schema = nil
		inferred, err := connector.Infer(spec.Table)
		if err != nil {
			t.Fatal(err)
		}
		spec.Table = inferred
		for _, rows := range []int{1, 3, 100} {
			spec.Rows, spec.Columns = rows, nil
			for i := range dialect.NumFields() {
				spec.Columns = append(spec.Columns, i)
			}
			if got := shown(t, spec); got != dialectShown+dialectShown {
				t.Errorf("in batches of %d it reads\n%s", rows, got)
			}
			spec.Columns = []int{16, 0}
			if got := shown(t, spec); !strings.HasPrefix(got, "(r, [(1.5), NULL, (NULL)])|TRUE\nNULL|NULL\n") {
				t.Errorf("two columns are\n%s", got)
			}
		}
	})
}

// shown is all rows of a table, a line each.
func shown(t *testing.T, spec connector.SourceSpec) string {
	t.Helper()
	s := columnarSource(t, spec)
	splits, err := s.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	style := text.SQL(nil)
	for _, split := range splits {
		r, err := s.Open(t.Context(), split, nil)
		if err != nil {
			t.Fatal(err)
		}
		for {
			f, err := r.Read(t.Context())
			if err != nil {
				break
			}
			for row := range f.Batch.Rows {
				for i, c := range f.Batch.Cols {
					if i > 0 {
						b.WriteByte('|')
					}
					b.Write(style.Append(nil, c, row))
				}
				b.WriteByte('\n')
			}
			f.Batch.Release()
		}
		r.Close()
	}
	return b.String()
}

// TestColumnarRefusals says what is wrong with files and with tables.
func TestColumnarRefusals(t *testing.T) {
	eachFormat(t, func(t *testing.T, format, end string) {
		dir := t.TempDir()
		good := filepath.Join(dir, "good"+end)
		writeColumns(t, good, idSchema, ids(0, 1000), ids(1000, 1000))
		data, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "empty"+end), nil)
		writeFile(t, filepath.Join(dir, "text"+end), []byte("{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}\n{\"id\": 4}\n"))
		writeFile(t, filepath.Join(dir, "cut"+end), data[:len(data)*2/3])
		writeFile(t, filepath.Join(dir, "packed"+end+".gz"), data)
		writeColumns(t, filepath.Join(dir, "none"+end), idSchema)
		for name, want := range map[string]string{
			"empty" + end: "empty" + end, "text" + end: "text" + end, "cut" + end: "cut", "packed" + end + ".gz": "packed inside",
		} {
			_, err := columnarSource(t, testSpec(t, dir, name, "format", format)).Splits(t.Context())
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "panic") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if rows := shown(t, testSpec(t, dir, "none"+end, "format", format)); rows != "" {
			t.Errorf("a file without rows has %s", rows)
		}
		for _, c := range []struct {
			field arrow.Field
			want  string
		}{
			{arrow.Field{Name: "idd", Type: arrow.PrimitiveTypes.Int64}, "the file has no column 'idd'; did you mean 'id'?"},
			{arrow.Field{Name: "ID", Type: arrow.BinaryTypes.String}, "column 'ID' is BIGINT in the file (int64), which cannot be read as STRING"},
		} {
			spec := testSpec(t, dir, "good"+end, "format", format)
			spec.Table.Schema = arrow.NewSchema([]arrow.Field{c.field}, nil)
			s := columnarSource(t, spec)
			splits, err := s.Splits(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Open(t.Context(), splits[0], nil); err == nil || !strings.HasSuffix(err.Error(), c.want) || !connector.IsPermanent(err) {
				t.Errorf("error is %v", err)
			}
		}
	})
}
