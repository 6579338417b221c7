// Package recovery tests what jobs go on from: older checkpoints when newer ones are damaged, savepoints that have been moved, state
// that no longer fits, and the last checkpoint after a failure inside the process.
package recovery

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"streamsql/checkpoint"
	"streamsql/connector"
	_ "streamsql/connector/all"
	"streamsql/job"
	"streamsql/session"
	"streamsql/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	events  = 600
	keyed   = 7
	perKey  = "SELECT k, COUNT(*) AS n, SUM(id) AS total FROM events GROUP BY k"
	changed = "SELECT k, COUNT(*) AS n, MAX(id) AS total FROM events GROUP BY k"
)

// world is a directory with an input and a data directory.
type world struct {
	t     *testing.T
	dir   string
	data  string
	notes []string
	mu    sync.Mutex
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, dir: t.TempDir()}
	w.data = filepath.Join(w.dir, "data")
	var in bytes.Buffer
	for id := range events {
		fmt.Fprintf(&in, `{"id":%d,"k":"key-%d"}`+"\n", id, id%keyed)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "events.ndjson"), in.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// script is a job that reads so many rows a second.
func script(query string, rate int, more string) string {
	return fmt.Sprintf(`
SET 'pipeline.name' = 'totals';
SET 'execution.checkpointing.interval' = '5 ms';
%s
CREATE TABLE events (id BIGINT, k STRING)
WITH ('connector' = 'filesystem', 'path' = 'events.ndjson', 'format' = 'json', 'scan.rows-per-second' = '%d');
CREATE TABLE totals (k STRING, n BIGINT, total BIGINT, PRIMARY KEY (k) NOT ENFORCED)
WITH ('connector' = 'filesystem', 'path' = 'totals.ndjson', 'format' = 'changelog-json');
INSERT INTO totals %s;
`, more, rate, query)
}

// session opens the world's engine for a while.
func (w *world) session(use func(*session.Session)) {
	w.t.Helper()
	e := session.NewEngine(w.data)
	defer func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what still runs is broken off
		_ = e.Close(ctx)
	}()
	s := e.NewSession(session.Options{Dir: w.dir, Note: func(note string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.notes = append(w.notes, note)
	}})
	defer s.Close()
	use(s)
}

// execute runs statements and returns the rows of the last one that has some, as lines.
func (w *world) execute(s *session.Session, sql string) error {
	for result, err := range s.Execute(w.t.Context(), session.Source{Name: "test.sql", Text: sql}) {
		if err != nil {
			return err
		}
		if result.Rows == nil {
			continue
		}
		for b, err := range result.Rows.All(w.t.Context()) {
			if err != nil {
				return err
			}
			b.Release()
		}
	}
	return nil
}

func (w *world) mustExecute(s *session.Session, sql string) {
	w.t.Helper()
	if err := w.execute(s, sql); err != nil {
		w.t.Fatal(err)
	}
}

// startUntil starts a script's job and waits until it has completed so many checkpoints.
func (w *world) startUntil(s *session.Session, sql string, checkpoints int) *session.Job {
	w.t.Helper()
	w.mustExecute(s, sql)
	j := s.Jobs()[0]
	first := j.Status().Checkpoint
	for j.Status().Checkpoint < first+checkpoint.ID(checkpoints) {
		select {
		case <-j.Done():
			w.t.Fatalf("the job ended too soon: %v", j.Err())
		case <-time.After(time.Millisecond):
		}
	}
	return j
}

// finish runs a script's job to its end.
func (w *world) finish(sql string) job.Status {
	w.t.Helper()
	var status job.Status
	w.session(func(s *session.Session) {
		w.mustExecute(s, sql)
		j := s.Jobs()[0]
		<-j.Done()
		if err := j.Err(); err != nil {
			w.t.Fatal(err)
		}
		status = j.Status()
	})
	return status
}

// check compares the final totals, read from the changelog, with what the input amounts to.
func (w *world) check() {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.dir, "totals.ndjson"))
	if err != nil {
		w.t.Fatal(err)
	}
	rows := map[string]int{}
	for line := range strings.Lines(string(text)) {
		op, row, ok := strings.Cut(line, ",")
		if !ok {
			w.t.Fatalf("torn line %q", line)
		}
		if strings.Contains(op, "+") {
			rows[row]++
		} else {
			rows[row]--
		}
	}
	want := map[string]int{}
	for k := range keyed {
		n, total := 0, 0
		for id := k; id < events; id += keyed {
			n++
			total += id
		}
		want[fmt.Sprintf(`"k":"key-%d","n":%d,"total":%d}`+"\n", k, n, total)]++
	}
	for row, times := range rows {
		if times != want[row] {
			w.t.Errorf("%d instead of %d times: %s", times, want[row], row)
		}
	}
	for row := range want {
		if rows[row] == 0 {
			w.t.Errorf("missing: %s", row)
		}
	}
}

func (w *world) noted(parts ...string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, note := range w.notes {
		all := true
		for _, p := range parts {
			all = all && strings.Contains(note, p)
		}
		if all {
			return
		}
	}
	w.t.Errorf("no note says %q:\n%s", parts, strings.Join(w.notes, "\n"))
}

// TestDamagedCheckpointIsSkipped flips a byte in a chunk that only the newest checkpoints name.
func TestDamagedCheckpointIsSkipped(t *testing.T) {
	w := newWorld(t)
	// Checkpoints far enough apart for each to have something to write.
	slow := strings.Replace(script(perKey, 600, ""), "'5 ms'", "'120 ms'", 1)
	w.session(func(s *session.Session) { w.startUntil(s, slow, 4) })
	damaged := w.damageNewest()
	status := w.finish(script(perKey, 1_000_000, ""))
	w.noted(fmt.Sprintf("skipped checkpoint %d", damaged), "checksum")
	if status.Resumed == 0 || status.Resumed >= damaged {
		t.Errorf("the job went on from checkpoint %d, the damaged one is %d", status.Resumed, damaged)
	}
	w.check()
}

// damageNewest flips a byte of the newest chunk that the newest checkpoint names, and returns the checkpoint that wrote it.
func (w *world) damageNewest() checkpoint.ID {
	store, err := storage.Open(w.data)
	if err != nil {
		w.t.Fatal(err)
	}
	defer store.Close()
	log, err := checkpoint.OpenLog(store, "totals")
	if err != nil {
		w.t.Fatal(err)
	}
	m, _, err := log.Newest()
	if err != nil {
		w.t.Fatal(err)
	}
	newest := slices.MaxFunc(m.Chunks(), func(a, b checkpoint.Chunk) int { return cmp.Compare(a.Checkpoint, b.Checkpoint) })
	data, err := log.Reader().Read(newest)
	if err != nil {
		w.t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := store.PutChunks([]storage.Chunk{{Key: storage.Key(newest.Key), Data: data}}); err != nil {
		w.t.Fatal(err)
	}
	return newest.Checkpoint
}

// TestChangedQueryIsRefused starts another query under the name of one that has state.
func TestChangedQueryIsRefused(t *testing.T) {
	w := newWorld(t)
	w.session(func(s *session.Session) { w.startUntil(s, script(perKey, 1000, ""), 3) })
	w.session(func(s *session.Session) {
		err := w.execute(s, script(changed, 1000, ""))
		if err == nil {
			t.Fatal("the changed query was started on the old state")
		}
		for _, part := range []string{"has changed", "aggregate-1", "MAX(id)", "SUM(id)", "--fresh"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error does not say %q: %v", part, err)
			}
		}
	})
	w.finish(script(perKey, 1_000_000, ""))
	w.check()
}

// TestMovedSavepointIsRestored takes a savepoint at parallelism 2, moves it, and goes on at 4 in a new data directory.
func TestMovedSavepointIsRestored(t *testing.T) {
	w := newWorld(t)
	w.session(func(s *session.Session) {
		w.startUntil(s, script(perKey, 1000, "SET 'parallelism.default' = '2';"), 3)
		w.mustExecute(s, "STOP JOB totals WITH SAVEPOINT 'half'")
	})
	moved := filepath.Join(w.dir, "elsewhere")
	if err := os.Rename(filepath.Join(w.data, "savepoints", "half"), moved); err != nil {
		t.Fatal(err)
	}
	w.data = filepath.Join(w.dir, "other-data")
	status := w.finish(script(perKey, 1_000_000,
		"SET 'parallelism.default' = '4';\nSET 'execution.state-recovery.path' = '"+moved+"';"))
	if status.RowsIn == events {
		t.Error("the job started from the beginning")
	}
	w.check()
}

// TestSavepointDoesNotDisturb takes savepoints of a running job and breaks it off: the checkpoints go on as if nothing had happened.
func TestSavepointDoesNotDisturb(t *testing.T) {
	w := newWorld(t)
	w.session(func(s *session.Session) {
		w.startUntil(s, script(perKey, 1000, ""), 2)
		w.mustExecute(s, "CREATE SAVEPOINT 'a' FOR JOB totals; CREATE SAVEPOINT 'b' FOR JOB totals; VERIFY SAVEPOINT 'a'; DESCRIBE SAVEPOINT 'b'; SHOW SAVEPOINTS; DROP SAVEPOINT 'a';")
	})
	w.finish(script(perKey, 1_000_000, ""))
	w.check()
}

// TestFailureRestarts lets the sink fail now and then while the job runs: it restarts by itself and loses and doubles nothing.
func TestFailureRestarts(t *testing.T) {
	failures.arm(3)
	w := newWorld(t)
	status := w.finish(strings.Replace(
		script(perKey, 2000, "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.attempts' = '5';\nSET 'restart-strategy.fixed-delay.delay' = '1 ms';"),
		"'connector' = 'filesystem', 'path' = 'events.ndjson'", "'connector' = 'failing', 'path' = 'events.ndjson'", 1,
	))
	if status.Restarts != 3 {
		t.Errorf("%d restarts instead of 3", status.Restarts)
	}
	w.noted("restarting in 1ms", "a passing trouble")
	w.check()
}

// TestRestartsEnd lets a job fail more often than its strategy allows.
func TestRestartsEnd(t *testing.T) {
	failures.arm(10)
	defer failures.arm(0)
	w := newWorld(t)
	w.session(func(s *session.Session) {
		w.mustExecute(s, strings.Replace(
			script(perKey, 2000, "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.attempts' = '2';\nSET 'restart-strategy.fixed-delay.delay' = '1 ms';"),
			"'connector' = 'filesystem', 'path' = 'events.ndjson'", "'connector' = 'failing', 'path' = 'events.ndjson'", 1,
		))
		j := s.Jobs()[0]
		<-j.Done()
		if err := j.Err(); err == nil || !strings.Contains(err.Error(), "a passing trouble") {
			t.Errorf("the job ended with %v", err)
		}
		if n := j.Status().Restarts; n != 2 {
			t.Errorf("%d restarts instead of 2", n)
		}
	})
}

// troubles makes the readers of the connector 'failing' fail so many times, each after some rows.
type troubles struct {
	mu   sync.Mutex
	left int
}

var failures troubles

func (f *troubles) arm(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = n
}

func (f *troubles) strike() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left == 0 {
		return false
	}
	f.left--
	return true
}

func init() {
	files, err := connector.Lookup("filesystem")
	if err != nil {
		panic(err)
	}
	failing := *files
	failing.Name = "failing"
	failing.NewSource = func(s connector.SourceSpec, o *connector.Options) (connector.Source, error) {
		inner, err := files.NewSource(s, o)
		return failingSource{inner}, err
	}
	connector.Register(&failing)
}

// failingSource is a source whose readers fail after their tenth batch, as long as there are troubles.
type failingSource struct{ connector.Source }

func (s failingSource) Open(ctx context.Context, split connector.Split, p connector.Position) (connector.Reader, error) {
	r, err := s.Source.Open(ctx, split, p)
	return &failingReader{Reader: r}, err
}

type failingReader struct {
	connector.Reader
	batches int
}

func (r *failingReader) Read(ctx context.Context) (connector.Fragment, error) {
	if r.batches++; r.batches == 3 && failures.strike() {
		return connector.Fragment{}, fmt.Errorf("a passing trouble")
	}
	return r.Reader.Read(ctx)
}
