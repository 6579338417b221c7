// Package layers checks that every package imports only what lies below it in the architecture.
package layers

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// module is the path that imports within the project start with.
const module = "streamsql/"

// layer gives each package, by the longest matching prefix, its height. A package may import packages of a lower height, or of
// the same folder tree; peers of equal height are strangers.
var layer = map[string]int{
	"cmd": 7, "repl": 6, "server": 6, "session": 5, "job": 4, "planner": 3, "exec": 3,
	"plan": 2, "catalog": 2, "connector": 1, "connector/all": 2, "connector/format": 2, "connector/file": 2, "connector/datagen": 2,
	"connector/print": 2, "connector/blackhole": 2,
	"exec/expr": 1, "exec/agg": 1, "exec/window": 1, "exec/analytic": 1, "parser": 1,
	"exec/vec": 0, "exec/state": 0, "checkpoint": 0, "storage": -1, "internal": -2,
}

// allowed are imports between peers that the architecture wants.
var allowed = map[string]bool{
	"exec/state -> exec/vec":               true, // keyed state holds rows of batches
	"connector/file -> connector/format":   true,
	"connector/print -> connector/format":  true,
	"connector/all -> connector/file":      true,
	"connector/all -> connector/datagen":   true,
	"connector/all -> connector/print":     true,
	"connector/all -> connector/blackhole": true,
	"connector/all -> connector/format":    true,
}

// forbidden are imports that the heights would allow and the design does not.
var forbidden = []struct{ from, to string }{
	{"planner", "exec/state"},
	{"checkpoint", "exec"},
	{"parser", "exec"},
	{"parser", "catalog"},
	{"parser", "connector"},
	{"exec/expr", "storage"},
	{"exec/agg", "storage"},
	{"exec/window", "storage"},
	{"exec/state", "storage"},
	{"exec/expr", "checkpoint"},
	{"exec/agg", "checkpoint"},
	{"exec/window", "checkpoint"},
	{"exec/state", "checkpoint"},
}

func TestImportsPointDownwards(t *testing.T) {
	seen := 0
	forEachFile(t, "../..", func(pkg, imported, file string) {
		seen++
		for _, f := range forbidden {
			if under(pkg, f.from) && under(imported, f.to) {
				t.Errorf("%s: %s must not import %s", file, pkg, imported)
			}
		}
		from, fromHeight, ok := height(pkg)
		if !ok {
			t.Errorf("%s: package %s has no layer", file, pkg)
			return
		}
		to, toHeight, ok := height(imported)
		if !ok {
			t.Errorf("%s: package %s has no layer", file, imported)
			return
		}
		if from == to || toHeight < fromHeight || allowed[from+" -> "+to] {
			return
		}
		t.Errorf("%s: %s (layer %d) imports %s (layer %d)", file, pkg, fromHeight, imported, toHeight)
	})
	if seen < 100 {
		t.Errorf("only %d imports found: the test looks in the wrong place", seen)
	}
}

// forEachFile calls f for each import of one of the project's packages by a file that is not a test.
func forEachFile(t *testing.T, root string, f func(pkg, imported, file string)) {
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "bench" || d.Name() == "tools" || d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, _ := filepath.Rel(root, name)
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range parsed.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			if own, ok := strings.CutPrefix(p, module); ok {
				f(path.Dir(filepath.ToSlash(rel)), own, rel)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// height finds the layer of a package and the prefix that decides it.
func height(pkg string) (prefix string, h int, ok bool) {
	for p := pkg; p != "."; p = path.Dir(p) {
		if h, ok := layer[p]; ok {
			return p, h, true
		}
	}
	if strings.HasPrefix(pkg, "tests") || strings.HasPrefix(pkg, "examples") {
		return pkg, 8, true
	}
	return "", 0, false
}

func under(pkg, prefix string) bool { return pkg == prefix || strings.HasPrefix(pkg, prefix+"/") }
