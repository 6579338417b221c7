// Package crash kills the real program with SIGKILL, at random moments and at named ones, starts it again, and wants the output of
// an undisturbed run.
package crash

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"streamsql/internal/failpoint"
)

// rows is the size of the input, kills how often the program is killed.
const (
	rows  = 1_000_000
	kills = 20
)

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "streamsql-crash-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "streamsql")
	build := exec.Command("go", "build", "-o", binary, "streamsql/cmd/streamsql")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// script counts and sums by key and minute, into hidden files that commits make visible.
const script = `
SET 'pipeline.name' = 'crash';
SET 'execution.checkpointing.interval' = '30 ms';
CREATE TABLE events (id BIGINT, k STRING, v BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '10' SECOND)
WITH ('connector' = 'filesystem', 'path' = 'events.ndjson', 'format' = 'json', 'scan.rows-per-second' = '%d');
CREATE TABLE result (k STRING, minute_start TIMESTAMP(3), n BIGINT, total BIGINT, low BIGINT, high BIGINT)
WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');
INSERT INTO result
SELECT k, TUMBLE_START(ts, INTERVAL '1' MINUTE), COUNT(*), SUM(v), MIN(id), MAX(id)
FROM events GROUP BY k, TUMBLE(ts, INTERVAL '1' MINUTE);
`

// input writes the events: 50 keys, 25 events a second, up to 8 seconds out of order.
func input(t *testing.T, dir string, n int) {
	f, err := os.Create(filepath.Join(dir, "events.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		ts := start.Add(time.Duration(i)*40*time.Millisecond - time.Duration(random.IntN(8000))*time.Millisecond)
		fmt.Fprintf(w, `{"id":%d,"k":"key-%d","v":%d,"ts":"%s"}`+"\n",
			i, random.IntN(50), random.IntN(1000)-500, ts.Format("2006-01-02 15:04:05.000"))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// world is a directory in which the program runs again and again.
type world struct {
	t   *testing.T
	dir string
}

func newWorld(t *testing.T, n, rate int, sink string) world {
	w := world{t, t.TempDir()}
	input(t, w.dir, n)
	sql := fmt.Sprintf(script, rate, sink)
	if err := os.WriteFile(filepath.Join(w.dir, "crash.sql"), []byte(sql), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// start starts the program.
func (w world) start(ctx context.Context, parallelism int, env ...string) (*exec.Cmd, *strings.Builder) {
	cmd := exec.CommandContext(ctx, binary, "run", "--quiet", "-p", strconv.Itoa(parallelism), "crash.sql")
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	return cmd, &stderr
}

// finish runs the program to its end.
func (w world) finish(parallelism int) {
	cmd, stderr := w.start(w.t.Context(), parallelism)
	if err := cmd.Wait(); err != nil {
		w.t.Fatalf("%v\n%s", err, stderr)
	}
}

// killed reports whether the program was ended by a signal; any other failure ends the test.
func (w world) killed(cmd *exec.Cmd, stderr *strings.Builder) bool {
	err := cmd.Wait()
	if err == nil {
		return false
	}
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == -1 {
		return true
	}
	w.t.Fatalf("%v\n%s", err, stderr)
	return false
}

// output counts the lines of the visible files of a sink.
func (w world) output(sink string) map[string]int {
	path := filepath.Join(w.dir, sink)
	files := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			w.t.Fatal(err)
		}
		files = nil
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") {
				files = append(files, filepath.Join(path, e.Name()))
			}
		}
	}
	lines := map[string]int{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			w.t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			lines[line]++
		}
	}
	return lines
}

// same fails the test if two outputs differ.
func same(t *testing.T, want, got map[string]int) {
	t.Helper()
	if maps.Equal(want, got) {
		return
	}
	shown := 0
	for _, line := range slices.Sorted(maps.Keys(want)) {
		if want[line] != got[line] && shown < 5 {
			shown++
			t.Errorf("%d instead of %d times: %s", got[line], want[line], line)
		}
	}
	for _, line := range slices.Sorted(maps.Keys(got)) {
		if want[line] == 0 && shown < 10 {
			shown++
			t.Errorf("not expected: %s", line)
		}
	}
	t.Fatalf("%d different lines instead of %d", len(got), len(want))
}

// undisturbed is the output of a run that nobody kills.
func undisturbed(t *testing.T, n int) map[string]int {
	w := newWorld(t, n, 10_000_000, "out/")
	w.finish(2)
	out := w.output("out/")
	total := 0
	for line, times := range out {
		if times != 1 {
			t.Fatalf("%d times: %s", times, line)
		}
		var count int
		if _, after, ok := strings.Cut(line, `"n":`); ok {
			fmt.Sscanf(after, "%d", &count)
		}
		total += count
	}
	if total != n {
		t.Fatalf("the windows hold %d of %d rows", total, n)
	}
	return out
}

// TestKilledAtRandom kills the program again and again, at random moments, each time starting it at another parallelism.
func TestKilledAtRandom(t *testing.T) {
	want := undisturbed(t, rows)
	for _, sink := range []string{"out/", "out.ndjson"} {
		t.Run(sink, func(t *testing.T) {
			w := newWorld(t, rows, 150_000, sink)
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			random := rand.New(rand.NewPCG(seed, 1))
			for kill := range kills {
				cmd, stderr := w.start(t.Context(), []int{1, 2, 4}[random.IntN(3)])
				time.Sleep(time.Duration(50+random.IntN(400)) * time.Millisecond)
				_ = cmd.Process.Kill()
				if !w.killed(cmd, stderr) {
					t.Fatalf("the program ended before kill %d", kill+1)
				}
			}
			w.finish(2)
			same(t, want, w.output(sink))
		})
	}
}

// TestKilledAtFailpoints kills the program at each named point, at its first and at a later passing.
func TestKilledAtFailpoints(t *testing.T) {
	const n = 60_000
	want := undisturbed(t, n)
	for _, point := range failpoint.Names {
		for _, sink := range []string{"out/", "out.ndjson"} {
			t.Run(point+"/"+sink, func(t *testing.T) {
				w := newWorld(t, n, 100_000, sink)
				if w.killedAt(point, 1) {
					if !w.killedAt(point, 3) {
						same(t, want, w.output(sink)) // some points are passed once, and the program has ended
						return
					}
				} else {
					t.Fatalf("the program never comes to %s", point)
				}
				w.finish(4)
				same(t, want, w.output(sink))
			})
		}
	}
}

// killedAt runs the program until the given passing of a failpoint kills it; false if it ends before.
func (w world) killedAt(point string, pass int) bool {
	cmd, stderr := w.start(w.t.Context(), 2, fmt.Sprintf("%s=%s:%d", failpoint.Env, point, pass))
	if point == failpoint.SavepointBeforeRename {
		ended := make(chan struct{})
		defer func() { <-ended }()
		ctx, cancel := context.WithCancel(w.t.Context())
		defer cancel()
		go func() {
			defer close(ended)
			w.savepoints(ctx)
		}()
	}
	return w.killed(cmd, stderr)
}

// savepoints asks the running program for one savepoint after the other.
func (w world) savepoints(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		ask := exec.CommandContext(ctx, binary, "-e", fmt.Sprintf("CREATE SAVEPOINT 'sp%d' FOR JOB crash", i))
		ask.Dir = w.dir
		_ = ask.Run() // it fails until the job runs, and again once it is killed
	}
}

// TestDataDirectoryIsDeleted: a job whose state is gone ends, and says why.
func TestDataDirectoryIsDeleted(t *testing.T) {
	w := newWorld(t, 60_000, 20_000, "out/")
	cmd, stderr := w.start(t.Context(), 2)
	for len(visible(w.dir)) == 0 {
		time.Sleep(time.Millisecond)
	}
	if err := os.RemoveAll(filepath.Join(w.dir, ".streamsql")); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("the program ends with %v", err)
	}
	if said := stderr.String(); !strings.Contains(said, "the data directory was deleted") || strings.Contains(said, "goroutine") {
		t.Errorf("the program says:\n%s", said)
	}
}

// visible lists the parts of the output.
func visible(dir string) []string {
	parts, _ := filepath.Glob(filepath.Join(dir, "out", "part-*"))
	return parts
}
