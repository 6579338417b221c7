package exec

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/exec/vec"
)

// project computes new columns. If all of them are columns of the input, the selection stays; otherwise the result holds just
// the selected rows.
type project struct {
	Base
	exprs   []expr.Expr
	columns []int // set when every expression is a bare column
	program *evaluator
}

func (p *project) Open(c *Context) (err error) {
	p.columns = make([]int, 0, len(p.exprs))
	for _, e := range p.exprs {
		if c, ok := e.(*expr.Column); ok {
			p.columns = append(p.columns, c.Index)
		}
	}
	if len(p.columns) == len(p.exprs) {
		return nil
	}
	p.columns = nil
	p.program, err = newEvaluator(c, p.exprs)
	return err
}

func (p *project) Process(_ int, b vec.Batch, out Emitter) error {
	defer b.Release()
	if p.program == nil {
		picked := b
		picked.Cols = pick(b, p.columns)
		return out.Emit(picked.Retain())
	}
	cols, err := p.program.eval(b)
	if err != nil {
		return err
	}
	return out.Emit(dense(b, cols))
}

// pick lists columns of a batch without taking references to them.
func pick(b vec.Batch, columns []int) []arrow.Array {
	cols := make([]arrow.Array, len(columns))
	for i, c := range columns {
		cols[i] = b.Cols[c]
	}
	return cols
}

// dense is a batch of columns that hold just the selected rows of b, with the kinds and marks of those rows.
func dense(b vec.Batch, cols []arrow.Array) vec.Batch {
	d := vec.Batch{Cols: cols, Rows: b.Len(), Kinds: b.Kinds, Marks: b.Marks}
	if b.Sel != nil {
		d.Kinds = at(b.Kinds, b.Sel)
		d.Marks = at(b.Marks, b.Sel)
	}
	return d
}

func at[T any](values []T, rows []uint32) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = values[r]
	}
	return out
}
