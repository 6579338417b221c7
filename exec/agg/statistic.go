package agg

import (
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// statistic is the frame of functions over a few sums of powers, or products, of how far numbers are from the group's origin: its
// first number, or pair of them. The origin keeps the sums small, so that large numbers that lie close together keep their digits.
// A row is a basis and the sums. The state columns are the counts and the origin and, for each sum, two of DOUBLE that add up to it.
type statistic struct {
	mem  memory.Allocator
	sums int
	// move makes the sums of n numbers those about an origin that lies x, y lower.
	move   func(sums []doubleDouble, n float64, x, y doubleDouble)
	result func(n float64, b basis, sums []doubleDouble) (v float64, ok bool)
	selection
}

// basis is what sums are to be read with.
type basis struct {
	n int64 // of the values, or pairs, that are not NULL
	// odd is the number of those that are in no sum: too far out, infinite, or NaN. They are counted so that they can be
	// retracted. While there are any, the result is NaN.
	odd  int64
	x, y float64 // the origin
}

const (
	basisColumns = 4
	basisWidth   = int(unsafe.Sizeof(basis{}))
	sumWidth     = int(unsafe.Sizeof(doubleDouble{}))
)

// empty reports whether nothing is in the sums.
func (b *basis) empty() bool { return b.n == b.odd }

// statisticState is the state types of a statistic.
func statisticState(sums int) []arrow.DataType {
	types := []arrow.DataType{bigint, bigint, double, double}
	for range 2 * sums {
		types = append(types, double)
	}
	return types
}

func (a *statistic) Width() int { return basisWidth + a.sums*sumWidth }

// of is the state of a group.
func (a *statistic) of(rows state.Rows, group uint32) (*basis, []doubleDouble) {
	return state.At[basis](rows, group), unsafe.Slice(state.At[doubleDouble](rows.Field(basisWidth), group), a.sums)
}

func (a *statistic) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	counts, odd := vec.Values[int64](columns[0]), vec.Values[int64](columns[1])
	x, y := vec.Values[float64](columns[2]), vec.Values[float64](columns[3])
	words := make([][]float64, 2*a.sums)
	for i := range words {
		words[i] = vec.Values[float64](columns[basisColumns+i])
	}
	other := make([]doubleDouble, a.sums)
	for i, g := range groups {
		for s := range other {
			other[s] = doubleDouble{words[2*s][i], words[2*s+1][i]}
		}
		b, sums := a.of(rows, g)
		a.absorb(b, sums, basis{counts[i], odd[i], x[i], y[i]}, other)
	}
	return nil
}

// absorb adds the state of other numbers, which it overwrites.
func (a *statistic) absorb(b *basis, sums []doubleDouble, o basis, other []doubleDouble) {
	switch {
	case o.empty():
	case b.empty():
		b.x, b.y = o.x, o.y
		copy(sums, other)
	default:
		a.move(other, float64(o.n-o.odd), difference(o.x, b.x), difference(o.y, b.y))
		for i := range sums {
			sums[i] = sums[i].add(other[i])
		}
	}
	b.n += o.n
	b.odd += o.odd
}

func (a *statistic) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	columns := []arrow.Array{
		column[int64](a.mem, bigint, rows, groups),
		column[int64](a.mem, bigint, rows.Field(int(unsafe.Offsetof(basis{}.odd))), groups),
	}
	for at := int(unsafe.Offsetof(basis{}.x)); at < a.Width(); at += 8 {
		columns = append(columns, column[float64](a.mem, double, rows.Field(at), groups))
	}
	return columns, nil
}

func (a *statistic) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, values := vec.NewFixed[float64](a.mem, len(groups))
	present := make([]bool, len(groups))
	for i, g := range groups {
		b, sums := a.of(rows, g)
		if b.n <= 0 {
			values[i] = 0
			continue
		}
		values[i], present[i] = a.result(float64(b.n), *b, sums)
		if b.odd > 0 {
			values[i] = math.NaN()
		}
	}
	valid, nulls := presence(a.mem, present)
	return vec.MakeArray(double, len(groups), nulls, valid, buf), nil
}

// codeviation is the sum of the products of two variables' distances from their means, by the sums of the n values of each and of
// their products; scale is how large the latter may have been. What only rounding has left is 0.
func codeviation(n float64, x, y, products doubleDouble, scale float64) doubleDouble {
	d := products.sub(x.mul(y).over(n))
	if math.Abs(d.hi) < 1e-29*scale {
		return doubleDouble{}
	}
	return d
}

// deviation is codeviation of a variable and itself.
func deviation(n float64, x, squares doubleDouble) doubleDouble {
	d := codeviation(n, x, x, squares, squares.hi)
	if d.hi < 0 {
		return doubleDouble{}
	}
	return d
}

// signOf is 1 for a row that adds and -1 for one that retracts.
func signOf(kinds []vec.Kind, row uint32) float64 {
	if kinds == nil {
		return 1
	}
	return float64(sign(kinds[row]))
}
