package agg

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// ordered is the types whose least and greatest values are found by comparison operators. NaN is greater than every other value.
type ordered interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// extreme is the least or greatest value so far, if there was one.
type extreme[T any] struct {
	value T
	seen  bool
}

// seeking is what the accumulators of MIN and MAX have in common.
type seeking struct {
	dt       arrow.DataType
	greatest bool // MAX
	mem      memory.Allocator
	selection
}

// extremes finds the least or greatest values of rows that are never retracted.
type extremes[T ordered] struct{ seeking }

func (a *extremes[T]) Width() int { return (int(unsafe.Sizeof(extreme[T]{})) + 7) &^ 7 }

func (a *extremes[T]) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	a.add(rows, groups, sel, vec.Values[T](in.Args[0]))
	return nil
}

func (a *extremes[T]) add(rows state.Rows, groups, sel []uint32, values []T) {
	switch {
	case a.greatest && sel == nil:
		keepGreatest(rows, groups, values)
	case a.greatest:
		keepGreatestSelected(rows, groups, sel, values)
	case sel == nil:
		keepLeast(rows, groups, values)
	default:
		keepLeastSelected(rows, groups, sel, values)
	}
}

func keepGreatest[T ordered](rows state.Rows, groups []uint32, values []T) {
	values = values[:len(groups)]
	for i, g := range groups {
		if e, v := state.At[extreme[T]](rows, g), values[i]; !e.seen || v > e.value || v != v {
			e.value, e.seen = v, true
		}
	}
}

func keepGreatestSelected[T ordered](rows state.Rows, groups, sel []uint32, values []T) {
	sel = sel[:len(groups)]
	for i, g := range groups {
		if e, v := state.At[extreme[T]](rows, g), values[sel[i]]; !e.seen || v > e.value || v != v {
			e.value, e.seen = v, true
		}
	}
}

func keepLeast[T ordered](rows state.Rows, groups []uint32, values []T) {
	values = values[:len(groups)]
	for i, g := range groups {
		if e, v := state.At[extreme[T]](rows, g), values[i]; !e.seen || v < e.value || e.value != e.value {
			e.value, e.seen = v, true
		}
	}
}

func keepLeastSelected[T ordered](rows state.Rows, groups, sel []uint32, values []T) {
	sel = sel[:len(groups)]
	for i, g := range groups {
		if e, v := state.At[extreme[T]](rows, g), values[sel[i]]; !e.seen || v < e.value || e.value != e.value {
			e.value, e.seen = v, true
		}
	}
}

// Fold implements Folder.
func (a *extremes[T]) Fold(rows state.Rows, group uint32, in Input) error {
	in = a.present(in)
	values := vec.Values[T](in.Args[0])
	e := state.At[extreme[T]](rows, group)
	if in.Len() == 0 {
		return nil
	}
	if !e.seen {
		*e = extreme[T]{values[in.Row(0)], true}
	}
	if a.greatest {
		e.value = greatestOf(e.value, values, in.Sel)
	} else {
		e.value = leastOf(e.value, values, in.Sel)
	}
	return nil
}

func greatestOf[T ordered](most T, values []T, sel []uint32) T {
	if sel == nil {
		for _, v := range values {
			if v > most || v != v {
				most = v
			}
		}
		return most
	}
	for _, row := range sel {
		if v := values[row]; v > most || v != v {
			most = v
		}
	}
	return most
}

func leastOf[T ordered](least T, values []T, sel []uint32) T {
	if sel == nil {
		for _, v := range values {
			if v < least || least != least {
				least = v
			}
		}
		return least
	}
	for _, row := range sel {
		if v := values[row]; v < least || least != least {
			least = v
		}
	}
	return least
}

func (a *extremes[T]) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, values := vec.NewFixed[T](a.mem, len(groups))
	for i, g := range groups {
		values[i] = state.At[extreme[T]](rows, g).value
	}
	valid, nulls := seen[T](a.mem, rows, groups)
	return vec.MakeArray(a.dt, len(groups), nulls, valid, buf), nil
}

// seen is a validity bitmap of the groups that have an extreme; nil if all have.
func seen[T any](mem memory.Allocator, rows state.Rows, groups []uint32) (*memory.Buffer, int) {
	return validity(mem, len(groups), func(i int) bool { return state.At[extreme[T]](rows, groups[i]).seen })
}
