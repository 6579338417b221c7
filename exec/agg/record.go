package agg

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// record is what is kept of a row: some arguments as bytes, of which the first may be there for the order alone. The bytes of two
// rows compare as the arguments do, one after the other.
type record struct {
	args   []int
	types  []arrow.DataType
	codecs []codec
	keys   int // how many are there for the order; if there are any, their length stands behind the rest in four bytes
}

// newRecord keeps arguments of a call that are not NULL or, if nulls, may be.
func newRecord(types []arrow.DataType, args []int, nulls bool) (record, error) {
	var r record
	for _, arg := range args {
		c, err := codecOf(types[arg])
		if err != nil {
			return r, &ArgumentError{Arg: arg, Msg: err.Error()}
		}
		if nulls {
			c = orNull(c, markNullFirst)
		}
		r.append(arg, types[arg], c)
	}
	return r, nil
}

func (r *record) append(arg int, dt arrow.DataType, c codec) {
	r.args, r.types, r.codecs = append(r.args, arg), append(r.types, dt), append(r.codecs, c)
}

// sorted is the record behind the last arguments of a call, which are its sort keys.
func (r record) sorted(types []arrow.DataType, order []SortKey) (record, error) {
	s := record{keys: len(order)}
	for i, key := range order {
		arg := len(types) - len(order) + i
		c, err := codecOf(types[arg])
		if err != nil {
			return s, &ArgumentError{Arg: arg, Msg: err.Error()}
		}
		if key.Descending {
			c = descending(c)
		}
		null := markNullLast
		if key.NullsFirst {
			null = markNullFirst
		}
		s.append(arg, types[arg], orNull(c, null))
	}
	for i, arg := range r.args {
		s.append(arg, r.types[i], r.codecs[i])
	}
	return s, nil
}

// reader gives the function that appends the bytes of a row. columns are the arguments that are kept, in the order of args.
func (r record) reader(columns []arrow.Array) func(dst []byte, row int) []byte {
	read := make([]func([]byte, int) []byte, len(columns))
	for i, c := range columns {
		read[i] = r.codecs[i].reader(c)
	}
	if len(read) == 1 {
		return read[0]
	}
	return func(dst []byte, row int) []byte {
		start, length := len(dst), 0
		for i, f := range read {
			if i == r.keys {
				length = len(dst) - start
			}
			dst = f(dst, row)
		}
		if r.keys > 0 {
			dst = binary.BigEndian.AppendUint32(dst, uint32(length))
		}
		return dst
	}
}

// value is the bytes of a row without what is there for the order alone.
func (r record) value(b []byte) []byte {
	if r.keys == 0 {
		return b
	}
	end := len(b) - 4
	return b[binary.BigEndian.Uint32(b[end:]):end]
}

func pickArgs(args []arrow.Array, which []int) []arrow.Array {
	picked := make([]arrow.Array, len(which))
	for i, arg := range which {
		picked[i] = args[arg]
	}
	return picked
}

// stateTypes is a list for each argument that is kept.
func (r record) stateTypes() []arrow.DataType {
	types := make([]arrow.DataType, len(r.types))
	for i, dt := range r.types {
		types[i] = arrow.ListOf(dt)
	}
	return types
}

// lists builds the state columns of a record.
type lists struct {
	record
	mem      memory.Allocator
	builders []array.Builder
	offsets  []int32
	rows     int32
}

func (r record) newLists(mem memory.Allocator) *lists {
	l := &lists{record: r, mem: mem, offsets: []int32{0}}
	for _, dt := range r.types {
		l.builders = append(l.builders, array.NewBuilder(mem, dt))
	}
	return l
}

// append adds the bytes of a row to the current lists.
func (l *lists) append(b []byte) {
	for i, c := range l.codecs {
		b = c.write(l.builders[i], b)
	}
	l.rows++
}

// end ends the lists of a group.
func (l *lists) end() { l.offsets = append(l.offsets, l.rows) }

// columns gives the columns and ends the builders.
func (l *lists) columns() []arrow.Array {
	columns := make([]arrow.Array, len(l.builders))
	for i, b := range l.builders {
		columns[i] = list(l.mem, l.offsets, b.NewArray())
		b.Release()
	}
	return columns
}

// listed is the rows of state columns that lists has built.
type listed struct {
	lists *array.List
	cols  []arrow.Array
	read  func(dst []byte, row int) []byte
}

func (r record) listed(columns []arrow.Array) listed {
	l := listed{lists: columns[0].(*array.List)}
	for i := range r.types {
		l.cols = append(l.cols, elements(columns[i].(*array.List)))
	}
	l.read = r.reader(l.cols)
	return l
}

// rows is where the rows of the i-th group are.
func (l listed) rows(i int) (from, to int) {
	base, _ := l.lists.ValueOffsets(0)
	lo, hi := l.lists.ValueOffsets(i)
	return int(lo - base), int(hi - base)
}

func (l listed) release() {
	for _, c := range l.cols {
		c.Release()
	}
}
