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

// integer is the types whose values add up in an int64.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

// integers totals integers of any width as BIGINTs. Its state columns are the sums and the counts.
type integers struct {
	name string // of the function, for errors
	add  func(rows state.Rows, groups, sel []uint32, arg arrow.Array, kinds []vec.Kind) (overflow int64)
	mem  memory.Allocator
	wholes
	selection
}

func newIntegers(name string, dt arrow.DataType, mem memory.Allocator) integers {
	return integers{name: name, add: integerLoop(dt), mem: mem}
}

// integerLoop is addIntegers for a column type.
func integerLoop(dt arrow.DataType) func(state.Rows, []uint32, []uint32, arrow.Array, []vec.Kind) int64 {
	switch dt.ID() {
	case arrow.INT8:
		return addIntegers[int8]
	case arrow.INT16:
		return addIntegers[int16]
	case arrow.INT32:
		return addIntegers[int32]
	case arrow.UINT8:
		return addIntegers[uint8]
	case arrow.UINT16:
		return addIntegers[uint16]
	case arrow.UINT32:
		return addIntegers[uint32]
	}
	return addIntegers[int64]
}

func (a *integers) Width() int { return 16 }

func (a *integers) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	if in.Kinds != nil {
		sel = a.all(sel, len(groups))
	}
	return a.check(a.add(rows, groups, sel, in.Args[0], in.Kinds))
}

// Fold implements Folder.
func (a *integers) Fold(rows state.Rows, group uint32, in Input) error {
	in = a.present(in)
	t := state.At[total[int64]](rows, group)
	t.n += int64(in.Len())
	sum, overflow := foldIntegers(t.sum, a.of(in.Args[0]), in.Sel)
	t.sum = sum
	return a.check(overflow)
}

func foldIntegers(start int64, values []int64, sel []uint32) (sum, overflow int64) {
	sum = start
	if sel == nil {
		for _, v := range values {
			next := sum + v
			overflow |= (sum ^ next) & (v ^ next)
			sum = next
		}
		return sum, overflow
	}
	for _, row := range sel {
		v := values[row]
		next := sum + v
		overflow |= (sum ^ next) & (v ^ next)
		sum = next
	}
	return sum, overflow
}

// check turns a negative overflow, which the loops collect in its sign, into an error.
func (a *integers) check(overflow int64) error {
	if overflow < 0 {
		return overflowError(a.name, bigint)
	}
	return nil
}

// addIntegers adds the selected rows of arg, all if sel is nil, which it must not be if there are kinds.
func addIntegers[T integer](rows state.Rows, groups, sel []uint32, arg arrow.Array, kinds []vec.Kind) (overflow int64) {
	values := vec.Values[T](arg)
	switch {
	case kinds != nil:
		return addSignedIntegers(rows, groups, sel, values, kinds)
	case sel != nil:
		return addSelectedIntegers(rows, groups, sel, values)
	}
	return addAllIntegers(rows, groups, values)
}

func addAllIntegers[T integer](rows state.Rows, groups []uint32, values []T) (overflow int64) {
	values = values[:len(groups)]
	for i, g := range groups {
		t, v := state.At[total[int64]](rows, g), int64(values[i])
		sum := t.sum + v
		overflow |= (t.sum ^ sum) & (v ^ sum)
		t.sum = sum
		t.n++
	}
	return overflow
}

func addSelectedIntegers[T integer](rows state.Rows, groups, sel []uint32, values []T) (overflow int64) {
	sel = sel[:len(groups)]
	for i, g := range groups {
		t, v := state.At[total[int64]](rows, g), int64(values[sel[i]])
		sum := t.sum + v
		overflow |= (t.sum ^ sum) & (v ^ sum)
		t.sum = sum
		t.n++
	}
	return overflow
}

func addSignedIntegers[T integer](rows state.Rows, groups, sel []uint32, values []T, kinds []vec.Kind) (overflow int64) {
	for i, g := range groups {
		t, v := state.At[total[int64]](rows, g), int64(values[sel[i]])
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

// doubles totals FLOATs or DOUBLEs as DOUBLEs. Its state columns are the sums and the counts.
type doubles struct {
	add func(rows state.Rows, groups, sel []uint32, arg arrow.Array, kinds []vec.Kind)
	mem memory.Allocator
	floats
	selection
}

func newDoubles(dt arrow.DataType, mem memory.Allocator) doubles {
	if dt.ID() == arrow.FLOAT32 {
		return doubles{add: addDoubles[float32], mem: mem}
	}
	return doubles{add: addDoubles[float64], mem: mem}
}

func (a *doubles) Width() int { return 16 }

func (a *doubles) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	if in.Kinds != nil {
		sel = a.all(sel, len(groups))
	}
	a.add(rows, groups, sel, in.Args[0], in.Kinds)
	return nil
}

// Fold implements Folder. It adds in the order of Update, since the sum depends on it.
func (a *doubles) Fold(rows state.Rows, group uint32, in Input) error {
	in = a.present(in)
	t := state.At[total[float64]](rows, group)
	t.n += int64(in.Len())
	t.sum = foldDoubles(t.sum, a.of(in.Args[0]), in.Sel)
	return nil
}

func foldDoubles(sum float64, values []float64, sel []uint32) float64 {
	if sel == nil {
		for _, v := range values {
			sum += v
		}
		return sum
	}
	for _, row := range sel {
		sum += values[row]
	}
	return sum
}

// addDoubles adds the selected rows of arg, all if sel is nil, which it must not be if there are kinds.
func addDoubles[T float32 | float64](rows state.Rows, groups, sel []uint32, arg arrow.Array, kinds []vec.Kind) {
	values := vec.Values[T](arg)
	switch {
	case kinds != nil:
		addSignedDoubles(rows, groups, sel, values, kinds)
	case sel != nil:
		for i, g := range groups {
			t := state.At[total[float64]](rows, g)
			t.sum += float64(values[sel[i]])
			t.n++
		}
	default:
		for i, g := range groups {
			t := state.At[total[float64]](rows, g)
			t.sum += float64(values[i])
			t.n++
		}
	}
}

// addSignedDoubles starts a total anew when no value is left in it, so that neither rounding nor NaN outlives its cause.
func addSignedDoubles[T float32 | float64](rows state.Rows, groups, sel []uint32, values []T, kinds []vec.Kind) {
	for i, g := range groups {
		t, s := state.At[total[float64]](rows, g), sign(kinds[sel[i]])
		t.sum += float64(s) * float64(values[sel[i]])
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
