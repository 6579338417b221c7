package repl

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	_ "streamsql/connector/all"
	"streamsql/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// output is what a program writes, which may come from several goroutines.
type output struct {
	mu sync.Mutex
	b  strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// await waits until the output has a text in it.
func (o *output) await(t *testing.T, text string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(o.String(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q does not come; there is %q", text, o.String())
		}
	}
}

func testOptions(t *testing.T, format Format) (o Options, out, notes *output) {
	dir := t.TempDir()
	out, notes = &output{}, &output{}
	return Options{DataDir: filepath.Join(dir, "data"), Dir: dir, Format: format, Out: out, Err: notes}, out, notes
}

func texts(sql ...string) []session.Source {
	sources := make([]session.Source, len(sql))
	for i, s := range sql {
		sources[i] = session.Source{Text: s}
	}
	return sources
}

func TestRunStatus(t *testing.T) {
	cases := []struct {
		name, out, notes string
		sql              []string
		status           int
	}{
		{"rows", "x\n1\n2\n", "", []string{"SELECT 1 AS x UNION ALL SELECT 2 ORDER BY x"}, ExitOK},
		{"two texts", "x\n1\ny\n2\n", "", []string{"SELECT 1 AS x", "SELECT 2 AS y"}, ExitOK},
		{"first fails", "", "error: unknown column 'nope'", []string{"SELECT nope", "SELECT 2 AS y"}, ExitFailed},
		{"no statement", "", "", []string{" -- nothing\n;;"}, ExitOK},
		{"syntax", "", "unexpected 'FORM'", []string{"SELECT 1 AS x; SELECT a FORM t"}, ExitFailed},
		{
			"job", "", "job hole finished: 2 rows in, 2 rows out",
			[]string{"CREATE TABLE hole (n INT) WITH ('connector' = 'blackhole'); INSERT INTO hole VALUES (1), (2)"},
			ExitOK,
		},
		{"text", "", "", nil, ExitOK},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o, out, notes := testOptions(t, CSV)
			if got := Run(o, texts(c.sql...)); got != c.status {
				t.Errorf("status %d, want %d: %s", got, c.status, notes)
			}
			if out.String() != c.out || !strings.Contains(notes.String(), c.notes) {
				t.Errorf("out %q\nnotes %q", out, notes)
			}
		})
	}
}

const endless = "CREATE TABLE n (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000'); "

func interruptMyself(t *testing.T) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

func TestInterruptedQuery(t *testing.T) {
	o, out, notes := testOptions(t, JSON)
	status := make(chan int)
	go func() { status <- Run(o, texts(endless+"SELECT n FROM n", "SELECT 'later'")) }()
	out.await(t, `{"n":`)
	interruptMyself(t)
	if got := <-status; got != ExitInterrupted || strings.Contains(out.String(), "later") || notes.String() != "" {
		t.Errorf("status %d, notes %q", got, notes)
	}
}

func TestInterruptedJob(t *testing.T) {
	o, _, notes := testOptions(t, JSON)
	status := make(chan int)
	go func() {
		status <- Run(o, texts(endless+"CREATE TABLE hole (n BIGINT) WITH ('connector' = 'blackhole'); INSERT INTO hole SELECT n FROM n"))
	}()
	notes.await(t, "job hole started")
	interruptMyself(t)
	if got := <-status; got != ExitInterrupted {
		t.Errorf("status %d", got)
	}
	notes.await(t, "job hole takes a last checkpoint")
	notes.await(t, "job hole stopped")
}

func TestQuiet(t *testing.T) {
	o, _, notes := testOptions(t, JSON)
	o.Quiet = true
	got := Run(o, texts("CREATE TABLE hole (n INT) WITH ('connector' = 'blackhole'); INSERT INTO hole VALUES (1); SELECT nope"))
	if text := notes.String(); got != ExitFailed || !strings.HasPrefix(text, "error: unknown column") {
		t.Errorf("status %d, notes %q", got, text)
	}
}

func TestNobodyReads(t *testing.T) {
	o, _, notes := testOptions(t, JSON)
	reader, writer := io.Pipe()
	o.Out = writer
	status := make(chan int)
	go func() { status <- Run(o, texts(endless+"SELECT n FROM n")) }()
	if _, err := reader.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	reader.Close()
	if got := <-status; got != ExitOK || notes.String() != "" {
		t.Errorf("status %d, notes %q", got, notes)
	}
}

func TestPipedStatements(t *testing.T) {
	o, out, notes := testOptions(t, CSV)
	reader, writer := io.Pipe()
	o.In = reader
	status := make(chan int)
	go func() { status <- Shell(o) }()
	send := func(text string) {
		if _, err := io.WriteString(writer, text); err != nil {
			t.Error(err)
		}
	}
	send("CREATE VIEW v AS -- a view;\n SELECT 1 AS x;\nSELECT x\n")
	send("  FROM v;\n")
	out.await(t, "x\n1\n") // it does not wait for the end of the input
	send("SELECT 2 AS y")  // and the last statement needs no semicolon
	writer.Close()
	if got := <-status; got != ExitOK || out.String() != "x\n1\ny\n2\n" || notes.String() != "" {
		t.Errorf("status %d, out %q, notes %q", got, out, notes)
	}
	o.In = strings.NewReader("SELECT x FROM v; SELECT 'open\n") // the view is still there
	if got := Shell(o); got != ExitFailed || !strings.Contains(notes.String(), "unterminated string") {
		t.Errorf("status %d, notes %q", got, notes)
	}
}

func TestEndlessResultIsExplained(t *testing.T) {
	o, _, notes := testOptions(t, CSV)
	status := make(chan int)
	go func() { status <- Run(o, texts(endless+"SELECT COUNT(*) FROM n")) }()
	notes.await(t, "--format changelog")
	interruptMyself(t)
	if got := <-status; got != ExitInterrupted {
		t.Errorf("status %d", got)
	}
}

func TestStatusLine(t *testing.T) {
	if got := count(1234567); got != "1,234,567" {
		t.Error(got)
	}
	if got := count(999); got != "999" {
		t.Error(got)
	}
	if got := statusLine(nil); got != "" {
		t.Error(got)
	}
}

func TestHelpListsEveryStatement(t *testing.T) {
	text := help()
	for _, want := range []string{"SELECT", "INSERT INTO", "CREATE [TEMPORARY] TABLE", "RESTORE JOB", "SHOW SAVEPOINTS", "quit"} {
		if !strings.Contains(text, want) {
			t.Errorf("help lacks %s:\n%s", want, text)
		}
	}
}
