package oracle

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/rogpeppe/go-internal/txtar"

	"streamsql/parser"
	"streamsql/session"
)

// explained is what EXPLAIN is asked for.
var explained = []parser.ExplainDetail{
	parser.ExplainLogical, parser.ExplainPhysical, parser.ExplainChangelog, parser.ExplainState, parser.ExplainGuarantee, parser.ExplainAdvice,
	parser.ExplainJSON,
}

// TestStatementsLeaveNothing has ten thousand statements of every kind parsed, bound and explained in one engine, good ones and bad
// ones. Afterwards there are no more goroutines, no Arrow memory is held, and the heap is as large as it was after the first of them.
func TestStatementsLeaveNothing(t *testing.T) {
	scripts := preparedScripts(t)
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	e := session.NewEngine(filepath.Join(t.TempDir(), "data"))
	defer func() { _ = e.Close(context.Background()) }()
	round := func() (statements int) {
		for _, s := range scripts {
			statements += s.explain(t, e, mem)
		}
		return statements
	}
	once := round()
	goroutines, before := runtime.NumGoroutine(), heap()
	total := once
	for total < 10_000 {
		total += round()
	}
	mem.AssertSize(t, 0)
	if n, _ := settled(); n > goroutines {
		t.Errorf("%d goroutines became %d", goroutines, n)
	}
	const noise = 1 << 20
	if after := heap(); after > before+noise {
		t.Errorf("the heap grew from %d to %d bytes by %d statements", before, after, total-once)
	}
}

// heap is what is in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers have let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// preparedScript is a script of the SQL tests with its input files.
type preparedScript struct{ dir, text string }

func preparedScripts(t *testing.T) (scripts []preparedScript) {
	paths, err := filepath.Glob("../sql/*/*.txtar")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d scripts: %v", len(paths), err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := preparedScript{dir: t.TempDir()}
		for _, f := range a.Files {
			if f.Name == "test.sql" {
				s.text = string(f.Data)
				continue
			}
			file := filepath.Join(s.dir, f.Name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, f.Data, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		scripts = append(scripts, s)
	}
	return append(scripts, corpusScripts(t)...)
}

// corpusScripts are the statements of the parser's tests: each form there is, and each error.
func corpusScripts(t *testing.T) (scripts []preparedScript) {
	dir := t.TempDir()
	for _, name := range []string{"statements.txt", "dialect.txt"} {
		text, err := os.ReadFile(filepath.Join("../../parser/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
			_, statements, _ := strings.Cut(part, "\n")
			scripts = append(scripts, preparedScript{dir, statements})
		}
	}
	return scripts
}

// explain executes the definitions of a script, and explains what would read or write rows. It returns the number of statements.
func (p preparedScript) explain(t *testing.T, e *session.Engine, mem memory.Allocator) int {
	s := e.NewSession(session.Options{Dir: p.dir, Alloc: mem})
	defer s.Close()
	trees, err := parser.Parse("test.sql", p.text)
	if err != nil {
		return 1
	}
	for _, tree := range trees {
		text := tree.At().Slice(p.text)
		if table, ok := tree.(*parser.CreateTable); ok && table.As == nil {
			drain(t, s, text)
			continue
		}
		switch tree.(type) {
		case *parser.QueryStmt, *parser.Insert, *parser.StatementSet, *parser.CreateTable:
			text = parser.Format(&parser.Explain{Details: explained, Stmt: tree})
		}
		drain(t, s, text)
	}
	return len(trees)
}

// drain executes statements and reads their results.
func drain(t *testing.T, s *session.Session, text string) {
	for result, err := range s.Execute(t.Context(), session.Source{Text: text}) {
		if err != nil || result.Rows == nil {
			continue
		}
		for b, err := range result.Rows.All(t.Context()) {
			if err == nil {
				b.Release()
			}
		}
	}
}
