package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// path is a path of the project set as code: one with a slash, or a Go file.
	path    = regexp.MustCompile("`([a-z.][a-zA-Z0-9_*./-]*)`")
	heading = regexp.MustCompile(`^#+ (.*)`)
	span    = regexp.MustCompile("`[^`]*`")
)

// TestLinks wants the target of every relative link to be there, heading included.
func TestLinks(t *testing.T) {
	forEach(t, func(t *testing.T, d *document) {
		for i, line := range d.prose() {
			for _, m := range link.FindAllStringSubmatch(span.ReplaceAllString(line, "``"), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				file, anchor, _ := strings.Cut(m[1], "#")
				target := d.path
				if file != "" {
					target = filepath.Join(filepath.Dir(d.path), file)
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s:%d: there is no %s", name(d.path), i+1, m[1])
				} else if anchor != "" && !hasHeading(t, target, anchor) {
					t.Errorf("%s:%d: %s has no heading #%s", name(d.path), i+1, file, anchor)
				}
			}
		}
	})
}

// prose is the document's lines, with those of blocks left empty.
func (d *document) prose() []string {
	lines := append([]string(nil), d.lines...)
	for _, b := range d.blocks {
		clear(lines[b.first-1 : b.end+1])
	}
	return lines
}

func hasHeading(t *testing.T, path, anchor string) bool {
	for _, line := range readDocument(t, path).prose() {
		if m := heading.FindStringSubmatch(line); m != nil && anchorOf(m[1]) == anchor {
			return true
		}
	}
	return false
}

// anchorOf is the name that GitHub gives a heading.
func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// TestPaths wants the folders and files that documents for programmers speak of to be there.
func TestPaths(t *testing.T) {
	checked := 0
	for _, file := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		d := readDocument(t, filepath.Join(root, file))
		for i, line := range d.prose() {
			for _, m := range path.FindAllStringSubmatch(line, -1) {
				if !isPath(m[1]) {
					continue
				}
				checked++
				pattern := strings.ReplaceAll(m[1], "**/", "*/")
				if found, err := filepath.Glob(filepath.Join(root, pattern)); err != nil || len(found) == 0 {
					t.Errorf("%s:%d: there is no %s", file, i+1, m[1])
				}
			}
		}
	}
	if checked == 0 {
		t.Error("the documents speak of no file")
	}
}

// isPath tells a path of the project from other code: its first part is a folder of the project, or it is a file in one.
func isPath(text string) bool {
	first, _, found := strings.Cut(text, "/")
	if !found {
		return false
	}
	info, err := os.Stat(filepath.Join(root, first))
	return err == nil && info.IsDir()
}
