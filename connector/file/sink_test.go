package file

import (
	"context"
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
	"pgregory.net/rapid"

	"streamsql/connector"
	"streamsql/exec/vec"
	"streamsql/internal/dirty"
)

var background = context.Background()

// failer is what the helpers need of a testing.TB or a *rapid.T.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func sinkSpec(dir, path string, options ...string) connector.SinkSpec {
	spec := connector.SinkSpec{
		Table:  connector.Table{Name: "t", Schema: idSchema, Dir: dir, Options: map[string]string{"connector": "filesystem", "path": path, "format": "json"}},
		Schema: idSchema, Job: "my job",
	}
	for i := 0; i < len(options); i += 2 {
		spec.Table.Options[options[i]] = options[i+1]
	}
	return spec
}

func newTestSink(t failer, spec connector.SinkSpec, handles ...[]byte) *sink {
	t.Helper()
	s, err := connector.NewSink(spec)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.(connector.Recoverer).Recover(background, connector.Recovery{Handles: handles}); err != nil {
		t.Fatal(err)
	}
	return s.(*sink)
}

func openWriter(t failer, s *sink, subtask int) connector.Transaction {
	t.Helper()
	w, err := s.Open(background, subtask)
	if err != nil {
		t.Fatal(err)
	}
	return w.(connector.Transaction)
}

// idBatch is a batch of the ids, all of it selected but a first row.
func idBatch(mem memory.Allocator, ids ...int64) vec.Batch {
	b := array.NewInt64Builder(mem)
	defer b.Release()
	b.Append(-1)
	b.AppendValues(ids, nil)
	sel := make([]uint32, len(ids))
	for i := range sel {
		sel[i] = uint32(i + 1)
	}
	return vec.NewBatch(len(ids)+1, []arrow.Array{b.NewArray()}).Select(sel)
}

func write(t failer, w connector.Writer, ids ...int64) {
	t.Helper()
	mem := memory.NewCheckedAllocator(new(dirty.Allocator))
	if err := w.Write(background, idBatch(mem, ids...)); err != nil {
		t.Fatal(err)
	}
	if mem.CurrentAlloc() != 0 {
		t.Fatalf("the batch is still held")
	}
}

func prepare(t failer, w connector.Transaction, checkpoint uint64) []byte {
	t.Helper()
	h, err := w.Prepare(background, checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func commit(t failer, w connector.Transaction, h []byte) {
	t.Helper()
	if err := w.Commit(background, h); err != nil {
		t.Fatal(err)
	}
}

func files(t failer, dir string) (visible, hiddenNames []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if hidden(e.Name()) {
			hiddenNames = append(hiddenNames, e.Name())
		} else {
			visible = append(visible, e.Name())
		}
	}
	return visible, hiddenNames
}

// contents unpacks the visible files of a directory, one after the other.
func contents(t failer, dir string) string {
	t.Helper()
	visible, _ := files(t, dir)
	var out strings.Builder
	for _, name := range visible {
		s, err := openStream(filepath.Join(dir, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(s)
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		out.Write(data)
	}
	return out.String()
}

func TestDirectorySink(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	s := newTestSink(t, sinkSpec(dir, "out"))
	if s.MaxParallelism() != 0 || s.Guarantee() != connector.ExactlyOnce || s.Changelog() {
		t.Errorf("parallelism %d, %v, changelog %v", s.MaxParallelism(), s.Guarantee(), s.Changelog())
	}
	w0, w1 := openWriter(t, s, 0), openWriter(t, s, 1)
	write(t, w0, 1, 2)
	h0, h1 := prepare(t, w0, 1), prepare(t, w1, 1)
	if visible, _ := files(t, out); len(visible) > 0 {
		t.Errorf("before the commit there is %v", visible)
	}
	commit(t, w0, h0)
	commit(t, w1, h1)
	write(t, w1, 3)
	commit(t, w1, prepare(t, w1, 2))
	commit(t, w0, h0)
	visible, _ := files(t, out)
	if want := []string{"part-my%20job-1-0.ndjson", "part-my%20job-2-1.ndjson"}; !slices.Equal(visible, want) {
		t.Errorf("files are %q, want %q", visible, want)
	}
	w0.Close()
	w1.Close()
	if got := contents(t, out); got != "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n" {
		t.Errorf("contents are %q", got)
	}
	if _, left := files(t, out); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunsOfOneName(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for run := range 3 {
		s := newTestSink(t, sinkSpec(dir, "out"))
		w := openWriter(t, s, 0)
		write(t, w, int64(run))
		h := prepare(t, w, 1)
		commit(t, w, h)
		write(t, w, 100)
		commit(t, w, prepare(t, w, 2))
		w.Close()
		newTestSink(t, sinkSpec(dir, "out"), h) // takes back checkpoint 2 of this run only
	}
	visible, _ := files(t, out)
	if want := []string{"part-my%20job-1-0.ndjson", "part-my%20job~1-1-0.ndjson", "part-my%20job~2-1-0.ndjson"}; !slices.Equal(visible, want) {
		t.Errorf("files are %q, want %q", visible, want)
	}
	spec := sinkSpec(dir, "out")
	spec.Job = "my" // whose parts have other names
	w := openWriter(t, newTestSink(t, spec), 0)
	h := prepare(t, w, 7)
	w.Close()
	newTestSink(t, spec, h)
	if now, _ := files(t, out); !slices.Equal(now, visible) {
		t.Errorf("another job changed the files to %q", now)
	}
}

func TestOverwrite(t *testing.T) {
	for _, path := range []string{"out/", "out/a.ndjson"} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "out/a.ndjson"), []byte("old\n"))
		spec := sinkSpec(dir, path)
		spec.Overwrite = true
		w := openWriter(t, newTestSink(t, spec), 0)
		h := prepare(t, w, 1)
		if got := contents(t, filepath.Join(dir, "out")); got != "old\n" {
			t.Errorf("%s: before the commit there is %q", path, got)
		}
		w.Close()
		s := newTestSink(t, spec, h)
		if got := contents(t, filepath.Join(dir, "out")); got != "" {
			t.Errorf("%s: after it there is %q", path, got)
		}
		w = openWriter(t, s, 0)
		write(t, w, 1)
		commit(t, w, prepare(t, w, 2))
		w.Close()
		if got := contents(t, filepath.Join(dir, "out")); got != "{\"id\":1}\n" {
			t.Errorf("%s: at last there is %q", path, got)
		}
	}
}

func TestSingleFileSink(t *testing.T) {
	for _, c := range []struct {
		name, before string
		options      []string
		want         string
	}{
		{"a.ndjson", "", nil, "{\"id\":1}\n{\"id\":2}\n"},
		{"a.ndjson", "x", nil, "x\n{\"id\":1}\n{\"id\":2}\n"},
		{"a.ndjson", "x\n", nil, "x\n{\"id\":1}\n{\"id\":2}\n"},
		{"a.csv", "", []string{"format", "csv", "csv.header", "true"}, "id\n1\n2\n"},
		{"a.csv", "id\n0\n", []string{"format", "csv", "csv.header", "true"}, "id\n0\n1\n2\n"},
		{"a.csv.gz", "", []string{"format", "csv", "csv.header", "true"}, "id\n1\n2\n"},
		{"a.ndjson.zst", "", nil, "{\"id\":1}\n{\"id\":2}\n"},
		{"a.ndjson", "", []string{"format", "changelog-json"}, "{\"_op\":\"+I\",\"id\":1}\n{\"_op\":\"+I\",\"id\":2}\n"},
	} {
		dir := t.TempDir()
		if c.before != "" {
			writeFile(t, filepath.Join(dir, c.name), []byte(c.before))
		}
		s := newTestSink(t, sinkSpec(dir, c.name, c.options...))
		if s.MaxParallelism() != 1 || s.Changelog() != (len(c.options) > 0 && c.options[1] == "changelog-json") {
			t.Errorf("%s: parallelism %d, changelog %v", c.name, s.MaxParallelism(), s.Changelog())
		}
		w := openWriter(t, s, 0)
		commit(t, w, prepare(t, w, 1))
		write(t, w, 1)
		commit(t, w, prepare(t, w, 2))
		commit(t, w, prepare(t, w, 3))
		write(t, w, 2)
		h := prepare(t, w, 4)
		commit(t, w, h)
		commit(t, w, h)
		w.Close()
		if got := contents(t, dir); got != c.want {
			t.Errorf("%s %v: contents are %q, want %q", c.name, c.options, got, c.want)
		}
		if _, left := files(t, dir); len(left) > 0 {
			t.Errorf("%s: left behind: %v", c.name, left)
		}
	}
}

func TestNoRowsAtAll(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, newTestSink(t, sinkSpec(dir, "a.csv", "format", "csv", "csv.header", "true")), 0)
	commit(t, w, prepare(t, w, 1))
	w.Close()
	if got := contents(t, dir); got != "id\n" {
		t.Errorf("contents are %q", got)
	}
}

// TestTornAppend commits after half of the same commit.
func TestTornAppend(t *testing.T) {
	dir := t.TempDir()
	spec := sinkSpec(dir, "a.ndjson")
	w := openWriter(t, newTestSink(t, spec), 0)
	write(t, w, 1)
	commit(t, w, prepare(t, w, 1))
	write(t, w, 2, 3)
	h := prepare(t, w, 2)
	f, err := os.OpenFile(filepath.Join(dir, "a.ndjson"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "{\"id\":2}\n{\"i")
	f.Close()
	newTestSink(t, spec, h)
	if got := contents(t, dir); got != "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n" {
		t.Errorf("contents are %q", got)
	}
}

// TestPlainWriter uses the sink without checkpoints.
func TestPlainWriter(t *testing.T) {
	for _, c := range []struct{ path, before, want string }{
		{"out/", "", "out/part-my%20job-0-1.ndjson"},
		{"out/a.ndjson", "", "out/a.ndjson"},
		{"out/a.ndjson", "{\"id\":0}", "out/a.ndjson"},
		{"out/a.ndjson.gz", "", "out/a.ndjson.gz"},
	} {
		dir := t.TempDir()
		want := ""
		if c.before != "" {
			writeFile(t, filepath.Join(dir, "out/a.ndjson"), []byte(c.before))
			want = c.before + "\n"
		}
		s, err := connector.NewSink(sinkSpec(dir, c.path))
		if err != nil {
			t.Fatal(err)
		}
		w := openWriter(t, s.(*sink), 1)
		for id := range 3 {
			write(t, w, int64(id))
			if err := w.Flush(background); err != nil {
				t.Fatal(err)
			}
			want += fmt.Sprintf("{\"id\":%d}\n", id)
			if strings.HasSuffix(c.path, ".gz") { // without its end
				continue
			}
			if got := contents(t, filepath.Join(dir, "out")); got != want {
				t.Errorf("%s: after %d rows there is %q", c.path, id+1, got)
			}
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		if got := contents(t, filepath.Join(dir, "out")); got != want {
			t.Errorf("%s: contents are %q, want %q", c.path, got, want)
		}
		if _, err := os.Stat(filepath.Join(dir, c.want)); err != nil {
			t.Error(err)
		}
	}
}

func TestSinkErrors(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "file"), nil)
	writeFile(t, filepath.Join(dir, "a.ndjson"), []byte("0123456789"))

	for _, path := range []string{"file/out/", "file/a.ndjson"} {
		s, err := connector.NewSink(sinkSpec(dir, path))
		if err == nil {
			_, err = s.Open(background, 0)
		}
		want := "cannot write to the directory " + filepath.Join(dir, "file")
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), ": not a directory") {
			t.Errorf("%s: error is %v, want %s…: not a directory", path, err, want)
		}
	}

	s := newTestSink(t, sinkSpec(dir, "out"))
	w := openWriter(t, s, 0)
	if _, err := s.Open(background, 0); err == nil || !strings.HasPrefix(err.Error(), "another writer of the same job and table is at work") {
		t.Errorf("a second writer: %v", err)
	}
	write(t, w, 1)
	h := prepare(t, w, 1)
	w.Close()
	os.RemoveAll(filepath.Join(dir, "out"))
	if err := w.Commit(background, h); err == nil || !strings.Contains(err.Error(), "commit checkpoint 1") {
		t.Errorf("a lost part: %v", err)
	}

	w = openWriter(t, newTestSink(t, sinkSpec(dir, "a.ndjson")), 0)
	write(t, w, 1)
	h = prepare(t, w, 1)
	os.Truncate(filepath.Join(dir, "a.ndjson"), 3)
	if err := w.Commit(background, h); err == nil || !strings.Contains(err.Error(), "has 3 bytes, but 10 had been written to it") {
		t.Errorf("a shortened file: %v", err)
	}
	w.Close()
	s2, _ := connector.NewSink(sinkSpec(dir, "a.ndjson"))
	if err := s2.(connector.Recoverer).Recover(background, connector.Recovery{Handles: [][]byte{[]byte("{")}}); err == nil {
		t.Error("a damaged handle was accepted")
	}
}

// TestSinkSurvivesAnything writes, prepares, commits, crashes and goes back at random. After every recovery the output is exactly
// what the checkpoint covers.
func TestSinkSurvivesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "sink")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := rapid.SampledFrom([]string{"out/", "out/a.ndjson", "out/a.ndjson.gz"}).Draw(t, "path")
		job := &sinkJob{spec: sinkSpec(dir, path), dir: filepath.Join(dir, "out"), completed: []checkpointed{{}}}
		if rapid.Bool().Draw(t, "old content") && path != "out/a.ndjson.gz" {
			os.MkdirAll(job.dir, 0o755)
			os.WriteFile(filepath.Join(job.dir, "a.ndjson"), []byte("{\"id\":-7}\n"), 0o644)
			job.completed[0].rows = []int64{-7}
		}
		job.restart(t)
		t.Repeat(map[string]func(*rapid.T){
			"write":      job.write,
			"checkpoint": job.checkpoint,
			"commit":     job.commitOldest,
			"crash":      job.restart,
			"go back":    job.goBack,
		})
		job.restart(t)
		job.close()
	})
}

type checkpointed struct {
	id      uint64
	handles [][]byte
	rows    []int64 // all the output up to there
}

// sinkJob is a job that does nothing but write, with the little of a checkpoint coordinator that this needs.
type sinkJob struct {
	spec      connector.SinkSpec
	dir       string
	writers   []connector.Transaction
	next      int64
	lastID    uint64
	rows      []int64        // written since the start
	completed []checkpointed // the first is the fresh start
	waiting   []checkpointed // prepared and not committed: a handle of each writer
}

func (j *sinkJob) write(t *rapid.T) {
	w := rapid.SampledFrom(j.writers).Draw(t, "writer")
	j.next++
	write(t, w, j.next)
	j.rows = append(j.rows, j.next)
}

func (j *sinkJob) checkpoint(t *rapid.T) {
	j.lastID++
	p := checkpointed{id: j.lastID}
	for _, w := range j.writers {
		p.handles = append(p.handles, prepare(t, w, p.id))
	}
	j.waiting = append(j.waiting, p)
	if rapid.IntRange(0, 3).Draw(t, "aborted") == 0 {
		return
	}
	c := checkpointed{id: j.lastID, rows: slices.Clone(j.rows)}
	for _, p := range j.waiting {
		c.handles = append(c.handles, p.handles...)
	}
	j.completed = append(j.completed, c)
}

// commitOldest commits the first thing that waits, if a checkpoint covers it.
func (j *sinkJob) commitOldest(t *rapid.T) {
	if len(j.waiting) == 0 || j.waiting[0].id > j.completed[len(j.completed)-1].id {
		return
	}
	for i, w := range j.writers {
		commit(t, w, j.waiting[0].handles[i])
	}
	j.waiting = j.waiting[1:]
}

func (j *sinkJob) goBack(t *rapid.T) {
	if n := rapid.IntRange(1, len(j.completed)).Draw(t, "back to"); n > 1 {
		j.completed = j.completed[:n]
	}
	j.restart(t)
}

// restart loses what runs and goes on from the newest checkpoint with some parallelism.
func (j *sinkJob) restart(t *rapid.T) {
	crash := rapid.Bool().Draw(t, "crash")
	if !crash {
		j.close()
	}
	c := j.completed[len(j.completed)-1]
	s := newTestSink(t, j.spec, c.handles...)
	var want strings.Builder
	for _, id := range c.rows {
		fmt.Fprintf(&want, "{\"id\":%d}\n", id)
	}
	if got := contents(t, j.dir); !sameLines(got, want.String()) {
		t.Fatalf("after checkpoint %d there is\n%swant\n%s", c.id, got, want.String())
	}
	if _, left := files(t, j.dir); len(left) > 0 {
		t.Fatalf("left behind: %v", left)
	}
	j.writers, j.waiting, j.rows = nil, nil, slices.Clone(c.rows)
	parallelism := rapid.IntRange(1, 3).Draw(t, "parallelism")
	if s.MaxParallelism() > 0 {
		parallelism = 1
	}
	for subtask := range parallelism {
		j.writers = append(j.writers, openWriter(t, s, subtask))
	}
}

func (j *sinkJob) close() {
	for _, w := range j.writers {
		w.Close()
	}
}

func sameLines(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
