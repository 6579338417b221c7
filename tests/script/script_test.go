// Package script tests the program as its users run it: each file of testdata is a session at a command line.
package script

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	_ "streamsql/connector/all" // what the program is made of: a change runs the tests anew
	_ "streamsql/repl"
)

// bin is the directory of the program under test.
var bin string

func TestMain(m *testing.M) {
	os.Exit(build(m))
}

// build builds the program, runs the tests and cleans up.
func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "streamsql-script")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "streamsql"), "streamsql/cmd/streamsql")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building streamsql:", err)
		return 1
	}
	bin = dir
	return m.Run()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "await": await,
		},
	})
}

// status runs a command that must end with the given exit status: status 2 streamsql --wrong.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status n command [args...]")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// awaitTimeout is how long a file may take to appear.
const awaitTimeout = 20 * time.Second

// await waits until some file matches a regular expression: await 'out/[^.]*' 'total.:12'. Files that are not committed yet have a
// point before their name.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: await glob regexp")
	}
	pattern := regexp.MustCompile("(?m)" + args[1])
	for end := time.Now().Add(awaitTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		files, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil && pattern.Match(data) {
				return
			}
		}
	}
	ts.Fatalf("no file %s matches %s", args[0], args[1])
}
