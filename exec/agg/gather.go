package agg

import (
	"iter"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

// gatherFunction is a function of the list of a group's values: in the order of its sort keys, in which equal ones follow the order
// of the values, or, without sort keys, in that in which they have come.
type gatherFunction struct {
	keeping
	result arrow.DataType
	// build builds the results of lists, of which those without values give NULL.
	build func(mem memory.Allocator, lists []gathered) (arrow.Array, error)
}

// gathered is the list of a group, as bytes that the record's codecs have written, and the group's parameter.
type gathered struct {
	n         int64
	values    iter.Seq[[]byte] // each is valid until the next
	parameter parameter
}

// call is the function as a call of arguments of these types.
func (f gatherFunction) call(args []arrow.DataType, opt Options) (Call, error) {
	if len(opt.Order) == 0 {
		call := f.keeping.call(args, f.result, false)
		call.Ordered = true
		call.New = func(mem memory.Allocator) Accumulator { return newSequenced(f, mem, opt) }
		return call, nil
	}
	var err error
	if f.record, err = f.record.sorted(args, opt.Order); err != nil {
		return Call{}, err
	}
	call := f.keeping.call(args, f.result, true)
	call.New = func(mem memory.Allocator) Accumulator {
		return &sorted{bagged: newBagged(bagFunction{keeping: f.keeping}, mem), gather: f}
	}
	return call, nil
}

// sorted gathers values in a bag.
type sorted struct {
	*bagged
	gather gatherFunction
}

func (a *sorted) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	all := make([]gathered, len(groups))
	for i, g := range groups {
		all[i] = gathered{values: func(func([]byte) bool) {}}
		if set := a.of(rows, g); set != nil {
			all[i] = gathered{set.present, a.values(set), a.parameters.of(*parameterOf(rows, g))}
		}
	}
	return a.gather.build(a.mem, all)
}

// values yields each value of a bag as often as it is there.
func (a *sorted) values(set *bag) iter.Seq[[]byte] {
	var scratch [packedLen]byte
	return func(yield func([]byte) bool) {
		for v, n := range set.all() {
			for range n {
				if !yield(a.record.value(a.get(v, scratch[:0]))) {
					return
				}
			}
		}
	}
}

// sequenced gathers values in the order in which they come.
type sequenced struct {
	intake
	sequences
	gather gatherFunction
}

func newSequenced(f gatherFunction, mem memory.Allocator, opt Options) *sequenced {
	return &sequenced{intake: newIntake(f.keeping, mem), sequences: sequences{removable: opt.Retract}, gather: f}
}

func (a *sequenced) Update(rows state.Rows, groups []uint32, in Input) error {
	if err := a.take(groups, in); err != nil {
		return err
	}
	return a.include(rows)
}

func (a *sequenced) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	if err := a.takeState(groups, columns); err != nil {
		return err
	}
	return a.include(rows)
}

// include adds what was taken last.
func (a *sequenced) include(rows state.Rows) error {
	for i, g := range a.groups {
		if err := a.note(rows, i); err != nil {
			return err
		}
		q := a.make(rows, g)
		if a.counts[i] > 0 {
			a.push(q, a.row(i))
		} else {
			a.remove(q, a.row(i))
		}
		if len(q.entries) == 0 {
			a.forget(rows, g)
		}
	}
	return nil
}

func (a *sequenced) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	s := a.states()
	for _, g := range groups {
		for v := range a.strings(a.of(rows, g)) {
			s.add(v, 1)
		}
		s.end(rows, g)
	}
	return s.columns(false), nil
}

func (a *sequenced) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	all := make([]gathered, len(groups))
	for i, g := range groups {
		q := a.of(rows, g)
		all[i] = gathered{values: a.strings(q), parameter: a.parameters.of(*parameterOf(rows, g))}
		if q != nil {
			all[i].n = int64(len(q.entries) - q.gone)
		}
	}
	return a.gather.build(a.mem, all)
}

func (a *sequenced) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		a.forget(rows, g)
	}
	a.sequences.Free(rows, groups)
}
