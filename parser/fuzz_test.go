package parser

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// addCorpus gives a fuzz target the statements of the corpus.
func addCorpus(f *testing.F) {
	for _, e := range corpus(f) {
		f.Add(e.text)
	}
}

// FuzzParse checks that any text yields statements that print and parse to themselves, or errors with a
// place inside the text.
func FuzzParse(f *testing.F) {
	addCorpus(f)
	f.Fuzz(func(t *testing.T, src string) {
		stmts, err := Parse("q.sql", src)
		checkPlaced(t, src, err)
		for _, s := range stmts {
			if s.At().Slice(src) == "" {
				t.Fatalf("a statement of %q has no source", src)
			}
			checkRoundTrip(t, s)
		}
	})
}

// FuzzLex checks that tokens cover all of a text but blanks and comments, in order, and that quoting and
// unquoting are inverse.
func FuzzLex(f *testing.F) {
	addCorpus(f)
	f.Fuzz(func(t *testing.T, src string) {
		at := int32(0)
		for _, tok := range lex(src) {
			if tok.lo < at || tok.hi < tok.lo || int(tok.hi) > len(src) {
				t.Fatalf("token %v of %q is out of place", tok, src)
			}
			checkGap(t, src[at:tok.lo])
			at = tok.hi
		}
		if int(at) != len(src) {
			t.Fatalf("tokens of %q end at %d", src, at)
		}
		checkQuotes(t, src)
	})
}

// checkGap checks that what lies between tokens is blanks and comments.
func checkGap(t *testing.T, gap string) {
	l := lexer{src: gap}
	if l.skipBlanks(); l.pos != len(gap) || len(l.toks) > 0 {
		t.Fatalf("%q lies between tokens", gap)
	}
}

// checkQuotes checks that a quoted text is one token that stands for the text.
func checkQuotes(t *testing.T, text string) {
	for _, quoted := range []string{quoteString(text), quoteName(text)} {
		toks := lex(quoted)
		if text == "" && quoted[0] == '"' {
			continue
		}
		if len(toks) != 2 || unquote(quoted) != text {
			t.Fatalf("%q does not stand for %q", quoted, text)
		}
	}
}

// FuzzSplit checks that statements joined by semicolons parse as each does by itself.
func FuzzSplit(f *testing.F) {
	list := corpus(f)
	for i, e := range list {
		f.Add(e.text, list[(i+7)%len(list)].text)
	}
	f.Add("SELECT ';' /* ; */", "SELECT `;` -- ;")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !closed(a) || !closed(b) {
			return
		}
		first, err1 := Parse("", a)
		second, err2 := Parse("", b)
		both, err := Parse("", a+"\n;"+b)
		if got, want := dump(both), dump(append(first, second...)); got != want {
			t.Fatalf("%q and %q are %s\ntogether %s", a, b, want, got)
		}
		if got, want := len(allErrors(err)), len(allErrors(err1))+len(allErrors(err2)); got != want {
			t.Fatalf("%q and %q have %d errors, together %d", a, b, want, got)
		}
	})
}

// closed tells whether a text is one that Parse reads and nothing is open at its end that would swallow
// a semicolon.
func closed(src string) bool {
	return utf8.ValidString(src) && !strings.Contains(strings.ToUpper(src), "BEGIN") && Complete(src+"\n;") && !strings.Contains(src, "/*+")
}

// FuzzRepair checks that a did-you-mean, once followed, removes the error or moves it on.
func FuzzRepair(f *testing.F) {
	addCorpus(f)
	f.Fuzz(func(t *testing.T, src string) {
		_, err := Parse("", src)
		list := allErrors(err)
		if len(list) != 1 {
			return
		}
		word, ok := meant(list[0])
		if !ok {
			return
		}
		e := list[0]
		fixed := src[:e.Span.Lo] + word + src[e.Span.Hi:]
		_, err = Parse("", fixed)
		for _, again := range allErrors(err) {
			if again.Span.Lo <= e.Span.Lo {
				t.Fatalf("%q: %s\nbecomes %q: %s", src, e.Detail(), fixed, again.Detail())
			}
		}
	})
}

// meant returns the word of a did-you-mean that is about the place of its error.
func meant(e *Error) (string, bool) {
	for _, h := range e.Hints {
		word, ok := strings.CutPrefix(h, "did you mean ")
		if ok && strings.HasPrefix(e.Msg, "unexpected '") {
			return strings.TrimSuffix(word, "?"), true
		}
	}
	return "", false
}
