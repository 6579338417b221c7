package expr

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// step computes one slot of a program from others.
type step struct {
	expr     Expr // what it computes, for messages
	t        arrow.DataType
	kernel   Kernel
	args     []int
	out      int
	guard    int // slot that has the rows reached, or none
	strict   int // so many of args make out NULL by being NULL
	volatile bool
	try      bool
	result   bool  // out is a result of the program
	dead     []int // slots not needed after this step
}

// none is a slot that is not there.
const none = -1

// run computes the step for the frame's batch.
func (p *Program) run(s *step) error {
	f, out := &p.frame, &p.slots[s.out]
	*out = Vector{t: s.t}
	f.step, f.out, f.n, f.constant = s, out, p.rows, !s.volatile
	args := p.args[:0]
	for i, slot := range s.args {
		v := &p.slots[slot]
		if i < s.strict && v.allNull() {
			out.setNull()
			return nil
		}
		f.constant = f.constant && v.isConst()
		args = append(args, v)
	}
	p.args = args
	if !p.reach(s) {
		out.setNull()
		return nil
	}
	if f.constant {
		f.n, f.guard = 1, nil
	}
	p.prepare(s, out)
	intersect(f.pool, out, args[:s.strict], f.n)
	if err := s.kernel(f, args, out); err != nil {
		return err
	}
	return f.finish(out)
}

// reach sets the frame's guard and reports whether any row is reached.
func (p *Program) reach(s *step) bool {
	f := &p.frame
	f.guard, f.first = nil, 0
	if s.guard == none {
		return true
	}
	g := &p.slots[s.guard]
	if g.isConst() {
		return g.bits[0]&1 != 0
	}
	f.guard = g.bits
	f.first = firstBit(g.bits, p.rows)
	return f.first < p.rows
}

// prepare gives out room; the values of a result go where the array will have them.
func (p *Program) prepare(s *step, out *Vector) {
	if width := widthOf(s.t); s.result && width > 0 && !p.frame.constant {
		out.rowMask = -1
		out.owned.buffer = vec.NewBuffer(p.mem, p.rows*width)
		out.fixed = out.owned.buffer.Bytes()
		return
	}
	out.alloc(&p.pool, p.frame.n)
}

// finish completes what the kernel has written.
func (f *Frame) finish(out *Vector) error {
	if isText(out.t) && out.owned.data {
		if len(out.data) > math.MaxInt32 {
			return tooMuchText(f.step.expr)
		}
		for ; out.written < f.n; out.written++ {
			out.offsets[out.written+1] = int32(out.start)
		}
	}
	if f.constant && !out.isConst() {
		out.spreadOut(f.pool)
	}
	return nil
}

// intersect makes out valid where all args are.
func intersect(p *pool, out *Vector, args []*Vector, n int) {
	for _, a := range args {
		switch {
		case a.valid == nil || a.isConst(): // a constant is not NULL here
		case out.valid == nil:
			out.allocValid(p, n)
			copy(out.valid, a.valid)
		default:
			for k := range out.valid {
				out.valid[k] &= a.valid[k]
			}
		}
	}
}

// Program computes expressions over batches. It keeps buffers from batch to batch and serves one goroutine at a time.
type Program struct {
	mem     memory.Allocator
	steps   []step
	slots   []Vector
	columns []loadedColumn
	fixed   []bool // slots that hold literals
	results []result

	pool  pool
	frame Frame
	rows  int
	args  []*Vector
}

// loadedColumn is a column of the batch in a slot; arr, while a batch is evaluated, is its array of the selected rows.
type loadedColumn struct {
	index, slot int
	arr         arrow.Array
	dead        bool // only a result needs it
}

// result is a slot to be returned, or, if column >= 0, the array of that loaded column.
type result struct {
	expr   Expr
	t      arrow.DataType
	slot   int
	column int
}

// Eval returns one array for each expression, with one row for each selected row of b, allocated by the program's allocator;
// the caller owns them. It does not consume b. Errors are *EvalError.
func (p *Program) Eval(b vec.Batch) ([]arrow.Array, error) {
	defer p.reset()
	if err := p.compute(b); err != nil {
		return nil, err
	}
	out := make([]arrow.Array, len(p.results))
	for i, r := range p.results {
		arr, err := p.array(r)
		if err != nil {
			for _, a := range out[:i] {
				a.Release()
			}
			return nil, err
		}
		out[i] = arr
	}
	return out, nil
}

func (p *Program) array(r result) (arrow.Array, error) {
	if r.column >= 0 {
		arr := p.columns[r.column].arr
		arr.Retain()
		return arr, nil
	}
	v := &p.slots[r.slot]
	if p.rows == 0 {
		return emptyArray(p.mem, r.t), nil
	}
	if isText(r.t) && v.textSize(p.rows) > math.MaxInt32 {
		return nil, tooMuchText(r.expr)
	}
	return v.store(p.mem, r.t, p.rows), nil
}

func emptyArray(mem memory.Allocator, t arrow.DataType) arrow.Array {
	b := array.NewBuilder(mem, t)
	defer b.Release()
	return b.NewArray()
}

func tooMuchText(e Expr) error {
	return fmt.Errorf("the values of %s exceed 2 GiB in one batch; use a smaller batch size", e)
}

// Drawn is the number of rows the program has seen, which its random numbers go on from.
func (p *Program) Drawn() uint64 { return p.frame.drawn }

// Resume makes the program go on as one that has seen so many rows.
func (p *Program) Resume(drawn uint64) { p.frame.drawn = drawn }

// Errors is the number of values that could not be computed and became NULL, under EvalErrors Null.
func (p *Program) Errors() int64 { return p.frame.errors }

// compute fills the slots for a batch; reset empties them.
func (p *Program) compute(b vec.Batch) error {
	p.rows = b.Len()
	p.frame.pool, p.frame.mem, p.frame.batch, p.frame.now = &p.pool, p.mem, b, p.frame.settings.now()
	for i := range p.columns {
		c := &p.columns[i]
		if c.arr = b.Cols[c.index]; b.Sel != nil {
			c.arr = vec.Take(p.mem, c.arr, b.Sel)
		} else {
			c.arr.Retain()
		}
		if !c.dead {
			p.slots[c.slot].load(&p.pool, c.arr)
		}
	}
	if p.rows == 0 {
		return nil
	}
	for i := range p.steps {
		s := &p.steps[i]
		if err := p.run(s); err != nil {
			return err
		}
		for _, slot := range s.dead {
			p.slots[slot].release(&p.pool)
		}
	}
	p.frame.drawn += uint64(p.rows)
	return nil
}

func (p *Program) reset() {
	for i := range p.columns {
		if c := &p.columns[i]; c.arr != nil {
			c.arr.Release()
			c.arr = nil
		}
	}
	for i := range p.slots {
		if !p.fixed[i] {
			p.slots[i].release(&p.pool)
		}
	}
	p.frame.batch = vec.Batch{}
}
