package parser

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xwb1989/sqlparser"
)

// allErrors lists the errors joined in err.
func allErrors(err error) []*Error {
	var one *Error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []*Error
		for _, e := range joined.Unwrap() {
			list = append(list, allErrors(e)...)
		}
		return list
	}
	if errors.As(err, &one) {
		return []*Error{one}
	}
	return nil
}

// checkPlaced checks that an error is about a place inside the text and can be shown.
func checkPlaced(t testing.TB, src string, err error) {
	t.Helper()
	list := allErrors(err)
	if err != nil && len(list) == 0 {
		t.Fatalf("not an *Error: %v", err)
	}
	for _, e := range list {
		if e.Span.Lo < 0 || e.Span.Hi < e.Span.Lo || int(e.Span.Hi) > len(src) || e.Line < 1 || e.Col < 1 {
			t.Fatalf("the place %v of %q is outside of %q", e.Span, e.Msg, src)
		}
		if strings.Contains(e.Msg, "internal error") {
			t.Fatalf("%s in %q", e.Msg, src)
		}
		if e.Detail() == "" || strings.Contains(e.Error(), "\n") && !strings.Contains(e.File, "\n") && !strings.Contains(e.Msg, "\n") {
			t.Fatalf("%q cannot be shown", e.Error())
		}
	}
}

// TestOnlyOurs checks that nothing but our own words reaches sqlparser.
func TestOnlyOurs(t *testing.T) {
	ours := regexp.MustCompile(`^((select|distinct|from|where|group|by|having|on|using|join|inner|cross|natural|left|right|outer|` +
		`not|and|or|is|null|in|like|between|escape|case|when|then|else|end|as|collate|` +
		`t\d+|::?v\d+|<=>|<=|>=|<>|[-+*/%=<>|(),.\\]) )+$`)
	texts := 0
	parseSQL = func(text string) (sqlparser.Statement, error) {
		texts++
		if !ours.MatchString(text) {
			t.Errorf("sqlparser is given %q", text)
		}
		return sqlparser.ParseStrictDDL(text)
	}
	defer func() { parseSQL = sqlparser.ParseStrictDDL }()
	for _, e := range corpus(t) {
		Parse("q.sql", e.text)
	}
	if texts < 800 {
		t.Errorf("only %d texts", texts)
	}
}

// TestErrorForm keeps an eye on the form of sqlparser's errors, which hold the place.
func TestErrorForm(t *testing.T) {
	for text, want := range map[string]string{
		`select t0 \ `:           "12",
		"select t0 from where ":  "21",
		"select t0 , ":           "13",
		"select t0 t1 t2 ":       "16",
		"select ( t0 ) ) ":       "16",
		"select t0 from t1 , = ": "22",
	} {
		_, err := sqlparser.ParseStrictDDL(text)
		if err == nil {
			t.Errorf("%q parses", text)
			continue
		}
		if m := errorPosition.FindStringSubmatch(err.Error()); m == nil || m[1] != want {
			t.Errorf("%q: %v, want position %s", text, err, want)
		}
	}
}

// TestSpans checks that the source of every expression parses to that expression and that children lie
// inside their parents.
func TestSpans(t *testing.T) {
	checked := 0
	for _, e := range goodStatements(t) {
		for _, s := range mustParse(t, e.text) {
			checked += checkSpans(t, e, s)
		}
	}
	if checked < 1000 {
		t.Errorf("only %d expressions", checked)
	}
}

func checkSpans(t *testing.T, e example, s Stmt) (checked int) {
	var stack []Node
	walk(s, func(n Node) bool {
		span := n.At()
		if len(stack) > 0 && !span.IsZero() {
			if p := stack[len(stack)-1].At(); span.Lo < p.Lo || span.Hi > p.Hi {
				t.Errorf("%s: %T %q lies outside of %T %q", e.name, n, span.Slice(e.text), stack[len(stack)-1], p.Slice(e.text))
			}
		}
		stack = append(stack, n)
		if x, ok := n.(Expr); ok && standsAlone(x, e.text) {
			checked++
			got, err := ParseExpr("", span.Slice(e.text))
			if err != nil || dump(got) != dump(x) {
				t.Errorf("%s: %T %q parses to %s\nwant %s\n%s", e.name, n, span.Slice(e.text), dump(got), dump(x), details(err))
			}
		}
		return true
	}, func() { stack = stack[:len(stack)-1] })
	return checked
}

// standsAlone tells whether an expression parses by itself.
func standsAlone(x Expr, src string) bool {
	switch x := x.(type) {
	case *Star, *Symbol, *TableArg, *Descriptor:
		return false
	case *Interval: // durations may lack the word
		return strings.HasPrefix(strings.ToUpper(x.Slice(src)), "INTERVAL")
	case *Call: // table functions have other arguments
		for _, a := range x.Args {
			if !standsAlone(a.X, src) && len(x.Args) > 1 {
				return argShapes[upper(x.Name.Last().Name)] != shapePlain
			}
		}
	}
	return !x.At().IsZero()
}

// TestStmtSource checks that the span of a statement is its text without the semicolon.
func TestStmtSource(t *testing.T) {
	src := " SELECT 1 ; -- x\n INSERT INTO t VALUES (1)\n;"
	stmts := mustParse(t, src)
	for i, want := range []string{"SELECT 1", "INSERT INTO t VALUES (1)"} {
		if got := stmts[i].At().Slice(src); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestSpacing checks that blanks, comments and the case of words change nothing.
func TestSpacing(t *testing.T) {
	separators := []string{" ", "\n\t", " /* ; ' */ ", " -- x\n", "\u00a0"}
	for _, e := range goodStatements(t) {
		if strings.HasPrefix(e.text, "SET") { // values of settings are adjacent words
			continue
		}
		src := respace(e.text, separators)
		want, got := mustParse(t, e.text), mustParse(t, src)
		if a, b := strings.ToLower(dump(want)), strings.ToLower(dump(got)); a != b {
			t.Errorf("%s\nbecomes %s\nof %s", src, b, a)
		}
	}
}

// respace writes the tokens of a text with other separators, and words in other case. Words behind a dot
// stay there.
func respace(src string, separators []string) string {
	var b strings.Builder
	for i, tok := range lex(src) {
		text := tok.span().Slice(src)
		if tok.kind == tokWord && tok.word != "" && i%2 == 0 {
			text = strings.ToLower(text)
		}
		b.WriteString(text)
		if tok.word != "." {
			b.WriteString(separators[i%len(separators)])
		}
	}
	return b.String()
}

// TestCut checks beginnings of statements, which are good or incomplete, and statements without one of
// their words, which are good or have an error in its place.
func TestCut(t *testing.T) {
	for _, e := range goodStatements(t) {
		toks := lex(e.text)
		for i := range toks[:len(toks)-1] {
			head := e.text[:toks[i].hi]
			_, err := Parse("", head)
			checkPlaced(t, head, err)
			for _, bad := range allErrors(err) {
				if !bad.Incomplete {
					t.Errorf("%s: not incomplete: %q\n%s", e.name, head, bad.Detail())
				}
			}
			if i%3 != 0 { // each costs a millisecond
				continue
			}
			without := e.text[:toks[i].lo] + e.text[toks[i].hi:]
			_, err = Parse("", without)
			checkPlaced(t, without, err)
		}
	}
}

// TestPrecedence spells out how operators group.
func TestPrecedence(t *testing.T) {
	for text, want := range map[string]string{
		"a OR b AND c":                  "(a OR (b AND c))",
		"a AND b OR c":                  "((a AND b) OR c)",
		"NOT a AND b":                   "((NOT a) AND b)",
		"NOT a = b":                     "(NOT (a = b))",
		"NOT a IS NULL":                 "(NOT (a IS NULL))",
		"a = b IS TRUE":                 "((a = b) IS TRUE)",
		"a = b IS NOT NULL AND c":       "(((a = b) IS NOT NULL) AND c)",
		"a + b = c":                     "((a + b) = c)",
		"a || b = c || d":               "((a || b) = (c || d))",
		"a || b + c":                    "(a || (b + c))",
		"a + b || c":                    "((a + b) || c)",
		"a - b - c":                     "((a - b) - c)",
		"a + b * c":                     "(a + (b * c))",
		"a * b + c":                     "((a * b) + c)",
		"a / b % c":                     "((a / b) % c)",
		"-a * b":                        "((-a) * b)",
		"-a + b":                        "((-a) + b)",
		"- - a":                         "(-(-a))",
		"-a::INT":                       "(-CAST(a AS INT))",
		"-a[1]":                         "(-a[1])",
		"a + b::INT":                    "(a + CAST(b AS INT))",
		"a BETWEEN b AND c AND d":       "((a BETWEEN b AND c) AND d)",
		"a BETWEEN b + 1 AND c OR d":    "((a BETWEEN (b + 1) AND c) OR d)",
		"a LIKE b || c":                 "(a LIKE (b || c))",
		"a LIKE b ESCAPE c AND d":       "((a LIKE b ESCAPE c) AND d)",
		"a IN (b) AND c":                "((a IN (b)) AND c)",
		"a IS DISTINCT FROM b AND c":    "((a IS DISTINCT FROM b) AND c)",
		"a + b AT TIME ZONE 'x'":        "(a + (b AT TIME ZONE 'x'))",
		"a < b = c IS NULL":             "",
		"a OVERLAPS b OR c":             "((a OVERLAPS b) OR c)",
		"NOT NOT a":                     "(NOT (NOT a))",
		"CASE WHEN a THEN b END + c":    "(CASE WHEN a THEN b END + c)",
		"f(a)::INT[1].x":                "CAST(f(a) AS INT)[1].x",
		"a OR NOT b AND c":              "(a OR ((NOT b) AND c))",
		"a = b AND c <> d OR e >= f":    "(((a = b) AND (c <> d)) OR (e >= f))",
		"a NOT IN (1) IS TRUE":          "((a NOT IN (1)) IS TRUE)",
		"a NOT BETWEEN 1 AND 2 IS TRUE": "((a NOT BETWEEN 1 AND 2) IS TRUE)",
	} {
		x, err := ParseExpr("", text)
		got := ""
		if err == nil {
			got = bracketed(x)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// bracketed prints an expression with brackets around all operators.
func bracketed(x Expr) string {
	var p printer
	switch x := x.(type) {
	case *Binary:
		return "(" + bracketed(x.L) + " " + string(x.Op) + " " + bracketed(x.R) + ")"
	case *Unary:
		if x.Op == OpNot {
			return "(NOT " + bracketed(x.X) + ")"
		}
		return "(" + string(x.Op) + bracketed(x.X) + ")"
	case *Is:
		y := *x
		y.X = verbatim(x.X)
		p.bare(&y)
	case *Between:
		y := *x
		y.X, y.Low, y.High = verbatim(x.X), verbatim(x.Low), verbatim(x.High)
		p.between(&y)
	case *Like:
		y := *x
		y.X, y.Pattern = verbatim(x.X), verbatim(x.Pattern)
		p.like(&y)
	case *In, *AtZone:
		p.bare(x)
	default:
		return FormatExpr(x)
	}
	return "(" + p.String() + ")"
}

// verbatim is an expression that prints with brackets around its operators.
func verbatim(x Expr) Expr { return &Symbol{Word: bracketed(x)} }

// TestParallel checks that several goroutines may parse at once.
func TestParallel(t *testing.T) {
	list := corpus(t)
	want := make([]string, len(list))
	parse := func(e example) string {
		stmts, err := Parse("q.sql", e.text)
		return dump(stmts) + details(err)
	}
	for i, e := range list {
		want[i] = parse(e)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, e := range list {
				if got := parse(e); got != want[i] {
					t.Errorf("%s differs", e.name)
				}
			}
		})
	}
	wg.Wait()
}

// TestInspect checks that a visit can be cut short.
func TestInspect(t *testing.T) {
	s := mustParse(t, "SELECT a + b FROM (SELECT c FROM t) AS u WHERE d")[0]
	var names []string
	Inspect(s, func(n Node) bool {
		if c, ok := n.(*ColumnRef); ok {
			names = append(names, c.Name.String())
		}
		_, derived := n.(*Derived)
		return !derived
	})
	if want := []string{"a", "b", "d"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}
