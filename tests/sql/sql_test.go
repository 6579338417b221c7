// Package sql runs every SQL test file under every configuration and wants the same answer each time.
//
// A file is a txtar archive: after a comment come the input files, then test.sql, whose last statement is a query or an INSERT,
// and result, the final rows as JSON lines in any order; or error, a regular expression that the error must match. With -rewrite
// the results are written anew from a run at parallelism 1. A comment that says "no job" keeps a file from being run as one.
package sql

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/txtar"
	"go.uber.org/goleak"
)

var rewrite = flag.Bool("rewrite", false, "write the results of the test files anew")

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // jobs read slowly: they wait more than they work
	goleak.VerifyTestMain(m)
}

// testFile is one file of the suite.
type testFile struct {
	path    string
	archive *txtar.Archive
	script  string
	result  []byte
	failure *regexp.Regexp // nil: the script succeeds
}

func (f *testFile) name() string { return strings.TrimSuffix(filepath.ToSlash(f.path), ".txtar") }

// unpack puts the input files into a directory of the test's own.
func (f *testFile) unpack(t *testing.T) string {
	dir := t.TempDir()
	for _, in := range f.inputs() {
		path := filepath.Join(dir, in.Name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, packed(t, in), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// packed is what an input file holds: its text, in columns or compressed if its name says so, without its last line break if it is
// named for that.
func packed(t *testing.T, in txtar.File) []byte {
	text := in.Data
	if strings.Contains(in.Name, "unfinished") {
		text = bytes.TrimSuffix(text, []byte("\n"))
	}
	var out bytes.Buffer
	switch ending := filepath.Ext(in.Name); ending {
	case ".parquet", ".arrow", ".arrows":
		data, err := columnar(ending, text)
		if err != nil {
			t.Fatalf("%s: %v", in.Name, err)
		}
		return data
	case ".gz":
		w := gzip.NewWriter(&out)
		_, _ = w.Write(text) // into memory
		_ = w.Close()
	case ".zst":
		w, _ := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
		_, _ = w.Write(text)
		_ = w.Close()
	default:
		return text
	}
	return out.Bytes()
}

func (f *testFile) inputs() (in []txtar.File) {
	for _, a := range f.archive.Files {
		if a.Name != "test.sql" && a.Name != "result" && a.Name != "error" {
			in = append(in, a)
		}
	}
	return in
}

func load(t *testing.T, path string) *testFile {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := &testFile{path: path, archive: a}
	for _, part := range a.Files {
		switch part.Name {
		case "test.sql":
			f.script = string(part.Data)
		case "result":
			f.result = part.Data
		case "error":
			f.failure = regexp.MustCompile(strings.TrimSpace(string(part.Data)))
		}
	}
	if f.script == "" || (f.result == nil) == (f.failure == nil) {
		t.Fatalf("%s needs test.sql and either result or error", path)
	}
	return f
}

// forEach runs a subtest for every file of the suite.
func forEach(t *testing.T, run func(*testing.T, *testFile)) {
	paths, err := filepath.Glob("*/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, path := range paths {
		f := load(t, path)
		t.Run(f.name(), func(t *testing.T) { run(t, f) })
	}
}

// TestPlain runs each file straight through.
func TestPlain(t *testing.T) {
	forEach(t, func(t *testing.T, f *testFile) {
		if *rewrite && f.failure == nil {
			f.rewrite(t)
		}
		for _, parallelism := range []int{1, 2, 4} {
			for _, rows := range []int{1, 7, 4096} {
				t.Run(fmt.Sprintf("parallelism=%d,rows=%d", parallelism, rows), func(t *testing.T) {
					got, err := straight(t, f, parallelism, rows)
					f.check(t, got, err)
				})
			}
		}
	})
}

// TestRestart runs each file as a job that is broken off after a checkpoint and started again at another parallelism.
func TestRestart(t *testing.T) {
	var runs, breaks atomic.Int64
	t.Run("files", func(t *testing.T) {
		forEach(t, func(t *testing.T, f *testFile) {
			if f.failure != nil || bytes.Contains(f.archive.Comment, []byte("no job")) {
				return // a failing query leaves nothing to go on from
			}
			for _, c := range []restart{{1, 2, 1}, {2, 4, 7}, {4, 1, 4096}, {2, 1, 1}} {
				t.Run(fmt.Sprintf("parallelism=%d-%d,rows=%d", c.before, c.after, c.rows), func(t *testing.T) {
					t.Parallel()
					got, err := broken(t, f, c, &breaks)
					f.check(t, got, err)
					runs.Add(1)
				})
			}
		})
	})
	if breaks.Load() < runs.Load() {
		t.Errorf("%d jobs have been broken off only %d times: they end too soon", runs.Load(), breaks.Load())
	}
}

func (f *testFile) check(t *testing.T, got []byte, err error) {
	t.Helper()
	switch {
	case f.failure != nil && (err == nil || !f.failure.MatchString(err.Error())):
		t.Fatalf("want an error like %s, got %v", f.failure, err)
	case f.failure != nil:
	case err != nil:
		t.Fatal(err)
	default:
		if diff := compare(f.result, got); diff != "" {
			t.Fatal(diff)
		}
	}
}

func (f *testFile) rewrite(t *testing.T) {
	got, err := straight(t, f, 1, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if compare(f.result, got) == "" {
		return
	}
	for i := range f.archive.Files {
		if part := &f.archive.Files[i]; part.Name == "result" {
			part.Data = bytes.TrimLeft(got, "\n")
		}
	}
	if err := os.WriteFile(f.path, txtar.Format(f.archive), 0o600); err != nil {
		t.Fatal(err)
	}
	f.result = got
}
