package exec

import (
	"slices"

	"streamsql/exec/vec"
	"streamsql/plan"
)

// Raw rows are input rows of a partial aggregate that it passes on ungrouped: the keys, then the columns its calls read, each once.
// The final aggregate tells them from partial states by vec.Batch.Raw.

// readColumns lists the columns the calls read, each once.
func readColumns(calls []plan.AggregateCall) (columns []int) {
	add := func(c int) {
		if !slices.Contains(columns, c) {
			columns = append(columns, c)
		}
	}
	for _, c := range calls {
		for _, arg := range c.Args {
			add(arg)
		}
		if c.Filter >= 0 {
			add(c.Filter)
		}
	}
	return columns
}

// rawColumns lists the columns of a partial aggregate's input that make a raw row.
func rawColumns(partial *plan.Aggregate) []int {
	return slices.Concat(partial.Keys, readColumns(partial.Calls))
}

// rawCalls are the calls of a final aggregate over raw rows.
func rawCalls(final *plan.Aggregate) []plan.AggregateCall {
	read := readColumns(final.Calls)
	at := func(column int) int { return len(final.Keys) + slices.Index(read, column) }
	calls := slices.Clone(final.Calls)
	for i, c := range calls {
		calls[i].Args = make([]int, len(c.Args))
		for j, arg := range c.Args {
			calls[i].Args[j] = at(arg)
		}
		if c.Filter >= 0 {
			calls[i].Filter = at(c.Filter)
		}
	}
	return calls
}

// thrift decides whether a partial aggregate is worth its while. Where hardly two rows of those it sees in a time are of one
// group, it costs more than it saves, and for a time rows are passed on raw.
type thrift struct {
	rows int // grouped since the table was empty
	raw  int // still to be passed on raw
}

const (
	// thriftFactor is the number of rows a group has to stand for at least.
	thriftFactor = 3
	// thriftPause is how many rows are passed on raw for each that was grouped in vain.
	thriftPause = 64
)

// full notes that the table is full of groups.
func (t *thrift) full(groups int) {
	if t.rows < thriftFactor*groups {
		t.raw = thriftPause * t.rows
	}
}

// pass tells whether the next rows are to be passed on raw.
func (t *thrift) pass(rows int) bool {
	if t.raw <= 0 {
		t.rows += rows
		return false
	}
	t.raw -= rows
	return true
}

// rawBatch is the raw rows of a batch, which it shares.
func rawBatch(b vec.Batch, columns []int) vec.Batch {
	return vec.Batch{Cols: pick(b, columns), Rows: b.Rows, Sel: b.Sel, Marks: b.Marks, Raw: true}.Retain()
}
