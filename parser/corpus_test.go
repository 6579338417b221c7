package parser

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// example is one statement of the corpus and its wanted outcome: ok, err:text, or multi n.
type example struct {
	name, group, want, text string
}

// corpus reads the statements of testdata.
func corpus(t testing.TB) []example {
	t.Helper()
	return append(readExamples(t, "testdata/statements.txt"), readExamples(t, "testdata/dialect.txt")...)
}

// readExamples reads a file of "=== name | group | outcome" and the text below it.
func readExamples(t testing.TB, file string) []example {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []example
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if head, ok := strings.CutPrefix(sc.Text(), "=== "); ok {
			parts := strings.SplitN(head, " | ", 3)
			list = append(list, example{name: parts[0], group: parts[1], want: parts[2]})
			continue
		}
		e := &list[len(list)-1]
		if e.text != "" {
			e.text += "\n"
		}
		e.text += sc.Text()
	}
	return list
}

// goodStatements are the statements of the corpus that parse.
func goodStatements(t testing.TB) []example {
	var list []example
	for _, e := range corpus(t) {
		if !strings.HasPrefix(e.want, "err:") {
			list = append(list, e)
		}
	}
	return list
}

// details is the text of all errors joined in err, in lines.
func details(err error) string {
	if err == nil {
		return ""
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var b strings.Builder
		for _, e := range joined.Unwrap() {
			b.WriteString(details(e) + "\n")
		}
		return b.String()
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Detail()
	}
	return "not an *Error: " + err.Error()
}

func TestCorpus(t *testing.T) {
	for _, e := range corpus(t) {
		t.Run(e.name, func(t *testing.T) {
			stmts, err := Parse("q.sql", e.text)
			want, isErr := strings.CutPrefix(e.want, "err:")
			count := 1
			if _, scanErr := fmt.Sscanf(e.want, "multi %d", &count); scanErr != nil {
				count = 1
			}
			switch {
			case isErr && err == nil:
				t.Errorf("no error, want %q", want)
			case isErr && !strings.Contains(details(err), want):
				t.Errorf("want %q in\n%s", want, details(err))
			case !isErr && err != nil:
				t.Errorf("\n%s", details(err))
			case !isErr && strings.HasPrefix(e.want, "multi") && len(stmts) != count:
				t.Errorf("%d statements, want %d", len(stmts), count)
			}
		})
	}
}
