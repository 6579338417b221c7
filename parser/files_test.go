package parser

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// written is a text of statements from somewhere in the project.
type written struct {
	name, text string
	bad        bool // it may be wrong, since the test or the page is about that
}

// writtenTexts finds the statements of the SQL tests, the scripts, the examples and the documents.
func writtenTexts(t *testing.T) (texts []written) {
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || path == "parser") {
				return fs.SkipDir
			}
			return err
		}
		switch filepath.Ext(path) {
		case ".sql", ".txtar", ".md", ".test":
		default:
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".sql":
			texts = append(texts, sectionsOf(path, string(text))...)
		case ".txtar":
			texts = append(texts, scriptsOf(path, txtar.Parse(text))...)
		case ".md":
			texts = append(texts, blocksOf(path, string(text))...)
		case ".test":
			texts = append(texts, casesOf(path, string(text))...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// sectionsOf takes a file apart at its headings (=== heading); most have none.
func sectionsOf(path, text string) (texts []written) {
	for i, part := range strings.Split("\n"+text, "\n=== ") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "\n")
		}
		texts = append(texts, written{name: path, text: part})
	}
	return texts
}

// scriptsOf are the statements in an archive. One that says what goes wrong, or that is run by commands, may be wrong.
func scriptsOf(path string, a *txtar.Archive) (texts []written) {
	fails := len(strings.TrimSpace(string(a.Comment))) > 0 && strings.Contains(string(a.Comment), "streamsql")
	for _, f := range a.Files {
		fails = fails || f.Name == "error"
	}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".sql") {
			texts = append(texts, written{path + "/" + f.Name, string(f.Data), fails})
		}
	}
	return texts
}

// blocksOf are the SQL blocks of a Markdown text. One before an error message may be wrong.
func blocksOf(path, text string) (texts []written) {
	const fence = "```"
	parts := strings.Split("\n"+text, "\n"+fence)
	for i := 1; i+1 < len(parts); i += 2 {
		kind, block, _ := strings.Cut(parts[i], "\n")
		if kind == "sql" || strings.HasPrefix(kind, "sql ") {
			next := strings.Join(parts[i+1:min(i+3, len(parts))], "\n")
			texts = append(texts, written{path, block, strings.Contains(next, "error:")})
		}
	}
	return texts
}

// casesOf are the statements of a golden file of the planner.
func casesOf(path, text string) (texts []written) {
	for _, block := range strings.Split(text, "\n\n") {
		if head, want, isCase := strings.Cut(block, "\n----\n"); isCase {
			_, statements, _ := strings.Cut(strings.TrimSpace(head), "\n")
			texts = append(texts, written{path, statements, strings.HasPrefix(want, "error:")})
		}
	}
	return texts
}

// TestFilesRoundTrip: every statement written down anywhere in the project parses, and what is printed of it parses to the same tree.
func TestFilesRoundTrip(t *testing.T) {
	statements := 0
	for _, w := range writtenTexts(t) {
		t.Run(w.name, func(t *testing.T) {
			stmts, err := Parse(w.name, w.text)
			if err != nil && !w.bad {
				t.Fatalf("%s\nin %s", details(err), w.text)
			}
			for _, s := range stmts {
				checkRoundTrip(t, s)
			}
			statements += len(stmts)
		})
	}
	if statements < 1000 {
		t.Errorf("only %d statements were found", statements)
	}
}
