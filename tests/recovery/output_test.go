package recovery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/session"
)

// copying is a job that copies its input to a path.
const copying = `
SET 'pipeline.name' = 'copies';
SET 'execution.checkpointing.interval' = '1 h';
%s
CREATE TABLE events (id BIGINT, k STRING)
WITH ('connector' = 'filesystem', 'path' = 'events.ndjson', 'format' = 'json', 'scan.rows-per-second' = '%d');
CREATE TABLE copied (id BIGINT, k STRING) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');
INSERT INTO copied SELECT id, k FROM events;
`

// TestOutputIsGone stops a job and moves its output away. Going on is refused with what to do about it; if that is asked for, the job
// goes on, and the output of before and after has every row once. A savepoint is restored elsewhere in the same way.
func TestOutputIsGone(t *testing.T) {
	const ignore = "SET 'recovery.ignore-missing-output' = 'true';\n"
	for _, path := range []string{"copied/", "copied.ndjson"} {
		for _, elsewhere := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s,elsewhere=%v", path, elsewhere), func(t *testing.T) {
				w := newWorld(t)
				w.session(func(s *session.Session) {
					w.mustExecute(s, fmt.Sprintf(copying, "", 1000, path))
					for s.Jobs()[0].Status().RowsOut < 10 {
						time.Sleep(time.Millisecond)
					}
					w.mustExecute(s, "CHECKPOINT JOB copies")
					for seen := s.Jobs()[0].Status().RowsOut; s.Jobs()[0].Status().RowsOut < seen+10; {
						time.Sleep(time.Millisecond)
					}
					w.mustExecute(s, "STOP JOB copies WITH SAVEPOINT 'half'")
				})
				before := filepath.Join(w.dir, "moved")
				if err := os.Rename(filepath.Join(w.dir, path), before); err != nil {
					t.Fatal(err)
				}
				goOn := func(with string) error {
					script := with + fmt.Sprintf(copying, "", 1_000_000, path)
					if elsewhere {
						script = with + "RESTORE JOB copies FROM SAVEPOINT '" + filepath.Join(w.dir, "data", "savepoints", "half") + "'"
					}
					var err error
					w.session(func(s *session.Session) {
						if err = w.execute(s, script); err == nil {
							j := s.Jobs()[0]
							<-j.Done()
							err = j.Err()
						}
					})
					return err
				}
				if elsewhere {
					if err := os.Rename(w.data, w.data+"-of-before"); err != nil {
						t.Fatal(err)
					}
					w.data = filepath.Join(w.dir, "other-data")
					if err := os.MkdirAll(filepath.Join(w.dir, "data"), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(filepath.Join(w.dir, "data-of-before", "savepoints"), filepath.Join(w.dir, "data", "savepoints")); err != nil {
						t.Fatal(err)
					}
				}
				err := goOn("")
				if err == nil || !strings.Contains(err.Error(), "copied") || !strings.Contains(err.Error(), "'recovery.ignore-missing-output' = 'true'") {
					t.Fatalf("without its output the job goes on: %v", err)
				}
				if err := goOn(ignore); err != nil {
					t.Fatal(err)
				}
				checkCopies(t, before, filepath.Join(w.dir, path))
			})
		}
	}
}

// checkCopies counts the rows in all files of some directories, or in files.
func checkCopies(t *testing.T, paths ...string) {
	t.Helper()
	seen := map[int]int{}
	for _, path := range paths {
		err := filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			for line := range bytes.Lines(text) {
				var row struct{ ID int }
				if err := json.Unmarshal(line, &row); err != nil {
					t.Errorf("%s: %q: %v", name, line, err)
				}
				seen[row.ID]++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for id := range events {
		if seen[id] != 1 {
			t.Fatalf("row %d is there %d times", id, seen[id])
		}
	}
}
