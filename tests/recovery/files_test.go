package recovery

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"streamsql/job"
	"streamsql/session"
)

// TestFilesThatChangeBetweenRuns: a job that finds another input or another output than it left ends at once and says so. Restarting
// would not help.
func TestFilesThatChangeBetweenRuns(t *testing.T) {
	for name, c := range map[string]struct {
		file   string
		change func(path string) error
		want   string
	}{
		"input gone":     {"events.ndjson", os.Remove, "there is no file"},
		"input cut":      {"events.ndjson", func(p string) error { return os.Truncate(p, 100) }, "shorter than what was read of it"},
		"input replaced": {"events.ndjson", func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("x\n", 1<<16)), 0o600) }, "malformed JSON"},
		"output gone":    {"totals.ndjson", os.Remove, "had been written to it"},
		"output cut":     {"totals.ndjson", func(p string) error { return os.Truncate(p, 1) }, "had been written to it"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.session(func(s *session.Session) { w.startUntil(s, script(perKey, 600, ""), 5) })
			if err := c.change(filepath.Join(w.dir, c.file)); err != nil {
				t.Fatal(err)
			}
			w.session(func(s *session.Session) {
				err := w.execute(s, script(perKey, 1_000_000, ""))
				if err == nil {
					j := s.Jobs()[0]
					<-j.Done()
					if err = j.Err(); j.Status().Restarts > 0 {
						t.Errorf("it has been restarted")
					}
				}
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %s", err, c.want)
				}
			})
		})
	}
}

// TestOutputThatWentOnIsCut: lines that others have added to the output since the checkpoint are cut off, as the job's own would be.
func TestOutputThatWentOnIsCut(t *testing.T) {
	w := newWorld(t)
	w.session(func(s *session.Session) { w.startUntil(s, script(perKey, 600, ""), 5) })
	f, err := os.OpenFile(filepath.Join(w.dir, "totals.ndjson"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{\"torn"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	w.finish(script(perKey, 1_000_000, ""))
	w.check()
}

// TestStopWhileWaitingForARestart: a job between two attempts ends where its newest checkpoint is, without an error.
func TestStopWhileWaitingForARestart(t *testing.T) {
	failures.arm(1000)
	defer failures.arm(0)
	w := newWorld(t)
	failing := strings.Replace(script(perKey, 2000, "SET 'restart-strategy.type' = 'fixed-delay';\nSET 'restart-strategy.fixed-delay.delay' = '1 h';"),
		"'connector' = 'filesystem', 'path' = 'events.ndjson'", "'connector' = 'failing', 'path' = 'events.ndjson'", 1)
	w.session(func(s *session.Session) {
		w.mustExecute(s, failing)
		j := s.Jobs()[0]
		for j.Status().State != job.Restarting {
			time.Sleep(time.Millisecond)
		}
		if err := w.execute(s, "CREATE SAVEPOINT 'now' FOR JOB totals"); err == nil || !strings.Contains(err.Error(), "not running") {
			t.Errorf("a savepoint of a job that does not run: %v", err)
		}
		if err := j.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if state, err := j.Status().State, j.Err(); state != job.Cancelled || err != nil {
			t.Errorf("it is %s, %v", state, err)
		}
	})
	failures.arm(0)
	w.finish(failing)
	w.check()
}
