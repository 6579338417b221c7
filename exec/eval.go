package exec

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/exec/vec"
)

// evaluator is a compiled list of expressions that reports the errors it has turned into NULL.
type evaluator struct {
	program  *expr.Program
	counters *Counters
	reported int64
}

func newEvaluator(c *Context, exprs []expr.Expr) (*evaluator, error) {
	program, err := expr.Compile(c.Alloc, exprs, c.draws.settings(c.Settings))
	if err != nil {
		return nil, err
	}
	c.draws.add(program, exprs...)
	return &evaluator{program: program, counters: c.Counters}, nil
}

// eval computes the expressions on the selected rows of b, which it does not consume.
func (e *evaluator) eval(b vec.Batch) ([]arrow.Array, error) {
	cols, err := e.program.Eval(b)
	e.reported = e.counters.nulled(e.program.Errors(), e.reported)
	return cols, err
}

// nulled adds the errors that are new since the last call to the counter, and returns their number so far.
func (c *Counters) nulled(now, before int64) int64 {
	if now != before {
		c.NullEvents.Add(now - before)
	}
	return now
}
