package docs

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// document is a Markdown file, by lines.
type document struct {
	path      string
	lines     []string
	blocks    []block
	generated []generated
	changes   []change
}

// section is the lines from first on, up to but not including end; lines are counted from 0.
type section struct{ first, end int }

// block is a fenced block; its section is what is between the fences.
type block struct {
	section
	language string
	file     string // file=… behind the language
}

// generated is a part between the comments <!-- generated: subject --> and <!-- end -->.
type generated struct {
	section
	subject string
}

// change is a section with the text that is to take its place.
type change struct {
	section
	text string
}

const (
	fence          = "```"
	generatedOpen  = "<!-- generated: "
	generatedClose = "<!-- end -->"
)

func readDocument(t *testing.T, path string) *document {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := parseDocument(path, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func parseDocument(path, text string) (*document, error) {
	d := &document{path: path, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	for i := 0; i < len(d.lines); i++ {
		line := d.lines[i]
		if subject, ok := strings.CutPrefix(line, generatedOpen); ok {
			end := d.find(generatedClose, i+1)
			if end < 0 {
				return nil, fmt.Errorf("%s:%d: the generated part has no end", path, i+1)
			}
			d.generated = append(d.generated, generated{section{i + 1, end}, strings.TrimSuffix(subject, " -->")})
			i = end
			continue
		}
		if info, ok := strings.CutPrefix(line, fence); ok {
			end := d.find(fence, i+1)
			if end < 0 {
				return nil, fmt.Errorf("%s:%d: the block has no end", path, i+1)
			}
			d.blocks = append(d.blocks, newBlock(section{i + 1, end}, info))
			i = end
		}
	}
	return d, nil
}

func newBlock(s section, info string) block {
	b := block{section: s}
	for i, word := range strings.Fields(info) {
		if file, ok := strings.CutPrefix(word, "file="); ok {
			b.file = file
		} else if i == 0 {
			b.language = word
		}
	}
	return b
}

// find is the next line that is exactly this, -1 if there is none.
func (d *document) find(line string, from int) int {
	if i := slices.Index(d.lines[from:], line); i >= 0 {
		return from + i
	}
	return -1
}

// text is a section as it stands in the file.
func (d *document) text(s section) string {
	if s.first == s.end {
		return ""
	}
	return strings.Join(d.lines[s.first:s.end], "\n") + "\n"
}

// check complains about a section that does not say what it should, or has it rewritten.
func (d *document) check(t *testing.T, s section, want string, same bool) {
	t.Helper()
	switch {
	case same:
	case *rewrite:
		d.changes = append(d.changes, change{s, want})
	default:
		t.Errorf("%s:%d: the document (-) and what it is (+); go test ./tests/docs -rewrite writes it anew\n%s",
			name(d.path), s.first+1, difference(d.text(s), want))
	}
}

// difference lists the lines that only one of two texts has.
func difference(old, now string) string {
	var out strings.Builder
	only := func(mark, text, other string) {
		lines := strings.Split(other, "\n")
		for line := range strings.Lines(text) {
			if !slices.Contains(lines, strings.TrimSuffix(line, "\n")) {
				out.WriteString(mark + line)
			}
		}
	}
	only("- ", old, now)
	only("+ ", now, old)
	return out.String()
}

// save writes the document with its changes, which come in the order of their place.
func (d *document) save(t *testing.T) {
	if len(d.changes) == 0 {
		return
	}
	for _, c := range slices.Backward(d.changes) {
		var lines []string
		if c.text != "" {
			lines = strings.Split(strings.TrimSuffix(c.text, "\n"), "\n")
		}
		d.lines = slices.Replace(d.lines, c.first, c.end, lines...)
	}
	if err := os.WriteFile(d.path, []byte(strings.Join(d.lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDocument(t *testing.T) {
	const text = "# A\n```json file=a.json\n{}\n```\n<!-- generated: x y -->\nold\nold\n<!-- end -->\n```text\n```\n"
	d, err := parseDocument("a.md", text)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.blocks) != 2 || d.blocks[0] != (block{section{2, 3}, "json", "a.json"}) || d.text(d.blocks[0].section) != "{}\n" || d.text(d.blocks[1].section) != "" {
		t.Errorf("blocks are %+v", d.blocks)
	}
	if len(d.generated) != 1 || d.generated[0] != (generated{section{5, 7}, "x y"}) {
		t.Errorf("generated parts are %+v", d.generated)
	}
	for _, broken := range []string{"```sql\nSELECT 1;\n", "<!-- generated: x -->\n"} {
		if _, err := parseDocument("a.md", broken); err == nil {
			t.Errorf("%q has been accepted", broken)
		}
	}
	d.path = t.TempDir() + "/a.md"
	d.changes = []change{{section{5, 7}, "new\n"}, {section{9, 9}, "more\nand more\n"}}
	d.save(t)
	got, err := os.ReadFile(d.path)
	if err != nil {
		t.Fatal(err)
	}
	const want = "# A\n```json file=a.json\n{}\n```\n<!-- generated: x y -->\nnew\n<!-- end -->\n```text\nmore\nand more\n```\n"
	if string(got) != want {
		t.Errorf("rewritten:\n%s", got)
	}
}
