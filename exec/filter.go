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
}

func (f *filter) Open(c *Context) (err error) {
	f.predicate, err = expr.NewPredicate(c.Alloc, f.condition, c.Settings)
	return err
}

func (f *filter) Process(_ int, b vec.Batch, out Emitter) error {
	kept, err := f.predicate.Filter(b)
	if err != nil {
		b.Release()
		return err
	}
	return out.Emit(kept)
}
