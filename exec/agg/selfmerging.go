package agg

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/state"
)

// selfMerging makes an accumulator of one whose result is its whole state, in the type of its argument.
type selfMerging struct {
	inner interface {
		Width() int
		Update(rows state.Rows, groups []uint32, in Input) error
		Result(rows state.Rows, groups []uint32) (arrow.Array, error)
	}
}

func (a selfMerging) Width() int { return a.inner.Width() }

func (a selfMerging) Update(rows state.Rows, groups []uint32, in Input) error {
	return a.inner.Update(rows, groups, in)
}

func (a selfMerging) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	return a.inner.Update(rows, groups, Input{Args: columns, Rows: len(groups)})
}

func (a selfMerging) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	column, err := a.inner.Result(rows, groups)
	if err != nil {
		return nil, err
	}
	return []arrow.Array{column}, nil
}

func (a selfMerging) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return a.inner.Result(rows, groups)
}

func (a selfMerging) Free(rows state.Rows, groups []uint32) { free(a.inner, rows, groups) }

func (a selfMerging) Bytes() int64 { return bytesOf(a.inner) }

// selfFolding is a selfMerging accumulator that is a Folder.
type selfFolding struct {
	selfMerging
	Folder
}

// free frees groups of an accumulator if it keeps state beside the rows.
func free(a any, rows state.Rows, groups []uint32) {
	if f, ok := a.(Freer); ok {
		f.Free(rows, groups)
	}
}

// bytesOf is the memory an accumulator keeps beside the rows.
func bytesOf(a any) int64 {
	if f, ok := a.(Freer); ok {
		return f.Bytes()
	}
	return 0
}
