package all

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/gzip"
	"go.uber.org/goleak"

	"streamsql/connector"
	"streamsql/connector/format"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
	"streamsql/internal/text"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixtures are tables of each connector. One without any fails the tests below.
var fixtures = map[string][]fixture{
	"filesystem": {
		{name: "json", read: map[string]string{"path": "in.ndjson", "format": "json"}, write: map[string]string{"path": "out.ndjson", "format": "json"}},
		{name: "json.gz", read: map[string]string{"path": "in.ndjson.gz", "format": "json"}, write: map[string]string{"path": "out.ndjson.gz", "format": "json"}},
		{name: "csv", read: map[string]string{"path": "in.csv", "format": "csv", "csv.header": "true"}, write: map[string]string{"path": "out", "format": "csv"}},
		{name: "changelog-json", read: map[string]string{"path": "in.changelog.ndjson", "format": "changelog-json"}, write: map[string]string{"path": "out/", "format": "changelog-json"}},
		{name: "files", read: map[string]string{"path": "in.*n*json", "format": "json"}},
		{name: "parquet", read: map[string]string{"path": "in.parquet", "format": "parquet"}},
		{name: "arrow", read: map[string]string{"path": "in.arrow", "format": "arrow"}, write: map[string]string{"path": "out/", "format": "arrow"}},
		{name: "arrows", read: map[string]string{"path": "in.arrows", "format": "arrow"}},
	},
	"datagen": {
		{name: "endless", read: map[string]string{"scan.splits": "3", "rows-per-second": "1000000", "fields.s.length": "3", "fields.s.null-rate": "0.3", "fields.id.kind": "sequence"}},
		{name: "bounded", read: map[string]string{"number-of-rows": "700", "seed": "7"}},
	},
	"print":     {{name: "stdout", write: map[string]string{}}},
	"blackhole": {{name: "any", write: map[string]string{}}},
}

type fixture struct {
	name  string
	read  map[string]string // options
	write map[string]string
}

var schema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "ts", Type: &arrow.TimestampType{Unit: arrow.Millisecond}, Nullable: true},
}, nil)

// inputs writes the files that the fixtures read, with bad records among the rows.
func inputs(t *testing.T, dir string) {
	t.Helper()
	var doc, changes, csv bytes.Buffer
	csv.WriteString("ts,id,s\n")
	for i := range 1000 {
		id, s := fmt.Sprint(i), fmt.Sprintf("name %d", i%17)
		if i%31 == 5 {
			id = "oops"
		}
		ts := fmt.Sprintf("2024-01-01 00:%02d:%02d", i/60%60, i%60)
		fmt.Fprintf(&doc, `{"id":%s,"s":"%s","ts":"%s"}`+"\n", id, s, ts)
		fmt.Fprintf(&changes, `{"id":%s,"s":"%s","ts":"%s","_op":"%v"}`+"\n", id, s, ts, vec.Kind(i%4))
		fmt.Fprintf(&csv, "%s,%s,\"%s\n\"\n", ts, id, s)
	}
	for name, data := range map[string][]byte{"in.ndjson": doc.Bytes(), "in.changelog.ndjson": changes.Bytes(), "in.csv": csv.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	columnarInputs(t, dir)
	var packed bytes.Buffer
	gz := gzip.NewWriter(&packed)
	gz.Write(doc.Bytes())
	gz.Close()
	if err := os.WriteFile(filepath.Join(dir, "in.ndjson.gz"), packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// each runs a test for every fixture of every registered connector that can do what the test is about.
func each(t *testing.T, able func(*connector.Connector, fixture) bool, test func(*testing.T, *connector.Connector, fixture)) {
	for _, name := range connector.Names() {
		c, err := connector.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(fixtures[name]) == 0 {
			t.Errorf("connector %s has no fixture", name)
		}
		for _, f := range fixtures[name] {
			if able(c, f) {
				t.Run(name+"/"+f.name, func(t *testing.T) { test(t, c, f) })
			}
		}
	}
}

func readable(c *connector.Connector, f fixture) bool { return c.NewSource != nil && f.read != nil }

func writable(c *connector.Connector, f fixture) bool { return c.NewSink != nil && f.write != nil }

func table(c *connector.Connector, dir string, options map[string]string) connector.Table {
	t := connector.Table{Name: "t", Schema: schema, Dir: dir, Options: map[string]string{"connector": c.Name}}
	for k, v := range options {
		t.Options[k] = v
	}
	return t
}

// enough rows of a split that may not end.
const enough = 600

// reading is what was read of one split.
type reading struct {
	rows      []string // kind and values; bad records too, in a second list
	bad       []string
	places    []string
	positions []connector.Position
	counts    [][2]int // rows and bad records before each position
}

func read(t *testing.T, s connector.Source, split connector.Split, pos connector.Position, most int) (out reading) {
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
	style := text.SQL(nil)
	for len(out.rows) < enough {
		f, err := r.Read(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.Batch.Rows > most || f.Batch.Len() != f.Batch.Rows || len(f.Position) == 0 {
			t.Fatalf("a batch of %d rows, %d of them selected, at %v", f.Batch.Rows, f.Batch.Len(), f.Position)
		}
		for row := range f.Batch.Rows {
			kind := f.Batch.Kind(row)
			if kind != vec.Insert && !s.Changelog() {
				t.Errorf("%s: a row of kind %v of a source that says it has inserts only", f.Place(row), kind)
			}
			v := kind.String()
			for _, c := range f.Batch.Cols {
				v += " " + string(style.Append(nil, c, row))
			}
			out.rows = append(out.rows, v)
			out.places = append(out.places, f.Place(row))
		}
		for _, b := range f.Bad {
			out.bad = append(out.bad, b.Error())
		}
		f.Batch.Release()
		out.positions = append(out.positions, f.Position)
		out.counts = append(out.counts, [2]int{len(out.rows), len(out.bad)})
	}
	return out
}

func TestSources(t *testing.T) {
	each(t, readable, func(t *testing.T, c *connector.Connector, f fixture) {
		dir := t.TempDir()
		inputs(t, dir)
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		defer mem.AssertSize(t, 0)
		spec := connector.SourceSpec{Table: table(c, dir, f.read), Columns: []int{2, 0, 1}, Ordered: true, Alloc: mem}
		var want []reading
		for _, rows := range []int{7, 1, 4096} {
			spec.Rows = rows
			s, splits := open(t, spec)
			for i, split := range splits {
				got := read(t, s, split, nil, rows)
				if rows == 7 {
					want = append(want, got)
					checkResume(t, s, split, got)
				}
				n := min(len(got.rows), len(want[i].rows))
				if n == 0 || !slices.Equal(got.rows[:n], want[i].rows[:n]) || !slices.Equal(got.places[:n], want[i].places[:n]) {
					t.Errorf("batches of %d: other rows than in batches of 7", rows)
				}
				if len(got.rows) == len(want[i].rows) && !slices.Equal(got.bad, want[i].bad) {
					t.Errorf("batches of %d: bad records\n%s\nin batches of 7\n%s", rows, strings.Join(got.bad, "\n"), strings.Join(want[i].bad, "\n"))
				}
			}
		}
		checkProjection(t, spec, want)
	})
}

// open lists the splits twice, since they must be the same.
func open(t *testing.T, spec connector.SourceSpec) (connector.Source, []connector.Split) {
	t.Helper()
	s, err := connector.NewSource(spec)
	if err != nil {
		t.Fatal(err)
	}
	splits, err := s.Splits(t.Context())
	if err != nil || len(splits) == 0 {
		t.Fatalf("%d splits, %v", len(splits), err)
	}
	again, err := s.Splits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, split := range splits {
		if seen[split.ID] || split.ID != again[i].ID || !bytes.Equal(split.Data, again[i].Data) {
			t.Errorf("split %q is not unique, or another one the second time", split.ID)
		}
		seen[split.ID] = true
	}
	return s, splits
}

// checkResume opens the split at positions its reader returned.
func checkResume(t *testing.T, s connector.Source, split connector.Split, whole reading) {
	t.Helper()
	if !s.Replayable() {
		return
	}
	for i := 0; i < len(whole.positions); i += 1 + i/3 {
		rest := read(t, s, split, whole.positions[i], 7)
		rows, bad := whole.counts[i][0], whole.counts[i][1]
		n := min(len(rest.rows), len(whole.rows)-rows)
		if n < len(whole.rows)-rows || !slices.Equal(rest.rows[:n], whole.rows[rows:]) || !slices.Equal(rest.places[:n], whole.places[rows:]) {
			t.Fatalf("after %d rows it goes on with others", rows)
		}
		if len(whole.rows) < enough && !slices.Equal(rest.bad, whole.bad[bad:]) {
			t.Fatalf("after %d rows it goes on with other bad records", rows)
		}
	}
}

// checkProjection reads no columns, and those of the table the other way around.
func checkProjection(t *testing.T, spec connector.SourceSpec, want []reading) {
	t.Helper()
	for _, columns := range [][]int{{}, {1, 0}} {
		spec.Columns = columns
		s, splits := open(t, spec)
		for i, split := range splits {
			got := read(t, s, split, nil, spec.Rows)
			if len(got.rows) < len(want[i].rows) {
				t.Errorf("columns %v: %d rows instead of %d", columns, len(got.rows), len(want[i].rows))
			}
		}
	}
}

func TestSourceIsCancelled(t *testing.T) {
	each(t, readable, func(t *testing.T, c *connector.Connector, f fixture) {
		dir := t.TempDir()
		inputs(t, dir)
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		defer mem.AssertSize(t, 0)
		s, splits := open(t, connector.SourceSpec{Table: table(c, dir, f.read), Columns: []int{0}, Rows: 10, Alloc: mem})
		r, err := s.Open(t.Context(), splits[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for err == nil { // what is at hand may still come
			var fragment connector.Fragment
			fragment, err = r.Read(ctx)
			fragment.Batch.Release()
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
	})
}

func batch(t *testing.T, mem memory.Allocator, changelog bool, ids ...int) vec.Batch {
	t.Helper()
	doc := `[{"id": -1}`
	sel := []uint32{}
	for i, id := range ids {
		doc += fmt.Sprintf(`,{"id": %d, "s": "x,\"%d\"", "ts": %d}`, id, id, id)
		sel = append(sel, uint32(i+1))
	}
	rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(doc+"]"))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Release()
	b := vec.NewBatch(int(rec.NumRows()), rec.Columns()).Retain().Select(sel)
	if changelog {
		b.Kinds = make([]vec.Kind, b.Rows)
		for i := range b.Kinds {
			b.Kinds[i] = vec.Kind(i % 4)
		}
	}
	return b
}

func newSink(t *testing.T, c *connector.Connector, f fixture, dir string) (connector.Sink, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	s, err := connector.NewSink(connector.SinkSpec{Table: table(c, dir, f.write), Schema: schema, Job: "job", Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	return s, &out
}

func TestSinksConsumeBatches(t *testing.T) {
	each(t, writable, func(t *testing.T, c *connector.Connector, f fixture) {
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		defer mem.AssertSize(t, 0)
		s, out := newSink(t, c, f, t.TempDir())
		w, err := s.Open(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if err := w.Write(t.Context(), batch(t, mem, s.Changelog(), i, i+10)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Write(t.Context(), batch(t, mem, false)); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if n, ok := s.(interface{ Rows() int64 }); ok && n.Rows() != 6 {
			t.Errorf("%d rows were counted", n.Rows())
		}
		if c.Name == "print" && strings.Count(out.String(), "\n") != 6 {
			t.Errorf("printed %q", out.String())
		}
	})
}

// tree is the visible files of a directory with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name()[0] == '.' {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestTransactionsSurviveKills abandons writers between Prepare and Commit. What a checkpoint covers must appear, and nothing else.
func TestTransactionsSurviveKills(t *testing.T) {
	each(t, writable, func(t *testing.T, c *connector.Connector, f fixture) {
		dir := t.TempDir()
		mem := memory.NewCheckedAllocator(new(dirty.Allocator))
		defer mem.AssertSize(t, 0)
		first, _ := newSink(t, c, f, dir)
		if _, ok := first.(connector.Recoverer); !ok {
			return
		}
		recovered(t, first, nil)
		w := transaction(t, first)
		write(t, w, batch(t, mem, false, 1))
		committed := prepare(t, w, 1)
		if err := w.Commit(t.Context(), committed); err != nil {
			t.Fatal(err)
		}
		before := tree(t, dir)
		write(t, w, batch(t, mem, false, 2))
		prepared := prepare(t, w, 2)
		write(t, w, batch(t, mem, false, 3)) // and here the process is killed
		if got := tree(t, dir); !sameTree(got, before) {
			t.Errorf("before the commit there is %v", got)
		}

		// The manifest of checkpoint 2 was written: its rows appear, once.
		second, _ := newSink(t, c, f, dir)
		recovered(t, second, [][]byte{prepared})
		after := tree(t, dir)
		if sameTree(after, before) {
			t.Error("what checkpoint 2 covers has not appeared")
		}
		third, _ := newSink(t, c, f, dir)
		recovered(t, third, [][]byte{prepared})
		if got := tree(t, dir); !sameTree(got, after) {
			t.Errorf("recovering again gives %v instead of %v", got, after)
		}

		// A job that goes back to checkpoint 1 takes them back.
		fourth, _ := newSink(t, c, f, dir)
		recovered(t, fourth, [][]byte{committed})
		if got := tree(t, dir); !sameTree(got, before) {
			t.Errorf("back at checkpoint 1 there is %v instead of %v", got, before)
		}
		w = transaction(t, fourth)
		write(t, w, batch(t, mem, false, 2))
		if err := w.Commit(t.Context(), prepare(t, w, 2)); err != nil {
			t.Fatal(err)
		}
		if got := tree(t, dir); !sameTree(got, after) {
			t.Errorf("the same rows again give %v instead of %v", got, after)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func recovered(t *testing.T, s connector.Sink, handles [][]byte) {
	t.Helper()
	if err := s.(connector.Recoverer).Recover(t.Context(), connector.Recovery{Handles: handles}); err != nil {
		t.Fatal(err)
	}
}

func transaction(t *testing.T, s connector.Sink) connector.Transaction {
	t.Helper()
	w, err := s.Open(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	tx, ok := w.(connector.Transaction)
	if !ok {
		t.Fatal("a sink that recovers has writers without transactions")
	}
	return tx
}

func write(t *testing.T, w connector.Writer, b vec.Batch) {
	t.Helper()
	if err := w.Write(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

func prepare(t *testing.T, w connector.Transaction, checkpoint uint64) []byte {
	t.Helper()
	h, err := w.Prepare(t.Context(), checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func sameTree(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, data := range a {
		if other, ok := b[name]; !ok || other != data {
			return false
		}
	}
	return true
}

func TestEverythingIsDocumented(t *testing.T) {
	for _, name := range connector.Names() {
		c, _ := connector.Lookup(name)
		checkOptions(t, name, c.Doc, c.Options)
		if c.NewSource == nil && c.NewSink == nil {
			t.Errorf("%s can be neither read nor written", name)
		}
	}
	for _, name := range format.Names() {
		f, _ := format.Lookup(name)
		checkOptions(t, name, f.Doc, f.Options)
	}
}

func checkOptions(t *testing.T, name, doc string, options []connector.Option) {
	t.Helper()
	if doc == "" || strings.Contains(doc, "\n") {
		t.Errorf("%s is described as %q", name, doc)
	}
	for _, o := range options {
		if o.Doc == "" || o.Key != strings.ToLower(o.Key) {
			t.Errorf("option %s of %s is described as %q", o.Key, name, o.Doc)
		}
	}
}
