package oracle

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	_ "streamsql/connector/all"
	"streamsql/connector/format"
	"streamsql/internal/dirty"
	"streamsql/job"
	"streamsql/session"
)

// world is a directory with the files of one drawn case, and an engine there.
type world struct {
	*session.Engine
	dir string
	mem *memory.CheckedAllocator
}

func newWorld(r *rapid.T, t *testing.T, in *input) *world {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err == nil {
		err = in.write(dir)
	}
	if err != nil {
		r.Fatal(err)
	}
	return &world{session.NewEngine(filepath.Join(dir, "data")), dir, memory.NewCheckedAllocator(new(dirty.Allocator))}
}

// end closes the engine, which must have given back all memory.
func (w *world) end(r *rapid.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // without a last checkpoint
	_ = w.Close(ctx)
	if n := w.mem.CurrentAlloc(); n != 0 {
		r.Errorf("%d bytes of memory are left", n)
	}
	_ = os.RemoveAll(w.dir)
}

func (w *world) session(final bool) *session.Session {
	return w.NewSession(session.Options{Dir: w.dir, FinalResult: final, Alloc: w.mem})
}

// run executes a script and returns the rows of its query in their canonical form.
func (w *world) run(ctx context.Context, script string, columns scope, final bool) (rows []string, err error) {
	s := w.session(final)
	defer s.Close()
	for result, err := range s.Execute(ctx, session.Source{Name: "test.sql", Text: script, Job: "test"}) {
		if err != nil {
			return nil, err
		}
		if result.Rows == nil {
			continue
		}
		if rows, err = w.collect(ctx, result.Rows, columns); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// interrupt starts the job of a script and cancels it after a while. It tells if the job has ended by itself.
func (w *world) interrupt(ctx context.Context, script string, after time.Duration) (ended bool, err error) {
	s := w.session(false)
	defer s.Close()
	for _, err := range s.Execute(ctx, session.Source{Name: "test.sql", Text: script, Job: "test"}) {
		if err != nil {
			return false, err
		}
	}
	j := s.Jobs()[0]
	select {
	case <-j.Done():
	case <-time.After(after):
		for _, err := range s.Execute(ctx, session.Source{Text: "CANCEL JOB test"}) {
			if err != nil && j.Status().State != job.Finished {
				return false, err
			}
		}
		<-j.Done()
	}
	return j.Status().State == job.Finished, j.Err()
}

// sinkOf is a table that takes a query's result.
func sinkOf(columns scope) string {
	declared := make([]string, len(columns))
	for i, c := range columns {
		declared[i] = c.name + " " + typeNames[c.kind]
	}
	return fmt.Sprintf("CREATE TABLE result (%s) WITH ('connector' = 'filesystem', 'path' = 'result.json', 'format' = 'changelog-json');\n",
		strings.Join(declared, ", "))
}

// collect reads a query's rows to the end.
func (w *world) collect(ctx context.Context, rows *session.Rows, columns scope) ([]string, error) {
	bag := session.NewBag(w.mem)
	defer bag.Release()
	for b, err := range rows.All(ctx) {
		if err != nil {
			return nil, err
		}
		bag.Apply(b)
	}
	var out bytes.Buffer
	lines, err := format.NewRowWriter(&out, "json", rows.Schema, time.UTC, nil)
	if err != nil {
		return nil, err
	}
	for b := range bag.Rows(rows.Sort) {
		if err := lines.Write(b); err != nil {
			return nil, err
		}
	}
	if err := lines.Close(); err != nil {
		return nil, err
	}
	return parse(out.Bytes(), columns)
}

// parse reads JSON lines into canonical rows.
func parse(lines []byte, columns scope) (rows []string, err error) {
	for line := range bytes.Lines(lines) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var object map[string]any
		if err := d.Decode(&object); err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		r := make(row, len(columns))
		for i, c := range columns {
			if r[i], err = typed(object[c.name], c.kind); err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
		}
		rows = append(rows, canonical(r))
	}
	return rows, nil
}

// typed is the value of a kind that JSON stands for.
func typed(v any, k kind) (value, error) {
	switch v := v.(type) {
	case json.Number:
		if k == double {
			return v.Float64()
		}
		return v.Int64()
	case string:
		if k == timestamp {
			return time.Parse(timeLayout, v)
		}
	}
	return v, nil
}
