package repl

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1;":                              "SELECT 1;",
		"SELECT a, -- the first\n  b\nFROM t ;":  "SELECT a, b FROM t ;",
		"SELECT 'a  -- b', \"x /* y\"\n, `c''d`": "SELECT 'a  -- b', \"x /* y\" , `c''d`",
		"SELECT /* one\ntwo */ 1 - 2 / 3;":       "SELECT 1 - 2 / 3;",
		"SELECT'it''s'||x":                       "SELECT'it''s'||x",
		"SELECT 'two\nlines'":                    "SELECT 'two lines'",
		"-- nothing\n":                           "",
		"a/**/b":                                 "a b",
		"x --":                                   "x",
	} {
		if got := oneLine(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTerminated(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1;":            true,
		"SELECT 1; -- done":    true,
		"SELECT 1; /* done */": true,
		"SELECT 1 -- done;":    false,
		"SELECT 1":             false,
		"SELECT ';":            false,
		"SELECT ';';":          true,
		"SELECT 'it'';":        false,
		"SELECT 1; /* open":    false,
		"SELECT \"a;":          false,
		"":                     false,
	} {
		if got := terminated(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestBlank(t *testing.T) {
	for text, want := range map[string]bool{"": true, " ;; -- x\n": true, "/* a */": true, "a": false, "';'": false} {
		if got := blank(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// TestPiecesLoseNothing checks that the pieces of a text add up to it.
func TestPiecesLoseNothing(t *testing.T) {
	word := rapid.SampledFrom([]string{"a", " ", "\n", "'", "\"", "`", "-", "--", "/", "/*", "*/", ";", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(word).Draw(t, "text"), "")
		var b strings.Builder
		for p := range pieces(text) {
			if p.text == "" {
				t.Fatal("an empty piece")
			}
			b.WriteString(p.text)
		}
		if b.String() != text {
			t.Fatalf("got %q", b.String())
		}
	})
}
