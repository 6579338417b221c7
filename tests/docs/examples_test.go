package docs

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples wants every example to be run by the examples' README.
func TestExamples(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(root, "examples", "*", "*.sql"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("there are no examples: %v", err)
	}
	d := readDocument(t, filepath.Join(root, "examples", "README.md"))
	for _, script := range scripts {
		ran := false
		for _, b := range d.blocks {
			if b.language != "console" {
				continue
			}
			for _, c := range commands(d, b) {
				ran = ran || strings.Contains(c.text, "run "+name(script))
			}
		}
		if !ran {
			t.Errorf("examples/README.md does not run %s", name(script))
		}
	}
}
