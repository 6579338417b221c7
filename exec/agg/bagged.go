package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

// bagFunction is a function of all values of a group, whatever their order.
type bagFunction struct {
	keeping
	result arrow.DataType
	// limit is how many of the greatest values are enough; nil: all are needed.
	limit func(p parameter) int64
	// append appends the result for a bag in which there is something.
	append func(a *bagged, b array.Builder, set *bag, p parameter) error
}

// call is the function as a call of arguments of these types.
func (f bagFunction) call(args []arrow.DataType, opt Options) Call {
	if opt.Retract {
		f.limit = nil // when one goes, the next counts
	}
	call := f.keeping.call(args, f.result, true)
	call.New = func(mem memory.Allocator) Accumulator { return newBagged(f, mem) }
	return call
}

// bagged keeps the values of each group in order, equal ones once, in a bag whose number is in the group's row.
type bagged struct {
	intake
	bags
	function bagFunction
	scratch  [packedLen]byte
}

func newBagged(f bagFunction, mem memory.Allocator) *bagged {
	return &bagged{intake: newIntake(f.keeping, mem), function: f}
}

func (a *bagged) Update(rows state.Rows, groups []uint32, in Input) error {
	if err := a.take(groups, in); err != nil {
		return err
	}
	return a.include(rows)
}

func (a *bagged) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	if err := a.takeState(groups, columns); err != nil {
		return err
	}
	return a.include(rows)
}

// include adds what was taken last.
func (a *bagged) include(rows state.Rows) error {
	for i, g := range a.groups {
		if err := a.note(rows, i); err != nil {
			return err
		}
		set := a.make(rows, g)
		a.bags.add(set, a.row(i), a.counts[i])
		if a.function.limit != nil {
			a.cut(set, a.function.limit(a.parameters.of(a.numbers[i])))
		}
		if set.len == 0 {
			a.forget(rows, g)
		}
	}
	return nil
}

// cut leaves the limit of the greatest values.
func (a *bagged) cut(set *bag, limit int64) {
	for set.present > limit {
		least, _ := set.least()
		a.bags.add(set, a.get(least, a.scratch[:0]), -1)
	}
}

func (a *bagged) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	s := a.states()
	for _, g := range groups {
		if set := a.of(rows, g); set != nil {
			for v, n := range set.all() {
				s.add(a.get(v, a.scratch[:0]), n)
			}
		}
		s.end(rows, g)
	}
	return s.columns(true), nil
}

func (a *bagged) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	b := array.NewBuilder(a.mem, a.function.result)
	defer b.Release()
	for _, g := range groups {
		set := a.of(rows, g)
		if set == nil || set.present == 0 {
			b.AppendNull()
			continue
		}
		if err := a.function.append(a, b, set, a.parameters.of(*parameterOf(rows, g))); err != nil {
			return nil, err
		}
	}
	return b.NewArray(), nil
}

func (a *bagged) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		a.forget(rows, g)
	}
	a.bags.Free(rows, groups)
}
