package agg

import (
	"fmt"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// decimals totals DECIMALs of one scale. Its state columns are the sums, as the unscaled 128-bit integers they are, and the
// counts.
type decimals struct {
	name string // of the function, for errors
	dt   *arrow.Decimal128Type
	mem  memory.Allocator
	selection
}

// decimalTotal is total for 128 bits.
type decimalTotal struct {
	lo uint64
	hi int64
	n  int64
}

const decimalCountAt = 16

// add adds sign times v and reports whether the sum left 128 bits.
func (t *decimalTotal) add(v decimal128.Num, sign int64) (overflow bool) {
	lo, hi := v.LowBits(), v.HighBits()
	var carry uint64
	if sign > 0 {
		t.lo, carry = bits.Add64(t.lo, lo, 0)
		sum := t.hi + hi + int64(carry)
		overflow = (t.hi^sum)&(hi^sum) < 0
		t.hi = sum
	} else {
		t.lo, carry = bits.Sub64(t.lo, lo, 0)
		sum := t.hi - hi - int64(carry)
		overflow = (t.hi^hi)&(t.hi^sum) < 0
		t.hi = sum
	}
	t.n += sign
	return overflow
}

func (a *decimals) Width() int { return 24 }

func (a *decimals) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	values := vec.Values[decimal128.Num](in.Args[0])
	for i, row := range a.all(sel, len(groups)) {
		s := int64(1)
		if in.Kinds != nil {
			s = sign(in.Kinds[row])
		}
		if state.At[decimalTotal](rows, groups[i]).add(values[row], s) {
			return overflowError(a.name, a.dt)
		}
	}
	return nil
}

func (a *decimals) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	sums, counts := vec.Values[decimal128.Num](columns[0]), vec.Values[int64](columns[1])
	for i, g := range groups {
		t := state.At[decimalTotal](rows, g)
		if t.add(sums[i], 1) {
			return overflowError(a.name, a.dt)
		}
		t.n += counts[i] - 1
	}
	return nil
}

func (a *decimals) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{
		column[decimal128.Num](a.mem, a.dt, rows, groups),
		column[int64](a.mem, bigint, rows.Field(decimalCountAt), groups),
	}, nil
}

// overflowError is the error of a result that its type cannot hold.
func overflowError(name string, dt arrow.DataType) error {
	return fmt.Errorf("%s overflows %s", name, typeName(dt))
}
