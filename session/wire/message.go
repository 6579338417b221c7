// Package wire is the language two processes speak that share a data directory: the one that has it open serves the other's
// statements over a local socket. A message is one line of JSON; rows travel in it as Arrow IPC, so that no type is lost.
//
// A connection is a session. The client says Hello once, then sends Execute or Wait and reads answers up to the one that is
// Done; only Cancel may be sent in between.
package wire

import (
	"encoding/json"

	"streamsql/parser"
)

// Version is the version of the protocol. Both sides must speak the same.
const Version = 1

// Request is what a client sends: exactly one field is set.
type Request struct {
	Hello   *Hello   `json:"hello,omitempty"`
	Execute *Execute `json:"execute,omitempty"`
	// Wait asks for the progress of a job until it has ended, by name.
	Wait string `json:"wait,omitempty"`
	// Cancel ends the request under way; it is answered as usual.
	Cancel bool `json:"cancel,omitempty"`
}

// Hello opens a connection.
type Hello struct {
	Version int `json:"version"`
	// Dir is the directory that relative paths start from.
	Dir string `json:"dir"`
	// Persist makes CREATE statements outlive the session.
	Persist bool `json:"persist"`
	// FinalResult tells that the client reads the final results of queries that end only.
	FinalResult bool `json:"finalResult,omitempty"`
	// Settings are the session's settings that are not at their defaults.
	Settings map[string]string `json:"settings,omitempty"`
	// Objects are the statements that make the session's temporary objects, in an order in which they can be run.
	Objects []string `json:"objects,omitempty"`
}

// Execute runs one statement.
type Execute struct {
	Source string `json:"source"` // the name of the text it stands in, for messages
	Text   string `json:"text"`   // the statement, at its place: what is before it is blank
	Job    string `json:"job,omitempty"`
	Number int    `json:"number,omitempty"` // how many jobs the same text has started before
}

// Answer is what a server sends: exactly one field is set.
type Answer struct {
	Welcome  *Welcome        `json:"welcome,omitempty"`
	Leaving  bool            `json:"leaving,omitempty"` // instead of Welcome: the process will end soon, open the directory then
	Result   *Result         `json:"result,omitempty"`
	Batch    *Batch          `json:"batch,omitempty"`
	Note     string          `json:"note,omitempty"`
	Warning  string          `json:"warning,omitempty"`
	Progress json.RawMessage `json:"progress,omitempty"`
	Done     *Done           `json:"done,omitempty"`
}

// Welcome answers Hello.
type Welcome struct {
	PID int `json:"pid"`
}

// Result is the head of a statement's answer. Its batches follow if it has a Schema.
type Result struct {
	Message string          `json:"message,omitempty"`
	Minor   bool            `json:"minor,omitempty"`
	Job     string          `json:"job,omitempty"`
	Schema  []byte          `json:"schema,omitempty"` // an Arrow IPC stream without batches
	Rows    json.RawMessage `json:"rows,omitempty"`   // how to read the rows; the session's business
	// Settings are the session's settings after the statement, if it changed them.
	Settings map[string]string `json:"settings,omitempty"`
}

// Done ends the answers to a request, with what went wrong if something did.
type Done struct {
	Error *Error `json:"error,omitempty"`
}

// Error is an error on its way. Place is set for one about the text of a statement.
type Error struct {
	Message string        `json:"message"`
	Place   *parser.Error `json:"place,omitempty"`
}
