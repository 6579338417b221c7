package docs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"streamsql/session"
)

func init() {
	generators["functions with OVER"] = func() string { return functionsOf("over") }
	generators["functions of windows and tables"] = func() string { return functionsOf("window", "grouping", "table") }
}

// functionsOf lists the functions of some kinds that have a meaning in queries alone.
func functionsOf(kinds ...string) string {
	t := newTable("call", "what it gives", "example")
	for _, f := range session.Functions() {
		if slices.Contains(kinds, f.Kind) {
			t.row(strings.Join(codesOf(f.Syntax), "<br>"), f.Doc, code(f.Example))
		}
	}
	return t.String()
}

func codesOf(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, code(text))
	}
	return all
}

// TestFunctionsAreListed wants every function in the list of functions.
func TestFunctionsAreListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "functions.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range session.Functions() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			written := strings.ReplaceAll(name, "|", `\|`)
			if !strings.Contains(string(text), "`"+written+"`") && !strings.Contains(string(text), "`"+written+"(") &&
				!strings.Contains(string(text), "("+written+"(") {
				t.Errorf("docs/functions.md lacks %s", name)
			}
		}
	}
}
