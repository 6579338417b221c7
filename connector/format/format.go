// Package format holds the contracts of record formats and their registry: how rows are found in bytes and how they are written.
// A format is one folder below this one that registers itself in an init function, plus one import line in connector/all.
package format

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/exec/vec"
)

// Key is the option that names the format.
const Key = "format"

// Padding is the spare capacity behind the data handed to a decoder. The decoder may write to it.
const Padding = 16

// Format describes one way to write rows as bytes.
type Format struct {
	Name    string
	Doc     string // one line, for SHOW FORMATS and the documentation
	Options []connector.Option
	// Extension is that of the files a sink makes, with its point.
	Extension string
	// Changelog reports whether rows carry their kind, so that updates can be written and read.
	Changelog bool
	// Closed tells that nothing can be appended to a file that is there, so that sinks write into directories alone.
	Closed bool
	// Infer finds out the columns of an input; nil if that cannot be done.
	Infer     Inferrer
	NewInput  func(InputSpec) (Input, error)
	NewOutput func(OutputSpec) (Output, error)
	// Open opens a file of a format whose files tell their columns themselves; it has neither Infer nor NewInput.
	Open Opener
}

// Readable reports whether rows can be read in the format.
func (f *Format) Readable() bool { return f.NewInput != nil || f.Open != nil }

// InputSpec is what a source asks of a format.
type InputSpec struct {
	Schema  *arrow.Schema // the table's physical columns
	Columns []int         // those that are wanted, in the order of the batches' columns
	Zone    *time.Location
	Options *connector.Options
	Alloc   memory.Allocator
}

// Input finds rows in bytes for one table. It is immutable and may be used by any number of goroutines.
type Input interface {
	// Cut is the length of the longest prefix of data that ends with a whole record; data begins with a record. It is 0 if the
	// first record goes on beyond data. The end of the input ends a record too, but Cut does not know of it.
	Cut(data []byte) int
	// Header is the length of the header that data, the beginning of an input, begins with: 0 if inputs have none, -1 if it goes on
	// beyond data.
	Header(data []byte) int
	// Splittable reports whether every line break ends a record, so that reading can begin behind any of them.
	Splittable() bool
	// NewDecoder returns a decoder of records that come after the header, which is empty if inputs have none.
	NewDecoder(header []byte) (Decoder, error)
}

// Decoder turns records into batches. It is used by one goroutine at a time.
type Decoder interface {
	// Decode decodes whole records from the beginning of data, until there is no more or the batch has the given number of rows.
	// At least Padding bytes of capacity follow data.
	Decode(data []byte, rows int) Chunk
}

// Chunk is what was found in a stretch of records.
type Chunk struct {
	Batch vec.Batch // owned by the receiver
	Bytes int       // length of the stretch
	Lines int       // line breaks in it
	// RowLines holds the line of each row, counted from the start of the stretch; nil: the i-th row is on the i-th line.
	RowLines []int32
	Bad      []Bad
}

// RowLine is the line of a row of the batch, counted from 0 at the start of the stretch.
func (c Chunk) RowLine(row int) int {
	if c.RowLines == nil {
		return row
	}
	return int(c.RowLines[row])
}

// Bad is a record that could not become a row.
type Bad struct {
	Line   int // of its first byte, counted from 0 at the start of the stretch
	Field  string
	Reason string
	Raw    []byte // the record without its line break; a copy
}

// OutputSpec is what a sink asks of a format.
type OutputSpec struct {
	Schema  *arrow.Schema
	Zone    *time.Location // TIMESTAMP_LTZ is written as this zone's wall clock; nil: as UTC with a Z
	Options *connector.Options
}

// Output turns batches into bytes. It is used by one goroutine.
type Output interface {
	// Header appends what an output begins with.
	Header(dst []byte) []byte
	// Append appends the selected rows of the batch, which stays the caller's.
	Append(dst []byte, b vec.Batch) []byte
}
