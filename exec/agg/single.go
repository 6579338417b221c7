package agg

import (
	"unsafe"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

// choice tells which of a group's rows a function takes.
type choice uint8

const (
	takeFirst choice = iota // the first that came
	takeLast                // the last that came
	takeLeast               // the least in the order of its bytes: that of the sort keys, then of the value
)

// singleFunction is a function that takes one of a group's rows.
type singleFunction struct {
	keeping
	result arrow.DataType
	choice choice
}

// call is the function as a call of arguments of these types.
func (f singleFunction) call(args []arrow.DataType, opt Options) Call {
	switch {
	case !opt.Retract:
		call := f.keeping.call(args, f.result, false)
		call.Ordered = f.choice != takeLeast
		call.New = func(mem memory.Allocator) Accumulator { return &single{intake: newIntake(f.keeping, mem), function: f} }
		return call
	case f.choice == takeLeast:
		b := bagFunction{keeping: f.keeping, result: f.result}
		b.append = func(a *bagged, b array.Builder, set *bag, _ parameter) error {
			least, _ := set.least()
			f.write(b, a.get(least, nil))
			return nil
		}
		return b.call(args, opt)
	}
	call := f.keeping.call(args, f.result, false)
	call.Ordered = true
	call.New = func(mem memory.Allocator) Accumulator {
		return &end{sequenced: newSequenced(gatherFunction{keeping: f.keeping}, mem, opt), function: f}
	}
	return call
}

// write appends the value of a row to b.
func (f singleFunction) write(b array.Builder, row []byte) {
	f.record.codecs[f.record.keys].write(b, f.record.value(row))
}

// end takes the first or the last of rows that may be retracted.
type end struct {
	*sequenced
	function singleFunction
}

func (a *end) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	b := array.NewBuilder(a.mem, a.function.result)
	defer b.Release()
	for _, g := range groups {
		q := a.of(rows, g)
		if q == nil || len(q.entries) == 0 {
			b.AppendNull()
			continue
		}
		e := q.entries[0]
		if a.function.choice == takeLast {
			e = q.entries[len(q.entries)-1]
		}
		a.function.write(b, a.get(e.packed, nil))
	}
	return b.NewArray(), nil
}

// single keeps one of the rows of each group, which are never retracted.
type single struct {
	intake
	packs
	function singleFunction

	sel, own []uint32 // what undecided has found last
}

// chosen is the row that a group has kept, if there is one.
type chosen struct {
	packed
	there bool
}

func (a *single) Width() int { return int(unsafe.Sizeof(chosen{})) }

func (a *single) Update(rows state.Rows, groups []uint32, in Input) error {
	if a.function.choice == takeFirst {
		in.Sel, groups = a.undecided(rows, groups, in)
	}
	if err := a.take(groups, in); err != nil {
		return err
	}
	a.include(rows)
	return nil
}

// undecided is the rows of groups that have kept nothing yet, and those groups.
func (a *single) undecided(rows state.Rows, groups []uint32, in Input) (sel, own []uint32) {
	a.sel, a.own = a.sel[:0], a.own[:0]
	for i, g := range groups {
		if !state.At[chosen](rows, g).there {
			a.sel, a.own = append(a.sel, uint32(in.Row(i))), append(a.own, g)
		}
	}
	return a.sel, a.own
}

func (a *single) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	if err := a.takeState(groups, columns); err != nil {
		return err
	}
	a.include(rows)
	return nil
}

// include considers what was taken last.
func (a *single) include(rows state.Rows) {
	for i, g := range a.groups {
		c := state.At[chosen](rows, g)
		if c.there && a.function.choice == takeFirst {
			continue
		}
		v := a.pack(a.row(i))
		if c.there {
			if a.function.choice == takeLeast && a.compare(v, c.packed) >= 0 {
				continue
			}
			a.free(c.packed)
		}
		*c = chosen{a.keep(v), true}
	}
}

func (a *single) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	l := a.record.newLists(a.mem)
	for _, g := range groups {
		if c := state.At[chosen](rows, g); c.there {
			l.append(a.get(c.packed, nil))
		}
		l.end()
	}
	return l.columns(), nil
}

func (a *single) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	b := array.NewBuilder(a.mem, a.function.result)
	defer b.Release()
	for _, g := range groups {
		if c := state.At[chosen](rows, g); c.there {
			a.function.write(b, a.get(c.packed, nil))
		} else {
			b.AppendNull()
		}
	}
	return b.NewArray(), nil
}

func (a *single) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		if c := state.At[chosen](rows, g); c.there {
			a.free(c.packed)
		}
	}
	a.shrink()
}

func (a *single) Bytes() int64 { return a.arena.Bytes() }
