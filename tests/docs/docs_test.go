// Package docs runs the documentation: every SQL statement, every command and every generated table of the project's Markdown files
// must still be true.
//
// Each document has a directory of its own, with a copy of the examples, in which its fenced blocks are worked off in order:
//
//	```json file=clicks.json     a file (any language)
//	```sql                       statements, piped into streamsql; tables live on to the document's next blocks
//	```console                   commands behind "$ ", each followed by what it prints
//	```text                      what the sql block before it prints
//
// All other blocks are only read. In expected output "…" stands for any text within a line, and a line that is just "…" for any
// lines. With -rewrite, output that does not match and generated tables are written anew.
package docs

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write outputs and generated tables of the documents anew")

// root is the directory of the project.
const root = "../.."

// bin is the directory of the program under test.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(build(m))
}

// build builds the program, runs the tests and cleans up.
func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "streamsql-docs")
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

// documents lists the Markdown files of the project.
func documents(t *testing.T) (paths []string) {
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case !e.IsDir() && filepath.Ext(path) == ".md":
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("there are no documents")
	}
	return paths
}

// name is a path as seen from the project's directory.
func name(path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// forEach runs a subtest for every document.
func forEach(t *testing.T, run func(*testing.T, *document)) {
	for _, path := range documents(t) {
		t.Run(name(path), func(t *testing.T) {
			d := readDocument(t, path)
			run(t, d)
			d.save(t)
		})
	}
}

// TestBlocks runs the blocks of every document.
func TestBlocks(t *testing.T) {
	forEach(t, func(t *testing.T, d *document) {
		t.Parallel()
		w := newWorld(t)
		for i := range d.blocks {
			w.work(t, d, i)
		}
	})
}

// TestGenerated compares the generated parts of every document with what they are generated from.
func TestGenerated(t *testing.T) {
	written := map[string]bool{}
	forEach(t, func(t *testing.T, d *document) {
		for _, g := range d.generated {
			written[g.subject] = true
			want, err := generate(g.subject)
			if err != nil {
				t.Fatalf("%s:%d: %v", name(d.path), g.first, err)
			}
			d.check(t, g.section, want, d.text(g.section) == want)
		}
	})
	for _, subject := range subjects() {
		if !written[subject] {
			t.Errorf("no document has the generated part '%s'", subject)
		}
	}
}
