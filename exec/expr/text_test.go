package expr

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// drawText draws short strings over few characters, of one to four bytes.
func drawText(t *rapid.T, name string) string {
	return rapid.StringOfN(rapid.SampledFrom([]rune("abB %_é日😀")), 0, 8, -1).Draw(t, name)
}

// TestLikeAgainstRegexp translates patterns to regular expressions.
func TestLikeAgainstRegexp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		subject, pattern := drawText(t, "subject"), drawText(t, "pattern")
		fold := rapid.Bool().Draw(t, "fold")
		var re strings.Builder
		re.WriteString("(?s)^")
		for _, r := range pattern {
			switch r {
			case '%':
				re.WriteString(".*")
			case '_':
				re.WriteString(".")
			default:
				re.WriteString(regexp.QuoteMeta(string(r)))
			}
		}
		op, text := "LIKE", re.String()+"$"
		if fold {
			op, text = "ILIKE", "(?i)"+text
		}
		want := "FALSE"
		if regexp.MustCompile(text).MatchString(subject) {
			want = "TRUE"
		}
		e, err := NewCall(op, []Expr{NewString(subject), NewString(pattern)}, Settings{})
		if got := show(e, Settings{}); err != nil || got != want {
			t.Fatalf("%s is %s, %v", e, got, err)
		}
	})
}

// naiveStrings are the functions of strings in terms of runes and Go's library.
var naiveStrings = map[string]func(s, u string, n int) string{
	"UPPER(s)":   func(s, _ string, _ int) string { return strings.Map(unicode.ToUpper, s) },
	"LOWER(s)":   func(s, _ string, _ int) string { return strings.Map(unicode.ToLower, s) },
	"s || u":     func(s, u string, _ int) string { return s + u },
	"LEFT(s, n)": func(s, _ string, n int) string { r := []rune(s); return string(r[:min(max(n, 0), len(r))]) },
	"RIGHT(s, n)": func(s, _ string, n int) string {
		r := []rune(s)
		return string(r[len(r)-min(max(n, 0), len(r)):])
	},
	"REVERSE(s)": func(s, _ string, _ int) string {
		var b strings.Builder
		r := []rune(s)
		for i := len(r) - 1; i >= 0; i-- {
			b.WriteRune(r[i])
		}
		return b.String()
	},
	"REPEAT(s, n)": func(s, _ string, n int) string { return strings.Repeat(s, max(n, 0)) },
	"REPLACE(s, u, 'xyz')": func(s, u string, _ int) string {
		if u == "" {
			return s
		}
		return strings.ReplaceAll(s, u, "xyz")
	},
	"SUBSTRING(s, n)": func(s, _ string, n int) string {
		r := []rune(s)
		switch {
		case n < -len(r):
			return ""
		case n < 0:
			return string(r[len(r)+n:])
		}
		return string(r[min(max(n-1, 0), len(r)):])
	},
	"SUBSTRING(s, 2, n)": func(s, _ string, n int) string {
		if n < 0 {
			return "NULL"
		}
		r := []rune(s)
		r = r[min(1, len(r)):]
		return string(r[:min(max(n, 0), len(r))])
	},
	"BTRIM(s, 'ab')":   func(s, _ string, _ int) string { return strings.Trim(s, "ab") },
	"LTRIM(s, 'é😀')":   func(s, _ string, _ int) string { return strings.TrimLeft(s, "é😀") },
	"RTRIM(s)":         func(s, _ string, _ int) string { return strings.TrimRight(s, " ") },
	"CHAR_LENGTH(s)":   func(s, _ string, _ int) string { return NewInt(int32(len([]rune(s)))).text(nil) },
	"STARTSWITH(s, u)": func(s, u string, _ int) string { return NewBool(strings.HasPrefix(s, u)).text(nil) },
	"POSITION(u IN s)": func(s, u string, _ int) string {
		i := strings.Index(s, u)
		if i < 0 {
			return "0"
		}
		return NewInt(int32(len([]rune(s[:i])) + 1)).text(nil)
	},
	"SPLIT_INDEX(s, 'b', n)": func(s, _ string, n int) string {
		parts := strings.Split(s, "b")
		if n < 0 || n >= len(parts) {
			return "NULL"
		}
		return parts[n]
	},
	"LPAD(s, n, u)": func(s, u string, n int) string { return naivePad(s, u, n, true) },
	"RPAD(s, n, u)": func(s, u string, n int) string { return naivePad(s, u, n, false) },
}

func naivePad(s, padding string, n int, left bool) string {
	if n < 0 || padding == "" {
		return "NULL"
	}
	r := []rune(s)
	if len(r) >= n {
		return string(r[:n])
	}
	fill := string([]rune(strings.Repeat(padding, n))[:n-len(r)])
	if left {
		return fill + s
	}
	return s + fill
}

func TestStringsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, u, n := drawText(t, "s"), drawText(t, "u"), rapid.IntRange(-5, 12).Draw(t, "n")
		for sql, naive := range naiveStrings {
			e, err := bindText(sql, Settings{}, &Column{0, "s", String, false}, &Column{1, "u", String, false}, &Column{2, "n", Int, false})
			if err != nil {
				t.Fatal(err)
			}
			values := []Expr{NewString(s), NewString(u), NewInt(int32(n))}
			bound := Rewrite(e, func(e Expr) Expr {
				if c, ok := e.(*Column); ok {
					return values[c.Index]
				}
				return e
			})
			if got, want := show(bound, Settings{}), naive(s, u, n); got != want {
				t.Fatalf("%s is %q, want %q", bound, got, want)
			}
		}
	})
}
