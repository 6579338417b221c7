package exec

import (
	"streamsql/exec/expr"
	"streamsql/exec/vec"
)

// filter keeps the rows for which a condition is TRUE, by narrowing the selection.
type filter struct {
	Base
	condition expr.Expr
	predicate *expr.Predicate
	counters  *Counters
	reported  int64
}

func (f *filter) Open(c *Context) (err error) {
	f.counters = c.Counters
	if f.predicate, err = expr.NewPredicate(c.Alloc, f.condition, c.draws.settings(c.Settings)); err != nil {
		return err
	}
	c.draws.add(f.predicate, f.condition)
	return nil
}

func (f *filter) Process(_ int, b vec.Batch, out Emitter) error {
	kept, err := f.predicate.Filter(b)
	f.reported = f.counters.nulled(f.predicate.Errors(), f.reported)
	if err != nil {
		b.Release()
		return err
	}
	return out.Emit(kept)
}
