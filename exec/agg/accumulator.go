// Package agg holds the aggregate functions: how a call is resolved by the types of its arguments, and the accumulators that
// keep the state of all groups of one call.
//
// An aggregate is one file that registers a Function; the registration also puts it into the conformance test, SHOW FUNCTIONS
// and the documentation.
package agg

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// Input is the arguments of one call for the selected rows of a batch. A row whose kind retracts takes back an equal row that was
// given before.
type Input struct {
	Args  []arrow.Array // of the call's argument types
	Rows  int           // the length of every argument
	Sel   []uint32      // the rows that count, ascending; nil: all
	Kinds []vec.Kind    // by row; nil: every row is an insert
}

// Len is the number of rows that count.
func (in Input) Len() int {
	if in.Sel != nil {
		return len(in.Sel)
	}
	return in.Rows
}

// Row is the i-th row that counts.
func (in Input) Row(i int) int {
	if in.Sel != nil {
		return int(in.Sel[i])
	}
	return i
}

// Accumulator is one aggregate call for all groups. The state of a group is Width bytes of its row, seen through rows; zero bytes
// are the state of no input. What does not fit into them the accumulator keeps itself and is then a Freer too.
type Accumulator interface {
	// Width is the bytes of state in a row, a multiple of 8.
	Width() int
	// Update adds the rows of in; groups[i] is the group of the i-th that counts. After an error the state is undefined.
	Update(rows state.Rows, groups []uint32, in Input) error
	// Merge adds states, as State returned them: row i of each column belongs to groups[i].
	Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error
	// State returns the state of the groups as columns of the call's state types and leaves it as it is.
	State(rows state.Rows, groups []uint32) ([]arrow.Array, error)
	// Result returns the results of the groups and leaves their state as it is.
	Result(rows state.Rows, groups []uint32) (arrow.Array, error)
}

// Folder is implemented by accumulators that add rows to a single group faster than Update does.
type Folder interface {
	// Fold does what Update would with inserts that all belong to one group.
	Fold(rows state.Rows, group uint32, in Input) error
}

// Freer is implemented by accumulators that keep state beside the rows.
type Freer interface {
	// Free gives up what is kept for groups that are about to be deleted.
	Free(rows state.Rows, groups []uint32)
	// Bytes is the memory that is kept.
	Bytes() int64
}
