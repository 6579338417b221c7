package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func init() {
	registerBits(Function{
		Name: "BIT_AND", Doc: "The bits that are set in all values that are not NULL.", Idempotent: true,
		Example: "SELECT BIT_AND(x) FROM (VALUES (6), (3), (NULL)) AS t (x)", ExampleResult: "2",
	}, func(a, b int64) int64 { return a & b }, func(count, n int64) bool { return count == n })
	registerBits(Function{
		Name: "BIT_OR", Doc: "The bits that are set in one of the values that are not NULL.", Idempotent: true,
		Example: "SELECT BIT_OR(x) FROM (VALUES (6), (3), (NULL)) AS t (x)", ExampleResult: "7",
	}, func(a, b int64) int64 { return a | b }, func(count, _ int64) bool { return count > 0 })
	registerBits(Function{
		Name: "BIT_XOR", Doc: "The bits that are set in an odd number of the values that are not NULL.",
		Example: "SELECT BIT_XOR(x) FROM (VALUES (6), (3), (NULL)) AS t (x)", ExampleResult: "5",
	}, func(a, b int64) int64 { return a ^ b }, nil)
}

// registerBits registers a function that folds integers. If fold does not undo itself, test tells whether a bit is set by the number
// of values of n that have it.
func registerBits(f Function, fold func(a, b int64) int64, test func(count, n int64) bool) {
	f.Signature = f.Name + "([DISTINCT] integer)"
	if f.Idempotent {
		f.Signature = f.Name + "(integer)"
	}
	f.Resolve = func(args []arrow.DataType, opt Options) (Call, error) {
		if err := oneArg(f.Name, args); err != nil {
			return Call{}, err
		}
		dt := args[0]
		if !isInteger(dt) {
			return Call{}, wrongType(f.Name, "an integer", args)
		}
		call := Call{Args: args, Result: dt, Nullable: true, Mergeable: true}
		if opt.Retract && test != nil {
			call.StateTypes = []arrow.DataType{bigint, arrow.ListOf(bigint)}
			call.New = func(mem memory.Allocator) Accumulator {
				return &bitCounts{dt: dt, bits: dt.(arrow.FixedWidthDataType).BitWidth(), test: test, mem: mem}
			}
			return call, nil
		}
		call.StateTypes = []arrow.DataType{bigint, bigint}
		call.New = func(mem memory.Allocator) Accumulator { return &bitFolds{dt: dt, fold: fold, mem: mem} }
		return call, nil
	}
	Register(f)
}

// bitFold is the fold of n values.
type bitFold struct {
	value int64
	n     int64
}

const foldedAt = 8

// bitFolds folds integers that are never retracted, or by a function that undoes itself. Its state columns are those of bitFold.
type bitFolds struct {
	dt   arrow.DataType
	fold func(a, b int64) int64
	mem  memory.Allocator
	selection
	x wholes
}

func (a *bitFolds) Width() int { return 16 }

func (a *bitFolds) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	x := a.x.of(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		a.include(state.At[bitFold](rows, groups[i]), x[row], int64(signOf(in.Kinds, row)))
	}
	return nil
}

func (a *bitFolds) include(f *bitFold, v, n int64) {
	if f.n == 0 {
		f.value = v
	} else {
		f.value = a.fold(f.value, v)
	}
	f.n += n
}

func (a *bitFolds) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	values, counts := vec.Values[int64](columns[0]), vec.Values[int64](columns[1])
	for i, g := range groups {
		if counts[i] != 0 {
			a.include(state.At[bitFold](rows, g), values[i], counts[i])
		}
	}
	return nil
}

func (a *bitFolds) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{
		column[int64](a.mem, bigint, rows, groups),
		column[int64](a.mem, bigint, rows.Field(foldedAt), groups),
	}, nil
}

func (a *bitFolds) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	values, present := make([]int64, len(groups)), make([]bool, len(groups))
	for i, g := range groups {
		f := state.At[bitFold](rows, g)
		values[i], present[i] = f.value, f.n > 0
	}
	return narrowed(a.mem, a.dt, values, present), nil
}

// bitCounts counts for each bit the values that have it, so that they can be retracted. A row is the number of values, then those
// of each bit. Its state columns are the number of values and the list of the others.
type bitCounts struct {
	dt   arrow.DataType
	bits int
	test func(count, n int64) bool
	mem  memory.Allocator
	selection
	x wholes
}

func (a *bitCounts) Width() int { return 8 * (1 + a.bits) }

// count is how many values of a group have the bit.
func (a *bitCounts) count(rows state.Rows, group uint32, bit int) *int64 {
	return state.At[int64](rows.Field(8*(1+bit)), group)
}

func (a *bitCounts) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	x := a.x.of(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		sign := int64(signOf(in.Kinds, row))
		*state.At[int64](rows, groups[i]) += sign
		for bit := range a.bits {
			*a.count(rows, groups[i], bit) += sign * (x[row] >> bit & 1)
		}
	}
	return nil
}

func (a *bitCounts) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	totals, counts := vec.Values[int64](columns[0]), elements(columns[1].(*array.List))
	defer counts.Release()
	values := vec.Values[int64](counts)
	for i, g := range groups {
		*state.At[int64](rows, g) += totals[i]
		for bit := range a.bits {
			*a.count(rows, g, bit) += values[i*a.bits+bit]
		}
	}
	return nil
}

func (a *bitCounts) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	offsets := make([]int32, 1, len(groups)+1)
	var counts []int64
	for _, g := range groups {
		for bit := range a.bits {
			counts = append(counts, *a.count(rows, g, bit))
		}
		offsets = append(offsets, int32(len(counts)))
	}
	return []arrow.Array{
		column[int64](a.mem, bigint, rows, groups),
		list(a.mem, offsets, buildFixed(a.mem, bigint, counts, nil)),
	}, nil
}

func (a *bitCounts) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	values, present := make([]int64, len(groups)), make([]bool, len(groups))
	for i, g := range groups {
		n := *state.At[int64](rows, g)
		for bit := range a.bits {
			if a.test(*a.count(rows, g, bit), n) {
				values[i] |= 1 << bit
			}
		}
		present[i] = n > 0
	}
	return narrowed(a.mem, a.dt, values, present), nil
}
