package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// world is the directory in which the blocks of a document run.
type world struct{ dir string }

func newWorld(t *testing.T) *world {
	w := &world{t.TempDir()}
	if err := os.CopyFS(filepath.Join(w.dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	return w
}

// work does what a block of the document asks for.
func (w *world) work(t *testing.T, d *document, i int) {
	b := d.blocks[i]
	switch {
	case b.file != "":
		w.write(t, b.file, d.text(b.section))
	case b.language == "sql":
		w.statements(t, d, i)
	case b.language == "console":
		w.console(t, d, b)
	}
}

func (w *world) write(t *testing.T, file, text string) {
	path := filepath.Join(w.dir, file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// statements pipes the statements of a block into the program. What they print must be what the next block says, if that is text.
// They may only fail if it says so.
func (w *world) statements(t *testing.T, d *document, i int) {
	cmd := exec.Command(filepath.Join(bin, "streamsql"), "--quiet")
	cmd.Stdin = strings.NewReader(d.text(d.blocks[i].section))
	out, failure := w.run(cmd)
	expected := ""
	if i+1 < len(d.blocks) && d.blocks[i+1].language == "text" {
		next := d.blocks[i+1].section
		expected = d.text(next)
		d.check(t, next, out, matches(expected, out))
	}
	if failure != nil && !speaksOfError(expected) && !*rewrite {
		t.Errorf("%s:%d: %v\n%s", name(d.path), d.blocks[i].first, failure, out)
	}
}

// run runs a command in the world and returns all that it prints.
func (w *world) run(cmd *exec.Cmd) (string, error) {
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "TZ=UTC", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// speaksOfError tells whether the reader of an output is prepared for a failure.
func speaksOfError(output string) bool { return strings.Contains(output, "error:") }

// command is one command of a console block with the section of its output.
type command struct {
	text   string
	output section
}

const (
	promptMark   = "$ "
	continueMark = "> "
	goRun        = "go run ./cmd/streamsql"
)

// commands takes a console block apart.
func commands(d *document, b block) (all []command) {
	for i := b.first; i < b.end; i++ {
		line := d.lines[i]
		if text, ok := strings.CutPrefix(line, promptMark); ok {
			all = append(all, command{strings.ReplaceAll(text, goRun, "streamsql"), section{i + 1, i + 1}})
			continue
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		if text, ok := strings.CutPrefix(line, continueMark); ok && last.output.first == last.output.end {
			last.text += "\n" + text
			last.output = section{i + 1, i + 1}
			continue
		}
		last.output.end = i + 1
	}
	return all
}

// console runs the commands of a block in one shell and compares what each of them prints.
func (w *world) console(t *testing.T, d *document, b block) {
	all := commands(d, b)
	var script strings.Builder
	script.WriteString("exec 2>&1\n")
	for _, c := range all {
		fmt.Fprintf(&script, "%s\nprintf '\\036%%d\\036' $?\n", c.text)
	}
	out, _ := w.run(exec.Command("sh", "-c", script.String()))
	parts := strings.Split(out, "\x1e")
	for i, c := range all {
		if 2*i+1 >= len(parts) {
			t.Fatalf("%s:%d: the shell has ended early:\n%s", name(d.path), b.first, out)
		}
		expected := d.text(c.output)
		d.check(t, c.output, parts[2*i], matches(expected, parts[2*i]))
		if status, _ := strconv.Atoi(parts[2*i+1]); status != 0 && !speaksOfError(expected) && !*rewrite {
			t.Errorf("%s:%d: exit status %d\n%s", name(d.path), c.output.first, status, parts[2*i])
		}
	}
}

// gap is the wildcard in expected output.
const gap = "…"

// matches compares output with what is expected.
func matches(expected, got string) bool {
	if expected == got {
		return true
	}
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for line := range strings.Lines(expected) {
		if strings.TrimSpace(line) == gap {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		for i, part := range strings.Split(line, gap) {
			if i > 0 {
				pattern.WriteString(`.*`)
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
	}
	pattern.WriteString(`\z`)
	return regexp.MustCompile(pattern.String()).MatchString(got)
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		expected, got string
		want          bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"took … ms\n", "took 12 ms\n", true},
		{"took … ms\n", "took 12\nor 13 ms\n", false},
		{"a\n…\nz\n", "a\nb\nc\nz\n", true},
		{"a\n…\nz\n", "a\nz\n", true},
		{"a\n…\nz\n", "a\nb\n", false},
		{"a.c\n", "abc\n", false},
		{"a…\n", "a\nb\n", false},
		{"", "a\n", false},
	} {
		if got := matches(c.expected, c.got); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.expected, c.got, got)
		}
	}
}

func TestCommands(t *testing.T) {
	d, err := parseDocument("a.md", "```console\n$ go run ./cmd/streamsql -e 'SELECT\n>  1'\n1\n$ true\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	all := commands(d, d.blocks[0])
	if len(all) != 2 || all[0].text != "streamsql -e 'SELECT\n 1'" || d.text(all[0].output) != "1\n" || all[1].text != "true" || d.text(all[1].output) != "" {
		t.Errorf("commands are %+v", all)
	}
}
