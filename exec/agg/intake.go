package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// keeping is what a function that keeps the rows of its groups takes of them.
type keeping struct {
	name     string
	record   record // what is kept of a row
	required []int  // the arguments that are not NULL in a row that counts
	weight   int    // the argument, a BIGINT, that says how often a row counts, not at all if it is negative; -1: once
	// parameter is the argument that has to be the same in every row of a group; -1: none. check refuses values of it.
	parameter     int
	parameterType arrow.DataType
	check         func(p parameter) error
}

// keep is keeping without weight and parameter.
func keep(name string, kept record, required ...int) keeping {
	return keeping{name: name, record: kept, required: required, weight: -1, parameter: -1}
}

// call is the function as a call, of which New is missing. The state columns are a list for each argument that is kept, then one of
// how often the rows are there if counted, and the parameter if there is one.
func (k keeping) call(args []arrow.DataType, result arrow.DataType, counted bool) Call {
	call := Call{Args: args, Result: result, Nullable: true, Mergeable: true, StateTypes: k.record.stateTypes()}
	if counted {
		call.StateTypes = append(call.StateTypes, arrow.ListOf(bigint))
	}
	if k.parameter >= 0 {
		call.Parameters = []int{k.parameter}
		call.StateTypes = append(call.StateTypes, k.parameterType)
	}
	return call
}

// intake turns the rows of an input, or of states, into bytes, and keeps the parameters of the groups. A group's row holds a number
// that is the matter of the accumulator around it, then that of its parameter.
type intake struct {
	keeping
	mem        memory.Allocator
	parameters parameters
	selection
	weights wholes

	// What was taken last: the rows that count, with the group of each, how often it counts, negative if it is retracted, and the
	// number of its parameter.
	groups  []uint32
	counts  []int64
	numbers []uint32
	data    []byte
	ends    []int
}

func newIntake(k keeping, mem memory.Allocator) intake {
	t := intake{keeping: k, mem: mem}
	if k.parameter >= 0 {
		t.parameters = newParameters(k.name, k.parameter, k.parameterType, k.check)
	}
	return t
}

func (t *intake) Width() int { return 8 }

// parameterOf is where the number of a group's parameter is.
func parameterOf(rows state.Rows, group uint32) *uint32 {
	return state.At[uint32](rows.Field(4), group)
}

func (t *intake) reset() {
	t.groups, t.counts, t.numbers, t.data, t.ends = t.groups[:0], t.counts[:0], t.numbers[:0], t.data[:0], t.ends[:0]
}

// row is the bytes of the i-th row taken.
func (t *intake) row(i int) []byte {
	if i == 0 {
		return t.data[:t.ends[0]]
	}
	return t.data[t.ends[i-1]:t.ends[i]]
}

// take takes the rows of an input.
func (t *intake) take(groups []uint32, in Input) error {
	t.reset()
	sel, groups := t.notNull(Input{Args: pickArgs(in.Args, t.required), Rows: in.Rows, Sel: in.Sel}, groups)
	if len(groups) == 0 {
		return nil
	}
	read, weigh, number := t.record.reader(pickArgs(in.Args, t.record.args)), t.weigher(in), t.numberer(in.Args, t.parameter)
	for i, row := range t.all(sel, len(groups)) {
		n := weigh(row)
		if n == 0 {
			continue
		}
		p, err := number(int(row))
		if err != nil {
			return err
		}
		t.data = read(t.data, int(row))
		t.add(groups[i], n, p)
	}
	return nil
}

// add ends a row whose bytes have been appended to the data.
func (t *intake) add(group uint32, n int64, parameter uint32) {
	t.groups, t.counts, t.numbers = append(t.groups, group), append(t.counts, n), append(t.numbers, parameter)
	t.ends = append(t.ends, len(t.data))
}

// weigher gives the function that tells how often a row counts, negative if it is retracted.
func (t *intake) weigher(in Input) func(row uint32) int64 {
	if t.weight < 0 {
		return func(row uint32) int64 { return int64(signOf(in.Kinds, row)) }
	}
	counts := t.weights.of(in.Args[t.weight])
	return func(row uint32) int64 { return max(counts[row], 0) * int64(signOf(in.Kinds, row)) }
}

// numberer gives the function that tells the number of the parameter in a row, if there is one, which is in the column at.
func (t *intake) numberer(columns []arrow.Array, at int) func(row int) (uint32, error) {
	if t.parameter < 0 {
		return func(int) (uint32, error) { return 0, nil }
	}
	return t.parameters.reader(columns[at])
}

// note notes the parameter of the i-th row taken for its group.
func (t *intake) note(rows state.Rows, i int) error {
	if t.parameter < 0 {
		return nil
	}
	return t.parameters.note(parameterOf(rows, t.groups[i]), t.numbers[i])
}

// forget says that a group has no rows any more: the next ones may have another parameter.
func (t *intake) forget(rows state.Rows, group uint32) {
	number := parameterOf(rows, group)
	t.parameters.release(*number)
	*number = 0
}

// takeState takes the rows of states.
func (t *intake) takeState(groups []uint32, columns []arrow.Array) error {
	t.reset()
	kept := t.record.listed(columns)
	defer kept.release()
	count := func(int) int64 { return 1 }
	if n := len(t.record.types); n < len(columns) && columns[n].DataType().ID() == arrow.LIST {
		counts := elements(columns[n].(*array.List))
		defer counts.Release()
		values := vec.Values[int64](counts)
		count = func(row int) int64 { return values[row] }
	}
	number := t.numberer(columns, len(columns)-1)
	for i, g := range groups {
		from, to := kept.rows(i)
		if from == to {
			continue
		}
		p, err := number(i)
		if err != nil {
			return err
		}
		for row := from; row < to; row++ {
			t.data = kept.read(t.data, row)
			t.add(g, count(row), p)
		}
	}
	return nil
}

// states builds the state columns.
type states struct {
	*lists
	intake  *intake
	counts  []int64
	numbers []uint32 // of parameters
}

func (t *intake) states() *states { return &states{lists: t.record.newLists(t.mem), intake: t} }

// add adds a row to the current group, which end then ends.
func (s *states) add(row []byte, n int64) {
	s.lists.append(row)
	s.counts = append(s.counts, n)
}

func (s *states) end(rows state.Rows, group uint32) {
	s.lists.end()
	s.numbers = append(s.numbers, *parameterOf(rows, group))
}

func (s *states) columns(counted bool) []arrow.Array {
	columns := s.lists.columns()
	if counted {
		columns = append(columns, list(s.mem, s.offsets, buildFixed(s.mem, bigint, s.counts, nil)))
	}
	if s.intake.parameter >= 0 {
		columns = append(columns, s.intake.parameters.column(s.mem, s.numbers))
	}
	return columns
}
