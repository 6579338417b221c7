package format

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
)

// Sample is the beginning of an input.
type Sample struct {
	Data []byte
	// Whole tells that this is all of it: otherwise the last record may be cut off.
	Whole bool
}

// Inferred is what a sample tells of its input.
type Inferred struct {
	Fields  []arrow.Field
	Options map[string]string // that the format has found out, such as whether there is a header
}

// Inferrer finds out the columns of an input from its beginning.
type Inferrer func(Sample, *connector.Options) (Inferred, error)
