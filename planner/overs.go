package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/internal/suggest"
	"streamsql/parser"
	"streamsql/plan"
)

// overs are the functions with OVER that the expressions of a SELECT use. Until they are computed, the value of one is a column from
// overValues on.
type overs struct {
	*binder
	list  []overValue
	trees []*parser.Call // where each was written
}

// overValue is a function over the rows of a window.
type overValue struct {
	window overWindow
	call   boundOverCall
	at     place
}

// find is the value of a call that has been bound already; nil if it has not.
func (o *overs) find(x *parser.Call) expr.Expr {
	if i := slices.Index(o.trees, x); i >= 0 {
		return o.value(i)
	}
	return nil
}

// add takes a call and returns the column that stands for its value.
func (o *overs) add(x *parser.Call, v overValue) expr.Expr {
	for i, other := range o.list {
		if other.window.equal(v.window) && other.call.equal(v.call) {
			return o.value(i)
		}
	}
	o.list, o.trees = append(o.list, v), append(o.trees, x)
	return o.value(len(o.list) - 1)
}

// equal tells whether both calls give the same values over a window. The name has all but the arguments.
func (c boundOverCall) equal(o boundOverCall) bool {
	if c.name != o.name || !slices.EqualFunc(c.values, o.values, expr.Equal) || (c.condition == nil) != (o.condition == nil) {
		return false
	}
	return c.condition == nil || expr.Equal(c.condition, o.condition)
}

func (o *overs) value(i int) *expr.Column {
	c := o.list[i].call
	return &expr.Column{Index: overValues + i, Name: c.name, T: c.result, Null: c.nullable}
}

// findWindow is a window of the WINDOW clause, with those it goes on from.
func (e exprs) findWindow(name parser.Ident, seen []string) (*parser.Window, error) {
	var names []string
	for _, w := range e.windows {
		if !equalNames(w.Name.Name, name.Name) {
			names = append(names, w.Name.Name)
			continue
		}
		if slices.Contains(seen, w.Name.Name) {
			return nil, e.errorf(name, "window '%s' goes on from itself", name.Name)
		}
		return e.named(w.Window, append(seen, w.Name.Name))
	}
	return nil, e.at(name).error("unknown window '"+name.Name+"'", suggest.Hint(name.Name, names))
}

// compute computes the functions behind the input: over turns an expression of the clause into one over the input. Functions of one
// window are computed together. It returns the place of each value.
func (o *overs) compute(in node, over func(expr.Expr) (expr.Expr, error)) (node, []int, error) {
	places := make([]int, len(o.list))
	done := make([]bool, len(o.list))
	for i := range o.list {
		if done[i] {
			continue
		}
		b := overBuilder{input: in, over: over}
		b.window(o.list[i].window)
		for j := i; j < len(o.list); j++ {
			if o.list[j].window.equal(o.list[i].window) {
				places[j], done[j] = len(in.columns())+len(b.calls), true
				b.call(o.list[j].call)
			}
		}
		if b.err != nil {
			return nil, nil, b.err
		}
		in = b.build(o.list[i].at)
	}
	return in, places, nil
}

func (w overWindow) equal(o overWindow) bool {
	sameKey := func(a, b orderKey) bool {
		return a.descending == b.descending && a.nullsFirst == b.nullsFirst && expr.Equal(a.x, b.x)
	}
	sameBound := func(a, b plan.Bound) bool {
		return a.Kind == b.Kind && (a.Distance == nil) == (b.Distance == nil) && (a.Distance == nil || expr.Equal(a.Distance, b.Distance))
	}
	return slices.EqualFunc(w.partition, o.partition, expr.Equal) && slices.EqualFunc(w.order, o.order, sameKey) &&
		w.frame.Unit == o.frame.Unit && sameBound(w.frame.Start, o.frame.Start) && sameBound(w.frame.End, o.frame.End)
}

// overBuilder puts together an over and the projection below it that computes what it reads.
type overBuilder struct {
	input     node
	over      func(expr.Expr) (expr.Expr, error)
	added     []expr.Expr // behind the columns of the input
	partition []int
	order     []plan.SortKey
	frame     plan.Frame
	calls     []overCall
	err       error
}

// column is the place of an expression of the clause below the over.
func (b *overBuilder) column(x expr.Expr) int {
	x, err := b.over(x)
	if err != nil {
		b.err = err
		return 0
	}
	if c, ok := x.(*expr.Column); ok && !isOuter(c) {
		return c.Index
	}
	n := len(b.input.columns())
	for i, a := range b.added {
		if expr.Equal(a, x) {
			return n + i
		}
	}
	b.added = append(b.added, x)
	return n + len(b.added) - 1
}

func (b *overBuilder) window(w overWindow) {
	for _, x := range w.partition {
		b.partition = append(b.partition, b.column(x))
	}
	for _, k := range w.order {
		b.order = append(b.order, plan.SortKey{Column: b.column(k.x), Descending: k.descending, NullsFirst: k.nullsFirst})
	}
	b.frame = w.frame
}

func (b *overBuilder) call(c boundOverCall) {
	call := overCall{function: c.function, aggregate: c.aggregate, result: c.result, nullable: c.nullable, ignoreNulls: c.ignoreNulls, name: c.name, filter: -1}
	for _, v := range c.values {
		call.args = append(call.args, b.column(v))
	}
	if c.condition != nil {
		call.filter = b.column(c.condition)
	}
	b.calls = append(b.calls, call)
}

// build is the over, with the columns of the input and the values behind them.
func (b *overBuilder) build(at place) node {
	below, n := b.input, len(b.input.columns())
	if len(b.added) > 0 {
		exprs, names := passed(below.columns())
		for _, x := range b.added {
			exprs, names = append(exprs, x), append(names, nameOf(x))
		}
		below = newProject(below, exprs, names)
	}
	o := over{input: below, partition: b.partition, order: b.order, frame: b.frame, calls: b.calls, at: at}.complete()
	kept := firstN(n)
	for i := range b.calls {
		kept = append(kept, n+len(b.added)+i)
	}
	return choose(o, kept)
}
