package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

// moments sums the first powers of numbers, two or four of them.
type moments struct {
	statistic
	limit float64 // where the highest power, and a sum of them, would leave the range of DOUBLE
	x     floats
}

// farOut is where squares, and sums of them, would leave the range of DOUBLE.
const farOut = 1e150

// resolveMoments resolves a function of a number's power sums: about the group's origin, the first power's first.
func resolveMoments(
	name string, powers int, args []arrow.DataType, of func(n float64, sums []doubleDouble) (v float64, ok bool),
) (Call, error) {
	read, err := numbers(name, 1, args)
	if err != nil {
		return Call{}, err
	}
	limit := float64(farOut)
	if powers > 2 {
		limit = 1e75
	}
	result := func(n float64, _ basis, sums []doubleDouble) (float64, bool) { return of(n, sums) }
	return Call{
		Args: read, Result: double, Nullable: true, StateTypes: statisticState(powers), Mergeable: true,
		New: func(mem memory.Allocator) Accumulator {
			return &moments{statistic: statistic{mem: mem, sums: powers, move: movePowers, result: result}, limit: limit}
		},
	}, nil
}

func (a *moments) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	x := a.x.of(in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		b, sums := a.of(rows, groups[i])
		a.include(b, sums, x[row], signOf(in.Kinds, row))
	}
	return nil
}

// include starts the sums anew when no value is left, so that rounding does not outlive its cause.
func (a *moments) include(b *basis, sums []doubleDouble, x, sign float64) {
	if x < a.limit && x > -a.limit {
		if b.empty() {
			b.x = x
		}
		addPowers(sums, difference(x, b.x), sign)
	} else {
		b.odd += int64(sign)
	}
	if b.n += int64(sign); b.n == 0 {
		*b = basis{}
		clear(sums)
	}
}

// addPowers adds the powers of d, signed.
func addPowers(sums []doubleDouble, d doubleDouble, sign float64) {
	power := d.times(sign)
	sums[0] = sums[0].add(power)
	for i := 1; i < len(sums); i++ {
		power = power.mul(d)
		sums[i] = sums[i].add(power)
	}
}

// movePowers is the move of power sums, by the binomial theorem.
func movePowers(p []doubleDouble, n float64, d, _ doubleDouble) {
	d2 := d.mul(d)
	if len(p) == 4 {
		d3 := d2.mul(d)
		p[3] = p[3].add(p[2].mul(d).times(4)).add(p[1].mul(d2).times(6)).add(p[0].mul(d3).times(4)).add(d2.mul(d2).times(n))
		p[2] = p[2].add(p[1].mul(d).times(3)).add(p[0].mul(d2).times(3)).add(d3.times(n))
	}
	p[1] = p[1].add(p[0].mul(d).times(2)).add(d2.times(n))
	p[0] = p[0].add(d.times(n))
}
