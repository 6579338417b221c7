package agg

import (
	"fmt"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

// allocating are the functions whose state grows with each row, or which read rows by a library that allocates, with the reason.
var allocating = map[string]string{
	"BITMAP_AND_AGG": "the bitmap library makes containers when it reads", "BITMAP_OR_AGG": "the same", "BITMAP_XOR_AGG": "the same",
	"BITMAP_AND_CARDINALITY_AGG": "the same", "BITMAP_OR_CARDINALITY_AGG": "the same", "BITMAP_XOR_CARDINALITY_AGG": "the same",
}

// TestNoAllocationPerRow gives rows to groups that have had such rows before, and wants as many allocations for few rows as for many.
func TestNoAllocationPerRow(t *testing.T) {
	for _, f := range Functions() {
		for _, opt := range everything {
			for _, call := range resolvable(f, opt) {
				t.Run(fmt.Sprintf("%s%v/%+v", f.Name, call.Args, opt), func(t *testing.T) {
					few, many := updateAllocations(t, call, 64), updateAllocations(t, call, 1088)
					if perRow := (many - few) / 1024; perRow > 0.1 && allocating[f.Name] == "" {
						t.Errorf("%.2f allocations a row", perRow)
					}
				})
			}
		}
	}
}

// updateAllocations counts the allocations of an update by so many rows, which are 64 rows again and again.
func updateAllocations(t *testing.T, call Call, rows int) float64 {
	mem := memory.DefaultAllocator
	sample := rapid.Custom(func(t *rapid.T) batch {
		d := newDrawing(t, mem, call)
		b := batch{key: drawKeys(t, mem, 1)}
		for i, dt := range call.Args {
			b.args = append(b.args, d.argument(i, dt, 64))
		}
		return b
	}).Example(3)
	in := Input{Rows: rows}
	for _, arg := range sample.args {
		parts := make([]arrow.Array, rows/64)
		for i := range parts {
			parts[i] = arg
		}
		in.Args = append(in.Args, vec.ConcatArrays(mem, parts...))
	}
	acc := call.New(mem)
	table, err := state.New(state.Config{Value: oneValue{acc, call.StateTypes}, Mem: mem})
	if err != nil {
		t.Fatal(err)
	}
	groups := table.Assign(nil, rows, nil, vec.Hash(nil, rows, nil, nil), nil)
	update := func() {
		if err := acc.Update(table.Rows(), groups, in); err != nil {
			t.Fatal(err)
		}
	}
	update()
	return testing.AllocsPerRun(3, update)
}
