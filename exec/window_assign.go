package exec

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
	"streamsql/exec/window"
	"streamsql/plan"
)

// windowAssign appends the bounds of the windows that rows fall into: window_start, window_end and window_time, which is the last
// millisecond of the window. A row of several windows is repeated.
type windowAssign struct {
	Base
	op       *plan.WindowAssign
	types    [3]arrow.DataType
	context  *Context
	assigner window.Assigner
	windows  window.Windows
}

func newWindowAssign(op *plan.WindowAssign, out *arrow.Schema) *windowAssign {
	w := &windowAssign{op: op}
	for i := range w.types {
		w.types[i] = out.Field(out.NumFields() - 3 + i).Type
	}
	return w
}

func (w *windowAssign) Open(c *Context) (err error) {
	w.context = c
	w.assigner, err = window.New(w.op.Spec)
	return err
}

func (w *windowAssign) Process(_ int, b vec.Batch, out Emitter) error {
	times, err := millis(b.Cols[w.op.Time])
	if err != nil {
		b.Release()
		return err
	}
	w.assigner.Assign(times, &w.windows)
	if w.windows.Rows != nil {
		b = w.repeat(b)
	}
	n := len(w.windows.Ends)
	lasts := make([]int64, n)
	for i, end := range w.windows.Ends {
		lasts[i] = end - 1
	}
	cols := make([]arrow.Array, 0, len(b.Cols)+len(w.types))
	cols = append(cols, b.Cols...)
	for i, values := range [][]int64{w.windows.Starts, w.windows.Ends, lasts} {
		cols = append(cols, w.column(w.types[i], values))
	}
	b.Cols = cols
	return out.Emit(b)
}

// repeat gives each window of a selected row a row of its own, and narrows the windows down to those. It consumes the batch.
func (w *windowAssign) repeat(b vec.Batch) vec.Batch {
	selected := make([]bool, b.Rows)
	for i := range b.Len() {
		selected[b.Row(i)] = true
	}
	n := 0
	rows, starts, ends := w.windows.Rows, w.windows.Starts, w.windows.Ends
	for i, row := range rows {
		if selected[row] {
			rows[n], starts[n], ends[n] = row, starts[i], ends[i]
			n++
		}
	}
	w.windows.Rows, w.windows.Starts, w.windows.Ends = rows[:n], starts[:n], ends[:n]
	defer b.Release()
	repeated := vec.Batch{Rows: n, Kinds: at(b.Kinds, rows[:n]), Marks: at(b.Marks, rows[:n])}
	for _, c := range b.Cols {
		repeated.Cols = append(repeated.Cols, vec.Take(w.context.Alloc, c, rows[:n]))
	}
	return repeated
}

// column makes a timestamp column from milliseconds.
func (w *windowAssign) column(t arrow.DataType, millis []int64) arrow.Array {
	buffer, values := vec.NewFixed[int64](w.context.Alloc, len(millis))
	switch t.(*arrow.TimestampType).Unit {
	case arrow.Second:
		for i, v := range millis {
			values[i] = floorDiv(v, 1e3)
		}
	case arrow.Microsecond:
		for i, v := range millis {
			values[i] = v * 1e3
		}
	case arrow.Nanosecond:
		for i, v := range millis {
			values[i] = v * 1e6
		}
	default:
		copy(values, millis)
	}
	return vec.MakeArray(t, len(millis), 0, nil, buffer)
}
