package file

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestOrderOfNames(t *testing.T) {
	want := []string{
		"a", "a/1", "a/2/1", "a/10", "a1b2", "a1b10", "a01b11", "a2", "a10", "a99999999999999999998", "a99999999999999999999",
		"b", "part-j-1-0", "part-j-1-1", "part-j-9-0", "part-j-10-0", "part-j~1-1-0", "ä",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, byNumber)
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestOrderOfNamesIsAnOrder: it is total, and no two names are equal.
func TestOrderOfNamesIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a0-2]{0,6}`)
		a, b, c := name.Draw(t, "a"), name.Draw(t, "b"), name.Draw(t, "c")
		if byNumber(a, b) != -byNumber(b, a) || (byNumber(a, b) == 0) != (a == b) {
			t.Fatalf("%q and %q", a, b)
		}
		if byNumber(a, b) < 0 && byNumber(b, c) < 0 && byNumber(a, c) >= 0 {
			t.Fatalf("%q < %q < %q", a, b, c)
		}
	})
}

// TestLinks lists what links point to: files in a directory, and a directory that is named.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "real", "a.json"), nil)
	writeFile(t, filepath.Join(dir, "other.json"), nil)
	for link, to := range map[string]string{"real/b.json": "../other.json", "real/loop": ".", "real/gone.json": "nowhere", "link": "real", "gone.json": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"real": "real/a.json real/b.json", "link": "link/a.json link/b.json", "real/*.json": "real/a.json real/b.json"} {
		if got, err := list(dir, path); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s lists %v, %v", path, got, err)
		}
	}
	for path, want := range map[string]string{
		"gone.json": "is a link to nowhere, which is not there", "https://example.com/a.json": "files of https:// cannot be read", "**/*.json": "has **",
	} {
		if _, err := list(dir, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
