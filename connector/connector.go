// Package connector is the edge of the engine: the contracts of sources and sinks, and the registry that the words after
// 'connector' = in a table's WITH clause refer to. A connector is one folder below this one that registers itself in an init
// function, plus one import line in connector/all.
package connector

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
)

// Table is what a connector knows of the table it serves.
type Table struct {
	Name       string
	Schema     *arrow.Schema // the physical columns, in declaration order; computed columns are not among them
	PrimaryKey []string
	Options    map[string]string // the WITH clause, keys in lower case
	Dir        string            // directory that relative paths start from
	Zone       *time.Location    // of TIMESTAMP_LTZ as text without an offset; nil is UTC
}

// Connector describes one kind of table. A nil NewSource or NewSink means that such a table cannot be read or written. The
// options they are given have been checked.
type Connector struct {
	Name    string
	Doc     string // one line, for SHOW CONNECTORS and the documentation
	Options []Option
	// More, if not nil, returns the options of the table beyond Options, such as those of the format it names.
	More func(Table) ([]Option, error)
	// Metadata is what a source knows of its rows, for columns declared METADATA.
	Metadata []Metadata
	// Complete, if not nil, adds options to those of a table without a schema that can be told by what it is, such as a file's format.
	Complete func(Table) (Table, error)
	// Infer, if not nil, is Infer for tables of the connector.
	Infer     func(Table, *Options) (Table, error)
	NewSource func(SourceSpec, *Options) (Source, error)
	NewSink   func(SinkSpec, *Options) (Sink, error)
}
