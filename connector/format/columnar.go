package format

import (
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// File is a file that is read at any place.
type File interface {
	io.ReaderAt
	io.Seeker
}

// Columnar is a file that tells its columns itself and holds its rows in groups, column by column. It is used by one goroutine. Its
// file stays the caller's and must be open as long as it is used.
type Columnar interface {
	// Schema is the columns of the file, with any types of Arrow.
	Schema() *arrow.Schema
	// Groups lists the groups in the order of their rows.
	Groups() []Group
	// Read starts to read a group: the columns with the given places in the schema, of which there is at least one. Only the last
	// ColumnReader of a Columnar may be used.
	Read(group int, columns []int, rows int) (ColumnReader, error)
	Close() error
}

// Group is a number of rows that can be read by themselves.
type Group struct {
	Rows  int64
	Bytes int64 // they take up in the file
}

// ColumnReader reads a group from its beginning.
type ColumnReader interface {
	// Next returns the next rows, of at most the wanted number, as one array for each column, which the caller owns. After the last
	// rows it returns io.EOF.
	Next() ([]arrow.Array, error)
	Close()
}

// Opener begins to read a columnar file.
type Opener func(File, memory.Allocator) (Columnar, error)

// Damaged is deferred around calls of a library that trusts a file to be what it says: it makes a panic an error about the file.
func Damaged(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the file is damaged: %v", r)
	}
}
