package agg

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// bagFunction is a function of all values of a group, whatever their order.
type bagFunction struct {
	name     string
	result   arrow.DataType
	record   record // what is kept of a row
	required []int  // the arguments that are not NULL in a row that counts
	weight   int    // the argument, a BIGINT, that says how often a row counts; -1: once
	// parameter is the argument that has to be the same in every row of a group; -1: none. check refuses values of it.
	parameter     int
	parameterType arrow.DataType
	check         func(p parameter) error
	// limit is how many of the greatest values are enough; nil: all are needed.
	limit func(p parameter) int64
	// append appends the result for a bag in which there is something.
	append func(a *bagged, b array.Builder, set *bag, p parameter) error
}

// newBagFunction is a function without weight and parameter.
func newBagFunction(name string, result arrow.DataType, kept record, required ...int) bagFunction {
	return bagFunction{name: name, result: result, record: kept, required: required, weight: -1, parameter: -1}
}

// call is the function as a call with its arguments of these types.
func (f bagFunction) call(args []arrow.DataType, opt Options) Call {
	call := Call{
		Args: args, Result: f.result, Nullable: true, Mergeable: true,
		StateTypes: append(f.record.stateTypes(), arrow.ListOf(bigint)),
	}
	if f.parameter >= 0 {
		call.Parameters = []int{f.parameter}
		call.StateTypes = append(call.StateTypes, f.parameterType)
	}
	if opt.Retract {
		f.limit = nil // when one goes, the next counts
	}
	call.New = func(mem memory.Allocator) Accumulator {
		a := &bagged{bagFunction: f, mem: mem}
		if f.parameter >= 0 {
			a.parameters = newParameters(f.name, f.parameter, f.parameterType, f.check)
		}
		return a
	}
	return call
}

// bagged keeps the values of each group in order, equal ones once. A row is the number of the group's bag, then that of its
// parameter. The state columns are a list for each argument that is kept, one of how often they are there and, if there is one, the
// parameter.
type bagged struct {
	bagFunction
	mem memory.Allocator
	bags
	parameters parameters
	selection
	counts  wholes
	scratch []byte
}

func (a *bagged) Width() int { return 8 }

// parameterOf is where the number of a group's parameter is.
func parameterOf(rows state.Rows, group uint32) *uint32 {
	return state.At[uint32](rows.Field(4), group)
}

func (a *bagged) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(Input{Args: pickArgs(in.Args, a.required), Rows: in.Rows, Sel: in.Sel}, groups)
	if len(groups) == 0 {
		return nil
	}
	set := a.setter(in.Args, a.parameter)
	weight := a.weights(in)
	read := a.record.reader(a.record.pick(in.Args))
	for i, row := range a.all(sel, len(groups)) {
		n, err := weight(row)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		if err := set(parameterOf(rows, groups[i]), int(row)); err != nil {
			return err
		}
		a.scratch = read(a.scratch[:0], int(row))
		a.include(rows, groups[i], a.scratch, n)
	}
	return nil
}

// setter is that of the parameter, if there is one, which is in the column at.
func (a *bagged) setter(columns []arrow.Array, at int) func(number *uint32, row int) error {
	if a.parameter < 0 {
		return func(*uint32, int) error { return nil }
	}
	return a.parameters.setter(columns[at])
}

// weights gives the function that tells how often a row counts, negative if it is retracted.
func (a *bagged) weights(in Input) func(row uint32) (int64, error) {
	if a.weight < 0 {
		return func(row uint32) (int64, error) { return int64(signOf(in.Kinds, row)), nil }
	}
	counts := a.counts.of(in.Args[a.weight])
	return func(row uint32) (int64, error) {
		if counts[row] < 0 {
			return 0, fmt.Errorf("%s takes how often a value counts as its %s argument, got %d", a.name, ordinals[a.weight], counts[row])
		}
		return counts[row] * int64(signOf(in.Kinds, row)), nil
	}
}

// include changes the count of a row in a group's bag. When nothing is left the group may have another parameter.
func (a *bagged) include(rows state.Rows, group uint32, row []byte, n int64) {
	set := a.make(rows, group)
	a.add(set, row, n)
	at := parameterOf(rows, group)
	if a.limit != nil {
		for limit := a.limit(a.parameters.of(*at)); set.present > limit; {
			least, _ := set.least()
			a.add(set, a.get(least, nil), -1)
		}
	}
	if set.len == 0 {
		a.parameters.release(*at)
		*at = 0
	}
}

func (a *bagged) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	kept := a.record.listed(columns)
	defer kept.release()
	counts := elements(columns[len(a.record.types)].(*array.List))
	defer counts.Release()
	count := vec.Values[int64](counts)
	set := a.setter(columns, len(columns)-1)
	for i, g := range groups {
		from, to := kept.rows(i)
		if from == to {
			continue
		}
		if err := set(parameterOf(rows, g), i); err != nil {
			return err
		}
		for j := from; j < to; j++ {
			a.scratch = kept.read(a.scratch[:0], j)
			a.include(rows, g, a.scratch, count[j])
		}
	}
	return nil
}

func (a *bagged) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	kept := a.record.newLists(a.mem)
	var counts []int64
	parameters := make([]uint32, 0, len(groups))
	for _, g := range groups {
		if set := a.of(rows, g); set != nil {
			for v, n := range set.all() {
				kept.append(a.get(v, nil))
				counts = append(counts, n)
			}
		}
		kept.end()
		parameters = append(parameters, *parameterOf(rows, g))
	}
	columns := append(kept.columns(), list(a.mem, kept.offsets, buildFixed(a.mem, bigint, counts, nil)))
	if a.parameter >= 0 {
		columns = append(columns, a.parameters.column(a.mem, parameters))
	}
	return columns, nil
}

func (a *bagged) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	b := array.NewBuilder(a.mem, a.result)
	defer b.Release()
	for _, g := range groups {
		set := a.of(rows, g)
		if set == nil || set.present == 0 {
			b.AppendNull()
			continue
		}
		if err := a.append(a, b, set, a.parameters.of(*parameterOf(rows, g))); err != nil {
			return nil, err
		}
	}
	return b.NewArray(), nil
}

func (a *bagged) Free(rows state.Rows, groups []uint32) {
	for _, g := range groups {
		a.parameters.release(*parameterOf(rows, g))
	}
	a.bags.Free(rows, groups)
}
