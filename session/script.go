package session

import (
	"slices"

	"streamsql/catalog"
	"streamsql/parser"
)

// Source is a text of statements.
type Source struct {
	Name string // for messages, such as a file's name; may be empty
	Text string
	// Job is the base of the names of the jobs the text starts; if empty they are named after the tables they write to.
	Job string
}

// script is a source while it is being executed.
type script struct {
	Source
	started int // jobs
}

// statement is a statement with the text it stands in.
type statement struct {
	script *script
	tree   parser.Stmt
}

// in returns the text for the planner.
func (st statement) in() catalog.Script {
	return catalog.Script{Name: st.script.Name, Text: st.script.Text}
}

// text is the statement as it was written.
func (st statement) text() string { return st.tree.At().Slice(st.script.Text) }

// padded is the text up to the statement's end, with blanks for the bytes before it: the statement alone, at its place.
func (st statement) padded() string {
	before := []byte(st.script.Text[:st.tree.At().Lo])
	for i, c := range before {
		if c != '\n' {
			before[i] = ' '
		}
	}
	return string(before) + st.text()
}

// errorAt returns an error about a part of the statement.
func (st statement) errorAt(span parser.Span, msg string, hints ...string) error {
	hints = slices.DeleteFunc(hints, func(h string) bool { return h == "" })
	return parser.ErrorAt(st.script.Name, st.script.Text, span, msg, hints...)
}
