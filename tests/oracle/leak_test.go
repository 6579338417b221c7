package oracle

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"streamsql/session"
)

// TestNothingIsLeft runs statements of every kind again and again in one engine, and then counts goroutines, open files and what is
// in the directory.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.csv"), []byte("1,a\n2,b\n3,\nx,c\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	e := session.NewEngine(filepath.Join(dir, "data"))
	defer func() { _ = e.Close(context.Background()) }()
	const tables = `
CREATE TABLE good (n INT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv', 'on.error' = 'dead-letter');
CREATE TABLE bad (n INT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'in.csv', 'format' = 'csv');
CREATE TABLE endless (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000');
CREATE TABLE sink (s STRING, n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out.json', 'format' = 'changelog-json');
SET 'table.dml-sync' = 'true';
SET 'pipeline.name' = 'job';
`
	scripts := []string{
		"SELECT s, COUNT(*) FROM good GROUP BY s ORDER BY s;",
		"SELECT s, COUNT(*) FROM bad GROUP BY s;",             // fails
		"SELECT n FROM endless WHERE n / 0 = 1;",              // fails
		"SELECT n % 5, COUNT(*) FROM endless GROUP BY n % 5;", // cancelled
		"SELECT COUNT(*) FROM endless GROUP BY TUMBLE(ts, INTERVAL '1' SECOND);",
		"INSERT OVERWRITE sink SELECT s, COUNT(*) FROM good GROUP BY s;",
		"INSERT OVERWRITE sink SELECT s, COUNT(*) FROM bad GROUP BY s;",
		"SET 'table.dml-sync' = 'false'; INSERT OVERWRITE sink SELECT 'x', n FROM endless; CANCEL JOB job;",
		"SELEC;",
		"EXPLAIN SELECT * FROM good; SHOW TABLES; SHOW JOBS; DESCRIBE good;",
	}
	round := func() {
		for _, script := range scripts {
			runFor(t, e, dir, tables+script, 20*time.Millisecond)
		}
	}
	round()
	round()
	goroutines, files := settled()
	for range 20 {
		round()
	}
	after, filesAfter := settled()
	if after > goroutines || filesAfter > files {
		t.Errorf("%d goroutines and %d open files became %d and %d", goroutines, files, after, filesAfter)
	}
}

// runFor executes a script and reads its results, for a while at most.
func runFor(t *testing.T, e *session.Engine, dir, script string, most time.Duration) {
	s := e.NewSession(session.Options{Dir: dir})
	defer s.Close()
	for result, err := range s.Execute(t.Context(), session.Source{Text: script}) {
		if err != nil || result.Rows == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), most)
		for b, err := range result.Rows.All(ctx) {
			if err == nil {
				b.Release()
			}
		}
		cancel()
	}
}

// settled counts goroutines and open files once their numbers stand still.
func settled() (goroutines, files int) {
	for range 50 {
		n := runtime.NumGoroutine()
		open, _ := os.ReadDir("/proc/self/fd") // not every system lists them
		if n == goroutines && len(open) == files {
			return n, files
		}
		goroutines, files = n, len(open)
		time.Sleep(100 * time.Millisecond)
	}
	return goroutines, files
}
