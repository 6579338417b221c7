package file

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"streamsql/connector"
	_ "streamsql/connector/format/csv"
	_ "streamsql/connector/format/json"
	"streamsql/internal/dirty"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("rapid.checks").Value.String() == "100" { // the default, and every check makes many files durable
		flag.Set("rapid.checks", "40")
	}
	goleak.VerifyTestMain(m)
}

var idSchema = arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)

// testSpec reads column id of the files at path.
func testSpec(t testing.TB, dir, path string, options ...string) connector.SourceSpec {
	t.Helper()
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	spec := connector.SourceSpec{
		Table:   connector.Table{Name: "t", Schema: idSchema, Dir: dir, Options: map[string]string{"connector": "filesystem", "path": path, "format": "json"}},
		Columns: []int{0}, Rows: 4096, Alloc: mem,
	}
	for i := 0; i < len(options); i += 2 {
		spec.Table.Options[options[i]] = options[i+1]
	}
	return spec
}

func testSource(t testing.TB, spec connector.SourceSpec) *source {
	t.Helper()
	s, err := connector.NewSource(spec)
	if err != nil {
		t.Fatal(err)
	}
	return s.(*source)
}

func writeFile(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// pack compresses data as the name asks for.
func pack(t testing.TB, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch packing(name) {
	case gzipped:
		w = gzip.NewWriter(&b)
	case zstandard:
		var err error
		if w, err = zstd.NewWriter(&b); err != nil {
			t.Fatal(err)
		}
	default:
		return data
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read is what one reader gave.
type read struct {
	ids       []int64
	places    []string // of the rows
	bad       []string
	positions []connector.Position // after each fragment
	counts    []int                // rows up to there
}

func readSplit(t testing.TB, s connector.Source, split connector.Split, pos connector.Position) read {
	t.Helper()
	r, err := s.Open(t.Context(), split, pos)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var out read
	for {
		f, err := r.Read(t.Context())
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		ids := f.Batch.Cols[0].(*array.Int64)
		for i := range f.Batch.Rows {
			out.ids = append(out.ids, ids.Value(i))
			out.places = append(out.places, f.Place(i))
		}
		for _, b := range f.Bad {
			out.bad = append(out.bad, b.Error())
		}
		f.Batch.Release()
		out.positions = append(out.positions, f.Position)
		out.counts = append(out.counts, len(out.ids))
	}
}

func readAll(t testing.TB, s connector.Source) (out read) {
	t.Helper()
	splits, err := s.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range splits {
		r := readSplit(t, s, split, nil)
		out.ids = append(out.ids, r.ids...)
		out.places = append(out.places, r.places...)
		out.bad = append(out.bad, r.bad...)
	}
	return out
}

// numbers is n rows, with a blank line after every tenth.
func numbers(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":%d,"text":"%s"}`+"\n", i, strings.Repeat("x", i%50))
		if i%10 == 9 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func sequence(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

func TestResumeAnywhere(t *testing.T) {
	const n = 3000
	csv := []byte("text,ID\r\n")
	for i := range n {
		csv = fmt.Appendf(csv, "\"a\n,\"\"%d\",%d\n", i, i)
	}
	for _, c := range []struct {
		name    string
		data    []byte
		options []string
	}{
		{"a.ndjson", numbers(n), nil},
		{"a.ndjson.gz", numbers(n), nil},
		{"a.ndjson.zst", numbers(n), nil},
		{"a.csv", append([]byte("\xef\xbb\xbf"), csv...), []string{"format", "csv", "csv.header", "true"}},
		{"a.csv.gz", csv, []string{"format", "csv", "csv.header", "true"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, c.name), pack(t, c.name, c.data))
			for _, rows := range []int{7, 500, 4096} {
				spec := testSpec(t, dir, c.name, c.options...)
				spec.Rows, spec.Ordered = rows, true
				s := testSource(t, spec)
				splits, err := s.Splits(t.Context())
				if err != nil || len(splits) != 1 || splits[0].ID != c.name {
					t.Fatalf("splits %v, %v", splits, err)
				}
				whole := readSplit(t, s, splits[0], nil)
				if !slices.Equal(whole.ids, sequence(n)) || len(whole.bad) > 0 {
					t.Fatalf("batches of %d: %d rows, bad %v", rows, len(whole.ids), whole.bad)
				}
				for i := 0; i < len(whole.positions); i += 1 + len(whole.positions)/10 {
					rest := readSplit(t, s, splits[0], whole.positions[i])
					if from := whole.counts[i]; !slices.Equal(rest.ids, whole.ids[from:]) || !slices.Equal(rest.places, whole.places[from:]) {
						t.Fatalf("batches of %d: from row %d on: %d rows", rows, from, len(rest.ids))
					}
				}
			}
		})
	}
}

func TestRanges(t *testing.T) {
	const n = 5000
	dir := t.TempDir()
	data := numbers(n)
	writeFile(t, filepath.Join(dir, "a.ndjson"), data[:len(data)-2]) // ends without a line break
	lines := strings.Split(string(data), "\n")
	for _, length := range []int64{1, 3, 1000, 4097, 1 << 20} {
		spec := testSpec(t, dir, "a.ndjson")
		s := testSource(t, spec)
		s.ranges = length
		if length < 1000 {
			spec = testSpec(t, dir, "few.ndjson")
			s = testSource(t, spec)
			s.ranges = length
			writeFile(t, filepath.Join(dir, "few.ndjson"), data[:300])
		}
		got := readAll(t, s)
		if length >= 1000 && !slices.Equal(got.ids, sequence(n)) || len(got.ids) == 0 {
			t.Fatalf("ranges of %d: %d rows", length, len(got.ids))
		}
		for i, id := range got.ids {
			var line int
			fmt.Sscanf(got.places[i][strings.LastIndex(got.places[i], ":")+1:], "%d", &line)
			if !strings.HasPrefix(lines[line-1], fmt.Sprintf(`{"id":%d,`, id)) {
				t.Fatalf("ranges of %d: row %d is said to be at %s", length, id, got.places[i])
			}
		}
	}
}

func TestRangesResume(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), numbers(400))
	spec := testSpec(t, dir, "a.ndjson")
	spec.Rows = 9
	s := testSource(t, spec)
	s.ranges = 5000
	splits, err := s.Splits(t.Context())
	if err != nil || len(splits) < 3 || splits[1].ID != "a.ndjson@5000" {
		t.Fatalf("splits %v, %v", splits, err)
	}
	whole := readSplit(t, s, splits[1], nil)
	for i, pos := range whole.positions {
		rest := readSplit(t, s, splits[1], pos)
		if from := whole.counts[i]; !slices.Equal(rest.ids, whole.ids[from:]) || !slices.Equal(rest.places, whole.places[from:]) {
			t.Fatalf("from row %d on: %v at %v", from, rest.ids, rest.places)
		}
	}
}

func TestWhatIsDivided(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), numbers(100))
	writeFile(t, filepath.Join(dir, "a.ndjson.gz"), pack(t, ".gz", numbers(100)))
	for _, c := range []struct {
		path    string
		ordered bool
		options []string
		divided bool
	}{
		{"a.ndjson", false, nil, true},
		{"a.ndjson", true, nil, false},
		{"a.ndjson", false, []string{"scan.rows-per-second", "5"}, false},
		{"a.ndjson", false, []string{"format", "csv"}, false},
		{"a.ndjson.gz", false, nil, false},
	} {
		spec := testSpec(t, dir, c.path, c.options...)
		spec.Ordered = c.ordered
		s := testSource(t, spec)
		s.ranges = 100
		splits, err := s.Splits(t.Context())
		if err != nil || (len(splits) > 1) != c.divided {
			t.Errorf("%v: %d splits, %v", c, len(splits), err)
		}
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"b.ndjson", "a.ndjson", ".hidden", "_SUCCESS", "sub/c.ndjson", ".git/d.ndjson", "other/e.ndjson"} {
		writeFile(t, filepath.Join(dir, "in", name), fmt.Appendf(nil, `{"id":%d}`, i))
	}
	for path, want := range map[string][]string{
		"in":                             {"in/a.ndjson", "in/b.ndjson", "in/other/e.ndjson", "in/sub/c.ndjson"},
		"in/":                            {"in/a.ndjson", "in/b.ndjson", "in/other/e.ndjson", "in/sub/c.ndjson"},
		"in/*.ndjson":                    {"in/a.ndjson", "in/b.ndjson"},
		"in/[a-z]*":                      {"in/a.ndjson", "in/b.ndjson"},
		"in/*/?.ndjson":                  {"in/.git/d.ndjson", "in/other/e.ndjson", "in/sub/c.ndjson"},
		"in/_SUCCESS":                    {"in/_SUCCESS"},
		filepath.Join(dir, "in/sub"):     {filepath.Join(dir, "in/sub/c.ndjson")},
		filepath.Join(dir, "in/b*"):      {filepath.Join(dir, "in/b.ndjson")},
		"file://" + dir + "/in/a.ndjson": {dir + "/in/a.ndjson"},
	} {
		splits, err := testSource(t, testSpec(t, dir, path)).Splits(t.Context())
		var got []string
		for _, s := range splits {
			got = append(got, strings.TrimSuffix(s.ID, "@0"))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
	if got := readAll(t, testSource(t, testSpec(t, dir, "in"))).ids; !slices.Equal(got, []int64{1, 0, 6, 4}) {
		t.Errorf("the directory has %v", got)
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "clicks.json"), nil)
	for path, want := range map[string]string{
		"cliks.json":   "there is no file " + dir + "/cliks.json; did you mean 'clicks.json'?",
		"orders.csv":   "there is no file " + dir + "/orders.csv",
		"x/y.json":     "there is no file " + dir + "/x/y.json, and no directory " + dir + "/x",
		"*.csv":        "no file matches " + dir + "/*.csv",
		"[":            "the pattern [ is malformed",
		"/dev/null":    "/dev/null is not a regular file",
		"clicks.json/": "open " + dir + "/clicks.json: not a directory",
	} {
		_, err := testSource(t, testSpec(t, dir, path)).Splits(t.Context())
		if path == "clicks.json/" { // cleaned to the file itself
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: error is %v, want %s", path, err, want)
		}
	}
	s := testSource(t, testSpec(t, dir, "clicks.json"))
	splits, _ := s.Splits(t.Context())
	os.Remove(filepath.Join(dir, "clicks.json"))
	if _, err := s.Open(t.Context(), splits[0], place{5, 1}.position()); err == nil || !strings.HasPrefix(err.Error(), "there is no file") {
		t.Errorf("a removed file: %v", err)
	}
}

func TestEmptyFiles(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, data string
		options    []string
	}{
		{"a.ndjson", "", nil},
		{"b.ndjson", "\n\n", nil},
		{"c.ndjson", "\xef\xbb\xbf", nil},
		{"d.csv", "", []string{"format", "csv", "csv.header", "true"}},
		{"e.csv", "id", []string{"format", "csv", "csv.header", "true"}},
		{"f.ndjson.gz", "", nil},
	} {
		writeFile(t, filepath.Join(dir, c.name), []byte(c.data))
		if got := readAll(t, testSource(t, testSpec(t, dir, c.name, c.options...))); len(got.ids) > 0 || len(got.bad) > 0 {
			t.Errorf("%s has %v", c.name, got)
		}
	}
}

func TestBadRecords(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), []byte("\xef\xbb\xbf{\"id\":1}\n\n{\"id\":\"x\"}\n{\"id\":2}\n{"))
	got := readAll(t, testSource(t, testSpec(t, dir, "a.ndjson")))
	want := []string{
		`a.ndjson:3: field id: expected BIGINT, got string "x"`,
		"a.ndjson:5: malformed JSON: expected a field name in double quotes, got the end of the line",
	}
	if !slices.Equal(got.bad, want) || !slices.Equal(got.ids, []int64{1, 2}) || !slices.Equal(got.places, []string{"a.ndjson:1", "a.ndjson:4"}) {
		t.Errorf("rows %v at %v, bad %q", got.ids, got.places, got.bad)
	}
}

func TestDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	packed := pack(t, ".gz", numbers(100000))
	writeFile(t, filepath.Join(dir, "a.ndjson.gz"), packed[:len(packed)/2])
	s := testSource(t, testSpec(t, dir, "a.ndjson.gz"))
	splits, _ := s.Splits(t.Context())
	r, err := s.Open(t.Context(), splits[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		var f connector.Fragment
		f, err = r.Read(t.Context())
		f.Batch.Release()
	}
	if want := "read " + dir + "/a.ndjson.gz: unexpected EOF"; err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	r.Close()

	writeFile(t, filepath.Join(dir, "b.ndjson"), []byte("{}"))
	s = testSource(t, testSpec(t, dir, "b.ndjson"))
	splits, _ = s.Splits(t.Context())
	if _, err := s.Open(t.Context(), splits[0], place{100, 1}.position()); err == nil || !strings.Contains(err.Error(), "shorter than what was read") {
		t.Errorf("a shortened file: %v", err)
	}
	if _, err := s.Open(t.Context(), splits[0], connector.Position{0x80}); err == nil {
		t.Error("a damaged position was accepted")
	}
	if _, err := s.Open(t.Context(), connector.Split{}, nil); err == nil {
		t.Error("a damaged split was accepted")
	}
}

func TestMissingHeaderColumn(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.csv"), []byte("ix,b\n1,2\n"))
	s := testSource(t, testSpec(t, dir, "a.csv", "format", "csv", "csv.header", "true"))
	splits, _ := s.Splits(t.Context())
	if _, err := s.Open(t.Context(), splits[0], nil); err == nil || err.Error() != "a.csv: column 'id' is missing in the header; did you mean 'ix'?" {
		t.Errorf("error is %v", err)
	}
}

// TestCloseEarly closes readers that have read nothing or little.
func TestCloseEarly(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), numbers(50000))
	spec := testSpec(t, dir, "a.ndjson")
	spec.Rows = 100
	s := testSource(t, spec)
	splits, _ := s.Splits(t.Context())
	for reads := range 5 {
		r, err := s.Open(t.Context(), splits[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		for range reads {
			f, err := r.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			f.Batch.Release()
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRate(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.ndjson"), numbers(1000))
	s := testSource(t, testSpec(t, dir, "a.ndjson", "scan.rows-per-second", "200"))
	splits, _ := s.Splits(t.Context())
	r, err := s.Open(t.Context(), splits[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	start := time.Now()
	for rows := 0; rows < 50; {
		f, err := r.Read(t.Context())
		if err != nil || f.Batch.Rows > 10 {
			t.Fatalf("%d rows, %v", f.Batch.Rows, err)
		}
		rows += f.Batch.Rows
		f.Batch.Release()
	}
	if took := time.Since(start); took < 190*time.Millisecond {
		t.Errorf("50 rows took %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// TestUTF16 tells files apart that have been written in two bytes a character.
func TestUTF16(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"little.json": "\xff\xfe{\x00}\x00", "big.json": "\xfe\xff\x00{\x00}"} {
		writeFile(t, filepath.Join(dir, name), []byte(data))
		spec := testSpec(t, dir, name)
		s := testSource(t, spec)
		splits, err := s.Splits(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Open(t.Context(), splits[0], nil); err == nil || !strings.Contains(err.Error(), "UTF-16") || !connector.IsPermanent(err) {
			t.Errorf("%s: %v", name, err)
		}
		spec.Table.Schema = nil
		if _, err := connector.Infer(spec.Table); err == nil || !strings.Contains(err.Error(), "UTF-16") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
