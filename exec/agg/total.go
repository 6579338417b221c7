package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// total is a running sum and the number of values in it.
type total[T int64 | float64] struct {
	sum T
	n   int64
}

// countAt is the place of n behind a sum of 8 bytes.
const countAt = 8

// integers totals BIGINTs. Its state columns are the sums and the counts.
type integers struct {
	name string // of the function, for errors
	mem  memory.Allocator
	selection
}

func (a *integers) Width() int { return 16 }

func (a *integers) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	values := vec.Values[int64](in.Args[0])
	var overflow int64
	switch {
	case in.Kinds != nil:
		overflow = addIntegersSigned(rows, groups, a.all(sel, len(groups)), values, in.Kinds)
	case sel != nil:
		overflow = addIntegersSelected(rows, groups, sel, values)
	default:
		overflow = addIntegers(rows, groups, values)
	}
	return a.check(overflow)
}

// check turns a negative overflow, which the loops collect in its sign, into an error.
func (a *integers) check(overflow int64) error {
	if overflow < 0 {
		return overflowError(a.name, bigint)
	}
	return nil
}

func addIntegers(rows state.Rows, groups []uint32, values []int64) (overflow int64) {
	values = values[:len(groups)]
	for i, g := range groups {
		t, v := state.At[total[int64]](rows, g), values[i]
		sum := t.sum + v
		overflow |= (t.sum ^ sum) & (v ^ sum)
		t.sum = sum
		t.n++
	}
	return overflow
}

func addIntegersSelected(rows state.Rows, groups, sel []uint32, values []int64) (overflow int64) {
	sel = sel[:len(groups)]
	for i, g := range groups {
		t, v := state.At[total[int64]](rows, g), values[sel[i]]
		sum := t.sum + v
		overflow |= (t.sum ^ sum) & (v ^ sum)
		t.sum = sum
		t.n++
	}
	return overflow
}

func addIntegersSigned(rows state.Rows, groups, sel []uint32, values []int64, kinds []vec.Kind) (overflow int64) {
	for i, g := range groups {
		t, v := state.At[total[int64]](rows, g), values[sel[i]]
		var sum int64
		if kinds[sel[i]].Retracts() {
			sum = t.sum - v
			overflow |= (t.sum ^ v) & (t.sum ^ sum)
			t.n--
		} else {
			sum = t.sum + v
			overflow |= (t.sum ^ sum) & (v ^ sum)
			t.n++
		}
		t.sum = sum
	}
	return overflow
}

func (a *integers) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	sums, counts := vec.Values[int64](columns[0]), vec.Values[int64](columns[1])
	var overflow int64
	for i, g := range groups {
		t := state.At[total[int64]](rows, g)
		sum := t.sum + sums[i]
		overflow |= (t.sum ^ sum) & (sums[i] ^ sum)
		t.sum = sum
		t.n += counts[i]
	}
	return a.check(overflow)
}

func (a *integers) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{
		column[int64](a.mem, bigint, rows, groups),
		column[int64](a.mem, bigint, rows.Field(countAt), groups),
	}, nil
}

// doubles totals DOUBLEs. Its state columns are the sums and the counts.
type doubles struct {
	mem memory.Allocator
	selection
}

func (a *doubles) Width() int { return 16 }

func (a *doubles) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	values := vec.Values[float64](in.Args[0])
	switch {
	case in.Kinds != nil:
		addDoublesSigned(rows, groups, a.all(sel, len(groups)), values, in.Kinds)
	case sel != nil:
		for i, g := range groups {
			t := state.At[total[float64]](rows, g)
			t.sum += values[sel[i]]
			t.n++
		}
	default:
		for i, g := range groups {
			t := state.At[total[float64]](rows, g)
			t.sum += values[i]
			t.n++
		}
	}
	return nil
}

// addDoublesSigned starts a total anew when no value is left in it, so that neither rounding nor NaN outlives its cause.
func addDoublesSigned(rows state.Rows, groups, sel []uint32, values []float64, kinds []vec.Kind) {
	for i, g := range groups {
		t, s := state.At[total[float64]](rows, g), sign(kinds[sel[i]])
		t.sum += float64(s) * values[sel[i]]
		if t.n += s; t.n == 0 {
			t.sum = 0
		}
	}
}

func (a *doubles) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	sums, counts := vec.Values[float64](columns[0]), vec.Values[int64](columns[1])
	for i, g := range groups {
		t := state.At[total[float64]](rows, g)
		t.sum += sums[i]
		t.n += counts[i]
	}
	return nil
}

func (a *doubles) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{
		column[float64](a.mem, double, rows, groups),
		column[int64](a.mem, bigint, rows.Field(countAt), groups),
	}, nil
}
