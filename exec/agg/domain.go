package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// domain is how values of a column type are read, kept one by one, ordered and written, for state that is not a row's.
type domain[T any] struct {
	dt      arrow.DataType
	compare func(a, b T) int
	read    func(arr arrow.Array) func(row int) T
	// build makes a column; present, unless nil, tells which values are not NULL.
	build func(mem memory.Allocator, values []T, present []bool) arrow.Array
}

func orderedDomain[T ordered](dt arrow.DataType) domain[T] {
	return domain[T]{
		dt:      dt,
		compare: compareOrdered[T],
		read: func(arr arrow.Array) func(int) T {
			values := vec.Values[T](arr)
			return func(row int) T { return values[row] }
		},
		build: func(mem memory.Allocator, values []T, present []bool) arrow.Array {
			return buildFixed(mem, dt, values, present)
		},
	}
}

// compareOrdered orders NaN after every other value.
func compareOrdered[T ordered](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	case a == a:
		return -1
	case b == b:
		return 1
	}
	return 0
}

func buildFixed[T any](mem memory.Allocator, dt arrow.DataType, values []T, present []bool) arrow.Array {
	buf, out := vec.NewFixed[T](mem, len(values))
	copy(out, values)
	valid, nulls := presence(mem, present)
	return vec.MakeArray(dt, len(values), nulls, valid, buf)
}

func presence(mem memory.Allocator, present []bool) (valid *memory.Buffer, nulls int) {
	return validity(mem, len(present), func(row int) bool { return present[row] })
}

func decimalDomain(dt arrow.DataType) domain[decimal128.Num] {
	return domain[decimal128.Num]{
		dt:      dt,
		compare: decimal128.Num.Cmp,
		read: func(arr arrow.Array) func(int) decimal128.Num {
			values := vec.Values[decimal128.Num](arr)
			return func(row int) decimal128.Num { return values[row] }
		},
		build: func(mem memory.Allocator, values []decimal128.Num, present []bool) arrow.Array {
			return buildFixed(mem, dt, values, present)
		},
	}
}

func booleanDomain(dt arrow.DataType) domain[uint8] {
	return domain[uint8]{
		dt:      dt,
		compare: compareOrdered[uint8],
		read: func(arr arrow.Array) func(int) uint8 {
			values := arr.(*array.Boolean)
			return func(row int) uint8 {
				if values.Value(row) {
					return 1
				}
				return 0
			}
		},
		build: func(mem memory.Allocator, values []uint8, present []bool) arrow.Array {
			buf, bits := vec.NewBitmap(mem, len(values))
			for i, v := range values {
				bitutil.SetBitTo(bits, i, v != 0)
			}
			valid, nulls := presence(mem, present)
			return vec.MakeArray(dt, len(values), nulls, valid, buf)
		},
	}
}
