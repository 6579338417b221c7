package exec

import (
	"context"
	"io"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// values is the source of literal rows: one split, whose position is the number of rows read.
type values struct {
	op       *plan.Values
	alloc    memory.Allocator
	settings expr.Settings
	vertex   string
}

func (v *values) Splits(context.Context) ([]connector.Split, error) {
	return []connector.Split{{ID: "values"}}, nil
}

func (v *values) Bounded() bool { return true }

func (v *values) Replayable() bool { return true }

func (v *values) Changelog() bool { return false }

func (v *values) Open(_ context.Context, _ connector.Split, pos connector.Position) (connector.Reader, error) {
	row, err := strconv.Atoi(string(pos))
	if pos != nil && err != nil {
		return nil, err
	}
	return &valuesReader{values: v, row: row}, nil
}

type valuesReader struct {
	*values
	row int
}

// Read evaluates all rows that are left, column by column.
func (r *valuesReader) Read(context.Context) (connector.Fragment, error) {
	rows := r.op.Rows[r.row:]
	if len(rows) == 0 {
		return connector.Fragment{}, io.EOF
	}
	b := vec.Batch{Rows: len(rows)}
	for col := range r.op.Schema.Fields() {
		a, err := r.column(rows, col)
		if err != nil {
			b.Release()
			return connector.Fragment{}, err
		}
		b.Cols = append(b.Cols, a)
	}
	r.row = len(r.op.Rows)
	return connector.Fragment{Batch: b, Position: strconv.AppendInt(nil, int64(r.row), 10)}, nil
}

func (r *valuesReader) column(rows [][]expr.Expr, col int) (arrow.Array, error) {
	exprs := make([]expr.Expr, len(rows))
	for i, row := range rows {
		exprs[i] = row[col]
	}
	d := newDraws(r.settings.Seed, r.vertex, col, len(rows[0]), nil)
	program, err := expr.Compile(r.alloc, exprs, d.settings(r.settings))
	if err != nil {
		return nil, err
	}
	cells, err := program.Eval(vec.Batch{Rows: 1})
	if err != nil {
		return nil, err
	}
	defer vec.Batch{Cols: cells}.Release()
	return vec.ConcatArrays(r.alloc, cells...), nil
}

func (r *valuesReader) Close() error { return nil }
