package exec

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/agg"
	"streamsql/exec/state"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// accumulators are the aggregates of one operator side by side in the rows of its table.
type accumulators struct {
	calls []accumulator
	width int
}

// accumulator is one aggregate call and its place in a row.
type accumulator struct {
	agg.Accumulator
	args   []int // columns of the input
	filter int   // -1: none
	offset int
	types  []arrow.DataType // of its state
}

func newAccumulators(mem memory.Allocator, calls []plan.AggregateCall) *accumulators {
	v := &accumulators{}
	for _, c := range calls {
		a := accumulator{
			Accumulator: c.Call.New(mem), args: c.Args, filter: c.Filter, offset: v.width, types: c.Call.StateTypes,
		}
		v.width += (a.Width() + 7) &^ 7
		v.calls = append(v.calls, a)
	}
	return v
}

// update applies the selected rows of b, the i-th of which belongs to groups[i].
func (v *accumulators) update(rows state.Rows, groups []uint32, b vec.Batch) error {
	for _, a := range v.calls {
		if err := a.update(rows, groups, b); err != nil {
			return err
		}
	}
	return nil
}

func (a accumulator) update(rows state.Rows, groups []uint32, b vec.Batch) error {
	in := b
	if a.filter >= 0 {
		in, groups = where(b, a.filter, groups)
	}
	return a.Update(rows.Field(a.offset), groups, agg.Input{Args: pick(b, a.args), Rows: b.Rows, Sel: in.Sel, Kinds: b.Kinds})
}

// updateOne applies the selected rows of b, which all belong to one group. many returns as many of that group.
func (v *accumulators) updateOne(rows state.Rows, group uint32, b vec.Batch, many func(n int) []uint32) error {
	for _, a := range v.calls {
		var err error
		if fold, ok := a.Accumulator.(agg.Folder); ok && b.Kinds == nil && a.filter < 0 {
			err = fold.Fold(rows.Field(a.offset), group, agg.Input{Args: pick(b, a.args), Rows: b.Rows, Sel: b.Sel})
		} else {
			err = a.update(rows, many(b.Len()), b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Merge adds state columns, dense: the i-th value belongs to groups[i].
func (v *accumulators) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	for _, a := range v.calls {
		n := len(a.types)
		if err := a.Accumulator.Merge(rows.Field(a.offset), groups, columns[:n]); err != nil {
			return err
		}
		columns = columns[n:]
	}
	return nil
}

func (v *accumulators) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	var all []arrow.Array
	for _, a := range v.calls {
		columns, err := a.Accumulator.State(rows.Field(a.offset), groups)
		if err != nil {
			vec.Batch{Cols: all}.Release()
			return nil, err
		}
		all = append(all, columns...)
	}
	return all, nil
}

// results appends one column for each of the first n calls to cols, which it consumes if it fails.
func (v *accumulators) results(rows state.Rows, groups []uint32, n int, cols []arrow.Array) ([]arrow.Array, error) {
	for _, a := range v.calls[:n] {
		c, err := a.Result(rows.Field(a.offset), groups)
		if err != nil {
			vec.Batch{Cols: cols}.Release()
			return nil, err
		}
		cols = append(cols, c)
	}
	return cols, nil
}

func (v *accumulators) Width() int { return v.width }

func (v *accumulators) Types() (types []arrow.DataType) {
	for _, a := range v.calls {
		types = append(types, a.types...)
	}
	return types
}

func (v *accumulators) Free(rows state.Rows, groups []uint32) {
	for _, a := range v.calls {
		if f, ok := a.Accumulator.(agg.Freer); ok {
			f.Free(rows.Field(a.offset), groups)
		}
	}
}

func (v *accumulators) Bytes() (n int64) {
	for _, a := range v.calls {
		if f, ok := a.Accumulator.(agg.Freer); ok {
			n += f.Bytes()
		}
	}
	return n
}
