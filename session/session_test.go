package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"go.uber.org/goleak"

	_ "streamsql/connector/all"
	"streamsql/exec/vec"
	"streamsql/internal/settings"
	"streamsql/job"
	"streamsql/parser"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMaxParallelismIsTheNumberOfKeyGroups(t *testing.T) {
	if settings.MaxParallelism != vec.KeyGroups {
		t.Errorf("%d, want %d", settings.MaxParallelism, vec.KeyGroups)
	}
}

// bench is an engine on an empty directory with a session, for one test.
type bench struct {
	*testing.T
	dir     string
	engine  *Engine
	session *Session

	mu    sync.Mutex
	notes []string
}

func newBench(t *testing.T, files ...string) *bench {
	b := &bench{T: t, dir: t.TempDir()}
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(b.dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.engine = NewEngine(filepath.Join(b.dir, "data"))
	b.session = b.engine.NewSession(b.options())
	t.Cleanup(func() { b.close() })
	return b
}

func (b *bench) options() Options {
	return Options{Dir: b.dir, FinalResult: true, Note: func(text string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.notes = append(b.notes, text)
	}}
}

func (b *bench) close() {
	if b.engine == nil {
		return
	}
	if err := b.session.Close(); err != nil {
		b.Error(err)
	}
	if err := b.engine.Close(context.Background()); err != nil {
		b.Error(err)
	}
	b.engine = nil
}

// reopen ends the engine and opens the directory again, as another run of the program does.
func (b *bench) reopen() {
	b.close()
	b.engine = NewEngine(filepath.Join(b.dir, "data"))
	b.session = b.engine.NewSession(b.options())
}

// run executes statements and returns what they answer: a line for each row, cells separated by |, or the message.
func (b *bench) run(sql string) []string {
	b.Helper()
	lines, err := run(b.session, sql)
	if err != nil {
		b.Fatalf("%s: %v", sql, err)
	}
	return lines
}

// fail executes statements that must fail and returns the error.
func (b *bench) fail(sql string) string {
	b.Helper()
	lines, err := run(b.session, sql)
	if err == nil {
		b.Fatalf("%s did not fail: %q", sql, lines)
	}
	return err.Error()
}

func (b *bench) want(sql string, want ...string) {
	b.Helper()
	if got := b.run(sql); !slices.Equal(got, want) {
		b.Errorf("%s:\ngot  %q\nwant %q", sql, got, want)
	}
}

func run(s *Session, sql string) ([]string, error) {
	var lines []string
	for result, err := range s.Execute(context.Background(), Source{Name: "test", Text: sql}) {
		if err != nil {
			return lines, err
		}
		if result.Rows == nil {
			lines = append(lines, result.Message)
			continue
		}
		rows, err := final(result.Rows)
		lines = append(lines, rows...)
		if err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// final reads the final result of rows.
func final(rows *Rows) ([]string, error) {
	bag := NewBag(memory.DefaultAllocator)
	defer bag.Release()
	for b, err := range rows.All(context.Background()) {
		if err != nil {
			return nil, err
		}
		bag.Apply(b)
	}
	var lines []string
	for b := range bag.Rows(rows.Sort) {
		for i := range b.Rows {
			cells := make([]string, len(b.Cols))
			for c := range cells {
				cells[c] = b.Cols[c].ValueStr(i)
			}
			lines = append(lines, strings.Join(cells, "|"))
		}
		b.Release()
	}
	return lines, nil
}

// waitJobs waits for the jobs of the session and returns how they ended.
func (b *bench) waitJobs() []job.State {
	b.Helper()
	var states []job.State
	for _, j := range b.session.Jobs() {
		select {
		case <-j.Done():
		case <-time.After(20 * time.Second):
			b.Fatalf("job %s does not end: %+v", j.Name, j.Status())
		}
		states = append(states, j.Status().State)
	}
	return states
}

const clicks = `{"who":"ann","n":1}
{"who":"bob","n":5}
{"who":"ann","n":2}
`

const createClicks = `CREATE TABLE clicks (who STRING, n INT) WITH ('connector' = 'filesystem', 'path' = 'clicks.json', 'format' = 'json');`

func TestQueries(t *testing.T) {
	b := newBench(t, "clicks.json", clicks)
	b.run(createClicks + "CREATE VIEW anns AS SELECT n FROM clicks WHERE who = 'ann'")
	b.want("SELECT who, n FROM clicks", "ann|1", "bob|5", "ann|2")
	b.want("SELECT who, n FROM clicks LIMIT 1 OFFSET 1", "bob|5")
	b.want("SELECT n FROM clicks ORDER BY who DESC, n DESC LIMIT 2", "5", "2")
	b.want("SELECT who, SUM(n) FROM clicks GROUP BY who ORDER BY who", "ann|3", "bob|5")
	b.want("SELECT SUM(n) FROM anns", "3")
	b.want("SELECT who FROM clicks LIMIT 0")
	b.want("SELECT 1; SELECT 2", "1", "2")
	if _, err := os.Stat(filepath.Join(b.dir, "data")); err == nil {
		t.Error("queries alone made a data directory")
	}
}

func TestLeavingAQueryEarly(t *testing.T) {
	b := newBench(t)
	b.run(`CREATE TABLE n (i BIGINT) WITH ('connector' = 'datagen', 'fields.i.kind' = 'sequence', 'fields.i.start' = '1', 'fields.i.end' = '100000000');`)
	b.want("SELECT i FROM n LIMIT 3", "1", "2", "3")
	for result, err := range b.session.Execute(t.Context(), Source{Text: "SELECT i FROM n"}) {
		if err != nil {
			t.Fatal(err)
		}
		batch, err := result.Rows.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for result, err := range b.session.Execute(ctx, Source{Text: "SELECT i FROM n"}) {
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		for b, err := range result.Rows.All(ctx) {
			if err == nil {
				b.Release()
			} else if !errors.Is(err, context.Canceled) {
				t.Errorf("after the cancellation: %v", err)
			}
		}
	}
}

func TestSettings(t *testing.T) {
	b := newBench(t)
	b.want("SET 'checkpoint.interval' = '1 s'; SET", "execution.checkpointing.interval = 1 s", "execution.checkpointing.interval|1 s")
	b.want("RESET 'checkpoint.interval'; SET", "execution.checkpointing.interval = 10 s")
	b.run("SET 'parallelism' = '3'")
	b.want("SHOW SETTINGS LIKE 'parallelism%'", "parallelism.default|3|auto|integer|subtasks an operator runs in; auto is one for each CPU core")
	b.want("RESET; SET", "all settings are at their defaults")
	for sql, want := range map[string]string{
		"SET 'paralelism' = '1'":        "test:1:5: unknown setting 'paralelism' (did you mean 'parallelism'?)",
		"RESET 'paralelism'":            "test:1:7: unknown setting 'paralelism'",
		"SET 'parallelism' = 'x'":       "test:1:21: setting 'parallelism.default': 'x' is not a whole number",
		"SET 'time-zone' = 'Mars/Base'": "unknown time zone 'Mars/Base'",
	} {
		if got := b.fail(sql); !strings.Contains(got, want) {
			t.Errorf("%s: %s", sql, got)
		}
	}
}

func TestObjects(t *testing.T) {
	b := newBench(t, "clicks.json", clicks)
	b.want(createClicks, "table clicks created")
	b.want("CREATE VIEW v AS SELECT who FROM clicks; CREATE FUNCTION twice(x BIGINT) RETURNS BIGINT RETURN x * 2",
		"view v created", "function twice created")
	b.want("SHOW TABLES", "clicks|filesystem|true")
	b.want("SHOW VIEWS LIKE 'V'", "v|true")
	b.want("SHOW VIEWS NOT LIKE 'v'")
	b.want("SHOW FUNCTIONS LIKE 'twice'", "twice|macro|created|x * 2")
	b.want("SELECT twice(21)", "42")
	b.want("DESCRIBE clicks", "who|STRING|true|(null)|(null)|(null)", "n|INT|true|(null)|(null)|(null)")
	b.want("DESCRIBE v", "who|STRING|true|(null)|(null)|(null)")
	if got := b.run("SHOW CREATE VIEW v")[0]; !strings.HasPrefix(got, "CREATE TEMPORARY VIEW v AS") {
		t.Errorf("SHOW CREATE VIEW: %s", got)
	}
	b.want("CREATE TABLE IF NOT EXISTS clicks (x INT) WITH ('connector' = 'blackhole'); SHOW TABLES", "table clicks created", "clicks|filesystem|true")
	for sql, want := range map[string]string{
		createClicks:                "table 'clicks' exists already",
		"DROP TABLE clicks":         "table 'clicks' is read by view 'v'",
		"DROP TABLE klicks":         "unknown table 'klicks' (did you mean clicks?)",
		"DROP VIEW clicks":          "unknown view 'clicks' ('clicks' is a table)",
		"DESCRIBE nothing":          "unknown table 'nothing'",
		"SHOW CREATE TABLE v":       "'v' is a view",
		"SELECT nope FROM v":        "unknown column 'nope'",
		"SELECT 1; SELEC 2":         "unexpected 'SELEC'",
		"PAUSE JOB x":               "PAUSE JOB is not a statement of this version",
		"SHOW WATERMARKS FOR JOB x": "SHOW WATERMARKS is not a statement of this version",
	} {
		if got := b.fail(sql); !strings.Contains(got, want) {
			t.Errorf("%s: %s", sql, got)
		}
	}
	b.want("DROP VIEW IF EXISTS w; DROP VIEW v; DROP TABLE clicks; SHOW TABLES", "there is no view w", "view v dropped", "table clicks dropped")
}

func TestExplain(t *testing.T) {
	b := newBench(t, "clicks.json", clicks)
	b.run(createClicks)
	for result, err := range b.session.Execute(t.Context(), Source{Text: "EXPLAIN SELECT who, SUM(n) FROM clicks GROUP BY who"}) {
		if err != nil {
			t.Fatal(err)
		}
		if !result.Rows.Text {
			t.Error("a plan is a text")
		}
		lines, err := final(result.Rows)
		if err != nil || len(lines) != 1 || !strings.Contains(lines[0], "clicks") {
			t.Errorf("%q, %v", lines, err)
		}
	}
}

func TestLists(t *testing.T) {
	b := newBench(t)
	for _, sql := range []string{"SHOW CONNECTORS", "SHOW FORMATS", "SHOW FUNCTIONS"} {
		if len(b.run(sql)) < 3 {
			t.Errorf("%s: %q", sql, b.run(sql))
		}
	}
	for _, sql := range []string{"SHOW JOBS", "SHOW SAVEPOINTS"} {
		b.want(sql)
	}
	if len(Commands()) < 30 {
		t.Errorf("%d commands are documented", len(Commands()))
	}
}

func TestPersistentObjects(t *testing.T) {
	t.Parallel()
	b := newBench(t, "clicks.json", clicks)
	persistent := b.options()
	persistent.Persist = true
	shell := b.engine.NewSession(persistent)
	if _, err := run(shell, createClicks+"CREATE VIEW v AS SELECT who FROM clicks; CREATE TEMPORARY VIEW gone AS SELECT 1 AS one"); err != nil {
		t.Fatal(err)
	}
	b.want("SHOW TABLES", "clicks|filesystem|false") // also in a session that was there before
	b.want("SHOW VIEWS", "v|false")
	b.reopen()
	b.want("SELECT who FROM v LIMIT 1", "ann")
	b.run("CREATE TABLE clicks (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1')")
	b.want("DESCRIBE clicks", "x|INT|true|(null)|(null)|(null)")
	b.run("DROP TABLE clicks")
	b.want("SHOW TABLES", "clicks|filesystem|false")
	b.run("DROP VIEW v; DROP TABLE clicks")
	b.reopen()
	b.want("SHOW TABLES")
}

// createNumbers makes a table that counts to 1000 in about a second.
const createNumbers = `CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000',
	'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000');
	CREATE TABLE out (k BIGINT, total BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'changelog-json');`

const insertSums = "INSERT INTO out SELECT MOD(n, 2), SUM(n) FROM numbers GROUP BY MOD(n, 2)"

// sums reads what insertSums has written.
func (b *bench) sums() []string {
	b.Helper()
	session := b.engine.NewSession(b.options())
	defer session.Close()
	lines, err := run(session, `CREATE TABLE out (k BIGINT, total BIGINT) WITH ('connector' = 'filesystem', 'path' = 'out', 'format' = 'changelog-json');
		SELECT k, total FROM out ORDER BY k`)
	if err != nil {
		b.Fatal(err)
	}
	return lines[1:]
}

func TestJobs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("SET 'checkpoint.interval' = '100 ms';" + createNumbers)
	b.want(insertSums, "job out started")
	if got := b.fail("SET 'pipeline.name' = 'OUT'; " + insertSums); !strings.Contains(got, "job 'OUT' is running already") {
		t.Errorf("a second job of the name: %s", got)
	}
	b.run("RESET 'pipeline.name'")
	if got := b.run("CHECKPOINT JOB out"); len(got) != 1 || !strings.HasPrefix(got[0], "out|") {
		t.Errorf("CHECKPOINT: %q", got)
	}
	if got := b.run("SHOW CHECKPOINTS FOR JOB out"); len(got) == 0 {
		t.Error("there are no checkpoints")
	}
	if got := b.run("SHOW JOBS"); len(got) != 1 || !strings.HasPrefix(got[0], "out|RUNNING|") {
		t.Errorf("SHOW JOBS: %q", got)
	}
	if got := b.run("STOP JOB out"); len(got) != 1 || !strings.HasPrefix(got[0], "job out stopped after checkpoint") {
		t.Errorf("STOP: %q", got)
	}
	if got := b.waitJobs(); !slices.Equal(got, []job.State{job.Stopped}) {
		t.Errorf("states %q", got)
	}
	if got := b.fail("STOP JOB out"); !strings.Contains(got, "job 'out' is not running; its state is STOPPED") {
		t.Errorf("STOP again: %s", got)
	}
	if got := b.fail("STOP JOB oud"); !strings.Contains(got, "unknown job 'oud' (did you mean out?)") {
		t.Errorf("STOP of an unknown job: %s", got)
	}

	b.reopen()
	if got := b.run("SHOW JOBS"); len(got) != 1 || !strings.HasPrefix(got[0], "out|STOPPED|") {
		t.Errorf("SHOW JOBS later: %q", got)
	}
	b.run("RESTORE JOB out FROM LATEST")
	if got := b.waitJobs(); !slices.Equal(got, []job.State{job.Finished}) {
		t.Errorf("states %q", got)
	}
	if got := b.sums(); !slices.Equal(got, []string{"0|250500", "1|250000"}) {
		t.Errorf("sums %q", got)
	}
	if !slices.ContainsFunc(b.notes, func(n string) bool { return strings.Contains(n, "goes on from checkpoint") }) {
		t.Errorf("notes %q", b.notes)
	}
	if got := b.fail("RESTORE JOB out FROM LATEST"); !strings.Contains(got, "had read all its input") {
		t.Errorf("RESTORE of a finished job: %s", got)
	}
}

func TestSavepoints(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("SET 'checkpoint.interval' = '50 ms'; SET 'parallelism' = '2';" + createNumbers)
	b.run(insertSums)
	if got := b.run("CREATE SAVEPOINT 'one' FOR JOB out"); len(got) != 1 || !strings.HasPrefix(got[0], "one|out|") {
		t.Errorf("CREATE SAVEPOINT: %q", got)
	}
	if got := b.run("STOP JOB out WITH SAVEPOINT 'two'"); len(got) != 1 || !strings.HasPrefix(got[0], "two|out|") {
		t.Errorf("STOP WITH SAVEPOINT: %q", got)
	}
	b.run("CREATE SAVEPOINT 'three' FOR JOB out TO 'elsewhere'") // of a job that does not run
	if got := b.run("SHOW SAVEPOINTS LIKE '%e'"); len(got) != 2 || !strings.HasPrefix(got[0], "one|out|") {
		t.Errorf("SHOW SAVEPOINTS: %q", got)
	}
	described := strings.Join(b.run("DESCRIBE SAVEPOINT 'elsewhere'"), "\n")
	for _, want := range []string{"savepoint|job|out", insertSums, "operator|aggregate-1|", "position|scan-1 0|at "} {
		if !strings.Contains(described, want) {
			t.Errorf("DESCRIBE SAVEPOINT lacks %s:\n%s", want, described)
		}
	}
	b.run("VERIFY SAVEPOINT 'two'")
	if got := b.run("RESTORE JOB out FROM SAVEPOINT 'two' DRY RUN"); !slices.Equal(got, []string{
		"scan-1|KEEP|scan, table numbers of datagen",
		"aggregate-1|KEEP|aggregate, key MOD(n, 2) BIGINT, value SUM(n) BIGINT",
		"sink-1|KEEP|sink, table out of filesystem",
	}) {
		t.Errorf("DRY RUN: %q", got)
	}
	for sql, want := range map[string]string{
		"CREATE SAVEPOINT 'one' FOR JOB out":                              "savepoint 'one' exists already",
		"CREATE SAVEPOINT 'a/b' FOR JOB out":                              "'a/b' cannot name a savepoint",
		"CREATE SAVEPOINT 'four' FOR JOB out TO 'elsewhere'":              "exists already",
		"CREATE SAVEPOINT FOR JOB nobody":                                 "unknown job 'nobody'",
		"DESCRIBE SAVEPOINT 'onne'":                                       "there is no savepoint 'onne' and no such directory (did you mean one?)",
		"VERIFY SAVEPOINT '.'":                                            "not a savepoint",
		"DROP SAVEPOINT 'elsewhere'":                                      "is a directory and not the name of a savepoint",
		"RESTORE JOB other FROM SAVEPOINT 'two'":                          "savepoint 'two' is of job 'out'",
		"RESTORE JOB out FROM CHECKPOINT 999":                             "no completed checkpoint 999",
		"RESTORE JOB out FROM SAVEPOINT 'two' WITH ('x' = 'y')":           "unknown setting 'x'",
		"RESTORE JOB out FROM SAVEPOINT 'two' WITH ('on.mismatch' = 'y')": "'on.mismatch' takes 'fail', 'ignore' or 'fresh'",
	} {
		if got := b.fail(sql); !strings.Contains(got, want) {
			t.Errorf("%s: %s", sql, got)
		}
	}
	b.run("DROP SAVEPOINT 'one'; RESTORE JOB out FROM SAVEPOINT 'two' WITH ('parallelism' = '3')")
	b.waitJobs()
	if got := b.sums(); !slices.Equal(got, []string{"0|250500", "1|250000"}) {
		t.Errorf("sums %q", got)
	}
	if got := b.run("SHOW SAVEPOINTS"); len(got) != 2 {
		t.Errorf("after DROP: %q", got)
	}
}

func TestRestoreAsAnotherJob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("SET 'checkpoint.interval' = '50 ms';" + createNumbers + insertSums)
	b.run("CHECKPOINT JOB out; STOP JOB out")
	b.run("RESTORE JOB out FROM LATEST AS copy")
	if got := b.waitJobs(); !slices.Equal(got, []job.State{job.Stopped, job.Finished}) {
		t.Errorf("states %q", got)
	}
	if got := b.run("SHOW JOBS LIKE 'copy'"); len(got) != 1 || !strings.HasPrefix(got[0], "copy|FINISHED") {
		t.Errorf("SHOW JOBS: %q", got)
	}
	if got := b.run("SHOW SAVEPOINTS"); len(got) != 1 || !strings.Contains(got[0], "-for-copy|out|") {
		t.Errorf("SHOW SAVEPOINTS: %q", got)
	}
}

func TestRestoreOfAChangedQuery(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run("SET 'checkpoint.interval' = '50 ms';" + createNumbers + insertSums)
	b.run("STOP JOB out WITH SAVEPOINT 's'")
	changed := "INSERT INTO out SELECT MOD(n, 3), MAX(n) FROM numbers GROUP BY MOD(n, 3)"
	if got := b.fail(changed); !strings.Contains(got, "the query has changed since checkpoint") || !strings.Contains(got, "aggregate-1") {
		t.Errorf("a changed query: %s", got)
	}
	if got := b.fail("RESTORE FROM SAVEPOINT 's' " + changed); !strings.Contains(got, "the query has changed") {
		t.Errorf("RESTORE of a changed query: %s", got)
	}
	b.run("RESTORE FROM SAVEPOINT 's' WITH ('on.mismatch' = 'ignore') " + changed + "; CANCEL JOB out")
	if got := b.waitJobs(); got[len(got)-1] != job.Cancelled {
		t.Errorf("states %q", got)
	}
	b.run("SET 'recovery.fresh' = 'true'; SET 'dml-sync' = 'true'; SET 'pipeline.name' = 'again'; " + insertSums)
	if got := b.run("SHOW JOBS LIKE 'again'"); len(got) != 1 || !strings.HasPrefix(got[0], "again|FINISHED") {
		t.Errorf("SHOW JOBS: %q", got)
	}
}

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	b := newBench(t, "clicks.json", clicks+"nonsense\n{\"who\":\"cy\",\"n\":\"x\"}\n")
	b.run(`CREATE TABLE clicks (who STRING, n INT) WITH ('connector' = 'filesystem', 'path' = 'clicks.json', 'format' = 'json', 'on.error' = 'dead-letter');
		CREATE TABLE hole (who STRING, n INT) WITH ('connector' = 'blackhole'); INSERT INTO hole SELECT who, n FROM clicks`)
	b.waitJobs()
	got := b.run("SELECT place, field FROM `clicks$errors` ORDER BY place")
	if len(got) != 2 || !strings.Contains(got[0], "clicks.json:4|(null)") || !strings.Contains(got[1], "clicks.json:5|n") {
		t.Errorf("errors %q", got)
	}
	if got := b.run("SHOW JOBS"); !strings.Contains(got[0], "|3|3|0|2|") {
		t.Errorf("SHOW JOBS: %q", got)
	}
	b.run("DROP TABLE clicks")
	b.want("SHOW TABLES", "hole|blackhole|true")
}

func TestStatementSet(t *testing.T) {
	t.Parallel()
	b := newBench(t, "clicks.json", clicks)
	b.run(createClicks + `SET 'dml-sync' = 'true';
		CREATE TABLE a (who STRING) WITH ('connector' = 'filesystem', 'path' = 'a', 'format' = 'json');
		CREATE TABLE b (n INT) WITH ('connector' = 'filesystem', 'path' = 'b', 'format' = 'json');
		EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT who FROM clicks; INSERT INTO b SELECT n FROM clicks; END`)
	b.want("SELECT COUNT(*) FROM a", "3")
	b.want("SELECT SUM(n) FROM b", "8")
	if got := b.run("SHOW JOBS"); len(got) != 1 {
		t.Errorf("SHOW JOBS: %q", got)
	}
}

func TestErrorsHaveTheirPlace(t *testing.T) {
	b := newBench(t)
	_, err := run(b.session, "SELECT 1;\nSELECT 1 +\n  nope;")
	var at *parser.Error
	if !errors.As(err, &at) || at.Line != 3 || at.Col != 3 || at.File != "test" {
		t.Errorf("%v", err)
	}
	_, err = run(b.session, "SELEC 1; SELECT 2; SELEC 3")
	if joined := fmt.Sprint(err); strings.Count(joined, "unexpected") != 2 {
		t.Errorf("%v", err)
	}
}
