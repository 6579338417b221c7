// Package messages keeps what users are told when a statement cannot be run.
//
// Each file of testdata is a list of cases:
//
//	=== name
//	statements, of which the last one fails
//	---- message
//	what is printed, as its Detail
//	---- as told
//	the statements again, with what the message says to do; they run
//
// Long statements are written shortly: «3×ab» is ababab. The last part may be missing. Beside it, every hint that names other words
// (did you mean X?, missing comma before X?, …) is applied to the text, which must run then. With -rewrite the messages are written anew.
package messages

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	// Messages list these; other connectors and formats do not change them.
	_ "streamsql/connector/blackhole"
	_ "streamsql/connector/datagen"
	_ "streamsql/connector/file"
	_ "streamsql/connector/format/csv"
	_ "streamsql/connector/format/json"
	_ "streamsql/connector/print"
	"streamsql/parser"
	"streamsql/session"
)

var rewrite = flag.Bool("rewrite", false, "write the messages anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	caseMark    = "=== "
	messageMark = "---- message\n"
	fixedMark   = "---- as told\n"
)

// dataDir is the engine's data directory, inDirectory finds it in a message, and inTemporary finds where other files are.
const dataDir = "data"

var (
	inDirectory = regexp.MustCompile(`\S+/` + dataDir + `\b`)
	inTemporary = regexp.MustCompile(`/\S+/TestMessages[^/]+/\d+/`)
)

// message is one case.
type message struct {
	name, statements, want, fixed string
}

// tables are there for every case.
const tables = `
CREATE TABLE bid (auction BIGINT, bidder BIGINT, price BIGINT, url STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
WITH ('connector' = 'datagen');
CREATE TABLE person (id BIGINT, name STRING, born DATE, tags ARRAY<STRING>) WITH ('connector' = 'filesystem', 'path' = 'person.json', 'format' = 'json');
CREATE TABLE totals (auction BIGINT, total BIGINT) WITH ('connector' = 'filesystem', 'path' = 'totals.json', 'format' = 'json');
CREATE TABLE nowhere (auction BIGINT, url STRING NOT NULL) WITH ('connector' = 'blackhole');
CREATE VIEW dear AS SELECT auction, price FROM bid WHERE price > 1000;
CREATE FUNCTION double_of(x BIGINT) RETURNS BIGINT RETURN x * 2;
`

func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			head, cases := read(t, file)
			for i := range cases {
				t.Run(cases[i].name, cases[i].test)
			}
			if *rewrite {
				write(t, file, head, cases)
			}
		})
	}
}

func (m *message) test(t *testing.T) {
	err := run(t, m.statements)
	if err == nil {
		t.Fatalf("no error from\n%s", m.statements)
	}
	got := inTemporary.ReplaceAllString(inDirectory.ReplaceAllString(detail(err), dataDir), "") + "\n"
	if got != m.want && !*rewrite {
		t.Errorf("got\n%swant\n%s", got, m.want)
	}
	m.want = got
	checkForm(t, got)
	for _, text := range corrections(err) {
		if err := run(t, text); err != nil {
			t.Errorf("what the message says to write leads to another one:\n%s\n%s", got, detail(err))
		}
	}
	if m.fixed != "" {
		if err := run(t, m.fixed); err != nil {
			t.Errorf("as told, it fails with\n%s", detail(err))
		}
	}
}

// run executes statements in an engine of their own and returns the error they end with. Results are not read.
func run(t *testing.T, statements string) error {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "person.json"), []byte(`{"id":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	e := session.NewEngine(filepath.Join(dir, dataDir))
	defer func() { _ = e.Close(t.Context()) }() // jobs that have failed have told so
	s := e.NewSession(session.Options{Dir: dir})
	defer s.Close()
	for _, src := range []session.Source{{Text: tables}, {Name: "q.sql", Text: strings.TrimSuffix(expand(statements), "\n")}} {
		for _, err := range s.Execute(t.Context(), src) {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// expand writes out repetitions: «3×ab» is ababab.
func expand(text string) string {
	return repetition.ReplaceAllStringFunc(text, func(r string) string {
		m := repetition.FindStringSubmatch(r)
		n, _ := strconv.Atoi(m[1]) // digits, by the pattern
		return strings.Repeat(m[2], n)
	})
}

var repetition = regexp.MustCompile(`«(\d+)×([^»]*)»`)

// detail is an error as the program prints it.
func detail(err error) string {
	if placed := placedError(err); placed != nil {
		return placed.Detail()
	}
	return "error: " + err.Error()
}

func placedError(err error) *parser.Error {
	var placed *parser.Error
	errors.As(err, &placed)
	return placed
}

// checkForm checks what no message may be.
func checkForm(t *testing.T, text string) {
	first, _, _ := strings.Cut(text, "\n")
	if len(first) > 200 || strings.HasSuffix(first, ".") || strings.HasSuffix(first, ": ") {
		t.Errorf("this is no first line of a message: %s", first)
	}
	for _, bad := range []string{"%!", "bug", "<nil>", "*parser.", "*arrow.", "int64", "utf8", "planner:", "internal error"} {
		if strings.Contains(text, bad) {
			t.Errorf("a message speaks of %q:\n%s", bad, text)
		}
	}
	if !strings.Contains(text, "\n  --> q.sql:") {
		t.Errorf("a message names no place:\n%s", text)
	}
}

// read takes a file apart.
func read(t *testing.T, file string) (head string, cases []message) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split("\n"+string(text), "\n"+caseMark)
	for _, part := range parts[1:] {
		var m message
		m.name, part, _ = strings.Cut(strings.TrimSuffix(part, "\n")+"\n", "\n")
		m.statements, part, _ = strings.Cut(part, messageMark)
		m.want, m.fixed, _ = strings.Cut(part, fixedMark)
		cases = append(cases, m)
	}
	return strings.TrimPrefix(parts[0], "\n"), cases
}

func write(t *testing.T, file, head string, cases []message) {
	var b strings.Builder
	b.WriteString(head + "\n")
	for _, m := range cases {
		fmt.Fprintf(&b, "%s%s\n%s%s%s", caseMark, m.name, m.statements, messageMark, m.want)
		if m.fixed != "" {
			b.WriteString(fixedMark + m.fixed)
		}
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
