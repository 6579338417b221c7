package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func init() {
	Register(Function{
		Name:      "COUNT",
		Signature: "COUNT(*) | COUNT([DISTINCT] value, …)",
		Doc:       "The number of rows, or of rows in which no argument is NULL.",
		Example:   "SELECT COUNT(x) FROM (VALUES (1), (2), (NULL)) AS t (x)", ExampleResult: "2",
		Resolve: func(args []arrow.DataType, _ Options) (Call, error) {
			return Call{
				Args: args, Result: bigint, StateTypes: []arrow.DataType{bigint}, Mergeable: true,
				New: func(mem memory.Allocator) Accumulator { return &count{mem: mem} },
			}, nil
		},
	})
}

// count keeps an int64. COUNT(*) has no arguments; an operator that is told of retractions by it knows that a group is empty
// when its int64 is 0.
type count struct {
	mem memory.Allocator
	selection
}

func (c *count) Width() int { return 8 }

func (c *count) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := c.notNull(in, groups)
	if in.Kinds == nil {
		for _, g := range groups {
			*state.At[int64](rows, g)++
		}
		return nil
	}
	for i, row := range c.all(sel, len(groups)) {
		*state.At[int64](rows, groups[i]) += sign(in.Kinds[row])
	}
	return nil
}

// Fold implements Folder.
func (c *count) Fold(rows state.Rows, group uint32, in Input) error {
	*state.At[int64](rows, group) += int64(c.present(in).Len())
	return nil
}

func (c *count) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	for i, n := range vec.Values[int64](columns[0]) {
		*state.At[int64](rows, groups[i]) += n
	}
	return nil
}

func (c *count) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{column[int64](c.mem, bigint, rows, groups)}, nil
}

func (c *count) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return column[int64](c.mem, bigint, rows, groups), nil
}
