package suggest

import (
	"slices"
	"testing"
)

func TestNear(t *testing.T) {
	names := []string{"price", "Prince", "bidder", "auction", "id", "ts", "y", "用户"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"prcie", []string{"price"}},
		{"PRICE", []string{"price", "Prince"}},
		{"biddr", []string{"bidder"}},
		{"action", []string{"auction"}},
		{"is", []string{"id", "ts"}},
		{"用", []string{"用户"}},
		{"quantity", nil},
		{"x", nil},
		{"", nil},
	} {
		if got := Near(c.word, names); !slices.Equal(got, c.want) {
			t.Errorf("Near(%q) = %q, want %q", c.word, got, c.want)
		}
	}
}

func TestHint(t *testing.T) {
	for word, want := range map[string]string{
		"a":     "did you mean aa, ab or ac?",
		"aab":   "did you mean aa or ab?",
		"ac":    "did you mean ac, aa or ab?",
		"xyzzy": "",
	} {
		if got := Hint(word, []string{"ab", "ac", "aa"}); got != want {
			t.Errorf("Hint(%q) = %q, want %q", word, got, want)
		}
	}
}
