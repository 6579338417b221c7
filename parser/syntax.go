package parser

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strconv"
)

// errorPosition finds the place in an error of sqlparser: one more than the offset behind the word
// it is about, or than the length of the text at its end.
var errorPosition = regexp.MustCompile(`position (\d+)`)

// Above these sizes the words that were expected are not looked for, and no repairs are tried.
const (
	maxExplainBytes = 16 << 10
	maxExplainWords = 5000
)

// errorMark returns the mark of the word an error of sqlparser is about; it is len(l.marks) at the
// end of the text. It returns false if the error is about a word without a mark.
func (l *lowering) errorMark(err error) (int, bool) {
	if err == nil {
		return 0, false
	}
	m := errorPosition.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(m[1])
	if n > len(l.text) {
		return len(l.marks), true
	}
	i := sort.Search(len(l.marks), func(i int) bool { return int(l.marks[i].end) >= n-1 })
	return i, i < len(l.marks) && int(l.marks[i].end) == n-1
}

// errorToken returns the token an error of sqlparser is about.
func (l *lowering) errorToken(err error) (int, bool) {
	i, ok := l.errorMark(err)
	switch {
	case !ok:
		return 0, false
	case i == len(l.marks):
		return l.end, true
	}
	return int(l.marks[i].tok), true
}

// syntaxError reports an error of sqlparser at the token it is about, with what could stand there.
func (l *lowering) syntaxError(err error) {
	i, ok := l.errorMark(err)
	if !ok {
		l.failAt(l.end, "internal error: "+err.Error())
		return
	}
	tok, _ := l.errorToken(err)
	if at := l.furthest(tok); at != tok {
		l.unexpectedAt(at)
		return
	}
	l.failAt(tok, "unexpected "+describe(l.toks[tok], l.src))
	l.incompleteAt(tok)
	if !l.repairing && len(l.text) <= maxExplainBytes && len(l.toks) <= maxExplainWords {
		l.err.Expected = l.expected(i)
	}
	own := expectedWords([]string{l.toks[tok].word})
	l.err.Expected = slices.DeleteFunc(l.err.Expected, func(w string) bool { return w == own[0] })
}

// candidate is something that may be expected: what it is called and how it is lowered.
type candidate struct {
	name, text string
	core       bool // only in a SELECT core
}

// candidates are what may be expected, in the order of the message.
var candidates = []candidate{
	{"an expression", "case", false},
	{"a name", "t0", false},
	{"LIKE", "like", false},
	{"IN", "in", false},
	{"BETWEEN", "between", false},
	{"','", ",", false},
	{"an operator", "=", false},
	{"AND", "and", false},
	{"OR", "or", false},
	{"')'", ")", false},
	{"WHEN", "when", false},
	{"THEN", "then", false},
	{"ELSE", "else", false},
	{"END", "end", false},
	{"BY", "by", true},
	{"ON", "on", true},
	{"USING", "using", true},
	{"FROM", "from", true},
	{"WHERE", "where", true},
	{"GROUP BY", "group", true},
	{"HAVING", "having", true},
	{"'('", "(", false},
}

// expected lists what could stand at a mark. A candidate can if sqlparser reads the text before the mark
// and the candidate, and complains of a backslash behind it.
func (l *lowering) expected(at int) []string {
	prefix := l.text[:0:0]
	if at > 0 {
		prefix = append(prefix, l.text[:l.marks[at-1].end+1]...)
	} else {
		prefix = append(prefix, "select "...)
	}
	viable := map[string]bool{}
	var list []string
	for _, c := range candidates {
		if c.core && !l.core || !l.possible(c, viable, prefix) || !l.viable(prefix, c.text) {
			continue
		}
		viable[c.text] = true
		list = append(list, c.name)
	}
	if _, err := parseSQL(string(prefix)); err == nil {
		if end := l.endName(); end != "" {
			list = append(list, end)
		}
	}
	return list
}

// possible leaves out candidates that say less than those already found.
func (l *lowering) possible(c candidate, found map[string]bool, prefix []byte) bool {
	switch c.text {
	case ",":
		return !l.single || bytes.IndexByte(prefix, '(') >= 0
	case "t0":
		return !found["case"] && bytes.HasSuffix(prefix, []byte(" as "))
	case "like", "in", "between":
		return bytes.HasSuffix(prefix, []byte(" not "))
	case "and", "or":
		return !found["="]
	case "(":
		return len(found) == 0
	case "on", "using", "by":
		return !found["="]
	case "where", "group", "having":
		return !found["from"]
	}
	return true
}

// viable tells whether a word can follow a beginning of a text.
func (l *lowering) viable(prefix []byte, word string) bool {
	text := string(prefix) + word + ` \ `
	_, err := parseSQL(text)
	if err == nil {
		return false
	}
	m := errorPosition.FindStringSubmatch(err.Error())
	return m != nil && m[1] == strconv.Itoa(len(text))
}
