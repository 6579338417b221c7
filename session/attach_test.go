package session

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/job"
	"streamsql/parser"
	"streamsql/storage"
)

// second is another engine on the same directory, which the bench's has open: what a second process is.
func (b *bench) second(o Options) *Session {
	b.Helper()
	b.run("CREATE TEMPORARY TABLE hole (n BIGINT) WITH ('connector' = 'blackhole'); INSERT INTO hole VALUES (1)") // opens the directory
	b.waitJobs()
	b.engine.Stay()
	engine := NewEngine(filepath.Join(b.dir, "data"))
	session := engine.NewSession(o)
	b.Cleanup(func() {
		if err := errors.Join(session.Close(), engine.Close(context.Background())); err != nil {
			b.Error(err)
		}
	})
	return session
}

func TestAttachedSession(t *testing.T) {
	t.Parallel()
	b := newBench(t, "clicks.json", clicks)
	other := b.second(b.options())
	try := func(sql string, want ...string) {
		t.Helper()
		if got, err := run(other, sql); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v; want %q", sql, got, err, want)
		}
	}
	// What it has made before it attaches goes with it.
	try(createClicks+"CREATE FUNCTION twice(x INT) RETURNS INT RETURN x * 2; CREATE VIEW v AS SELECT twice(n) AS n FROM clicks; SET 'parallelism' = '2'",
		"table clicks created", "function twice created", "view v created", "parallelism.default = 2")
	if got, err := run(other, "SHOW JOBS"); err != nil || len(got) != 1 || other.remote == nil {
		t.Fatalf("SHOW JOBS: %q, %v", got, err)
	}
	try("SHOW TABLES", "clicks|filesystem|true")
	try("SELECT n FROM v ORDER BY n LIMIT 2", "2", "4")
	try("SELECT who, SUM(n) FROM clicks GROUP BY who ORDER BY who", "ann|3", "bob|5")
	try("SET", "parallelism.default|2")
	try("SET 'batch.rows' = '7'; SET", "exec.batch.rows = 7", "exec.batch.rows|7", "parallelism.default|2")
	if got := other.Settings().Given(); got["exec.batch.rows"] != "7" {
		t.Errorf("settings %q", got)
	}
	try("DROP VIEW v; SHOW VIEWS", "view v dropped")
	b.want("SHOW TABLES", "hole|blackhole|true") // its objects are its own

	_, err := run(other, "/* ü */ SELECT 1;\n SELECT nope FROM clicks")
	var at *parser.Error
	if !errors.As(err, &at) || at.Line != 2 || at.Col != 9 || !strings.Contains(at.Detail(), "SELECT nope FROM clicks") {
		t.Errorf("%v", err)
	}
}

func TestAttachedQueryIsCancelled(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := b.second(b.options())
	if _, err := run(other, "SHOW JOBS; CREATE TABLE n (i BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000')"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for result, err := range other.Execute(ctx, Source{Text: "SELECT i FROM n"}) {
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(10 * time.Second); result.Rows.Progress() == nil && time.Now().Before(end); {
			batch, err := result.Rows.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			batch.Release()
		}
		if p := result.Rows.Progress(); p == nil || p.State != job.Running {
			t.Errorf("progress %+v", p)
		}
		cancel()
		for _, err := range result.Rows.All(ctx) {
			if err != nil && err.Error() != context.Canceled.Error() {
				t.Errorf("after the cancellation: %v", err)
			}
		}
	}
	// Leaving without having read everything.
	for result, err := range other.Execute(t.Context(), Source{Text: "SELECT i FROM n"}) {
		if err != nil || result.Rows == nil {
			t.Fatal(err)
		}
	}
	if got, err := run(other, "SELECT 1"); err != nil || !slices.Equal(got, []string{"1"}) {
		t.Errorf("afterwards: %q, %v", got, err)
	}
}

func TestAttachedJobs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := b.second(b.options())
	if _, err := run(other, "SET 'checkpoint.interval' = '50 ms';"+createNumbers+insertSums); err != nil {
		t.Fatal(err)
	}
	jobs := other.Jobs()
	if len(jobs) != 1 || jobs[0].Name != "out" || jobs[0].Status().State != job.Running {
		t.Fatalf("jobs %v", jobs)
	}
	if got := b.engine.Running(); !slices.Equal(got, []string{"out"}) {
		t.Errorf("running in the first engine: %q", got)
	}
	if err := jobs[0].Stop(t.Context()); err != nil {
		t.Error(err)
	}
	<-jobs[0].Done()
	if got := jobs[0].Status().State; got != job.Stopped || jobs[0].Err() != nil {
		t.Errorf("%s, %v", got, jobs[0].Err())
	}
	// The second time it fails; the error comes back.
	if _, err := run(other, `CREATE TABLE bad (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'bad.json', 'format' = 'json')`); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "bad.json"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := run(other, "SET 'restart-strategy' = 'none'; SET 'pipeline.name' = 'failing'; INSERT INTO out SELECT n, n FROM bad"); err != nil {
		t.Fatal(err)
	}
	failing := other.Jobs()[1]
	<-failing.Done()
	if err := failing.Err(); err == nil || !strings.Contains(err.Error(), "bad.json:1") {
		t.Errorf("%v", err)
	}
}

func TestOwnerLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := b.second(b.options())
	if _, err := run(other, "SHOW JOBS; CREATE TABLE n (i BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000')"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := run(other, "SELECT i FROM n")
		ended <- err
	}()
	time.Sleep(100 * time.Millisecond)
	b.close()
	if err := <-ended; err == nil {
		t.Error("a query outlives its engine")
	}
	// The next statement works, on the directory that is free now.
	if got, err := run(other, "SHOW JOBS"); err != nil || len(got) != 1 || other.remote != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// lockStore takes the data directory as another program would, which does not serve it.
func lockStore(t *testing.T, dir string) {
	t.Helper()
	store, err := storage.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
}

func TestSilentOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	data := filepath.Join(b.dir, "data")
	lockStore(t, data)
	if got := b.fail("SHOW JOBS"); !strings.Contains(got, data+" is open") || !strings.Contains(got, "does not answer") {
		t.Errorf("nobody listens: %s", got)
	}
	b.want("SELECT 1", "1")
}

func TestHangingOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	data := filepath.Join(b.dir, "data")
	lockStore(t, data)
	l, err := net.Listen("unix", filepath.Join(data, socketFile)) // connections wait in its queue for ever
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := b.fail("SHOW JOBS"); !strings.Contains(got, "does not answer") {
		t.Errorf("a process that hangs: %s", got)
	}
}

func TestDyingOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	data := filepath.Join(b.dir, "data")
	store, err := storage.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(data, socketFile))
	if err != nil {
		t.Fatal(err)
	}
	var dying sync.WaitGroup
	defer dying.Wait()
	dying.Go(func() { // it breaks off every connection, then it is gone
		for range 3 {
			if conn, err := l.Accept(); err == nil {
				conn.Close()
			}
		}
		l.Close()
		store.Close()
	})
	b.want("SHOW JOBS")
}

// TestLeavingOwner attaches to a process that just executes a statement and ends: it is waited for, not relied on.
func TestLeavingOwner(t *testing.T) {
	t.Parallel()
	b := newBench(t, "clicks.json", clicks)
	owner := NewEngine(filepath.Join(b.dir, "data"))
	if _, err := owner.open(); err != nil {
		t.Fatal(err)
	}
	engine := NewEngine(filepath.Join(b.dir, "data"))
	other := engine.NewSession(b.options())
	defer engine.Close(context.Background())
	defer other.Close()
	time.AfterFunc(100*time.Millisecond, func() {
		if err := owner.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if _, err := run(other, "SHOW JOBS"); err != nil || other.remote != nil {
		t.Errorf("SHOW JOBS: %v; attached: %v", err, other.remote != nil)
	}
}
