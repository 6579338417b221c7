// Package connector is the edge of the engine: the contracts of sources and sinks, and the registry that the words after
// 'connector' = in a table's WITH clause refer to. A connector is one folder below this one that registers itself in an init
// function, plus one import line in connector/all.
package connector

import (
	"github.com/apache/arrow/go/v17/arrow"
)

// Table is what a connector knows of the table it serves.
type Table struct {
	Name       string
	Schema     *arrow.Schema // the physical columns, in declaration order; computed columns are not among them
	PrimaryKey []string
	Options    map[string]string // the WITH clause, keys in lower case
	Dir        string            // directory that relative paths start from
}

// Connector describes one kind of table. A nil NewSource or NewSink means that such a table cannot be read or written.
type Connector struct {
	Name      string
	Doc       string // one line, for SHOW CONNECTORS and the documentation
	Options   []Option
	NewSource func(SourceSpec) (Source, error)
	NewSink   func(SinkSpec) (Sink, error)
}

// Option documents one key of the WITH clause. Unknown keys are refused with a suggestion.
type Option struct {
	Key      string
	Default  string // shown to the user; "" means none
	Doc      string
	Required bool
}

// ErrorPolicy says what a query does with a record that cannot be decoded or has no event time (option on.error).
type ErrorPolicy int

// Fail stops the job, Skip counts the record and goes on, DeadLetter also keeps it in the table's error table.
const (
	Fail ErrorPolicy = iota
	Skip
	DeadLetter
)
