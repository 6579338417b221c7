package planner

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// window binds what stands behind OVER: a window, or the name of one of the WINDOW clause, perhaps with more.
func (e exprs) window(w *parser.Window) (overWindow, error) {
	whole, err := e.named(w, nil)
	if err != nil {
		return overWindow{}, err
	}
	var bound overWindow
	for _, x := range whole.PartitionBy {
		p, err := e.bind(x)
		if err != nil {
			return bound, err
		}
		bound.partition = append(bound.partition, p)
	}
	for _, o := range whole.OrderBy {
		x, err := e.bind(o.X)
		if err != nil {
			return bound, err
		}
		if expr.IsConstant(x) {
			return bound, e.errorf(o.X, "ORDER BY a constant orders nothing; a window takes no numbers of columns")
		}
		key := sortKey(0, o)
		bound.order = append(bound.order, orderKey{x, key.Descending, key.NullsFirst})
	}
	bound.frame, err = e.frame(whole, bound.order)
	return bound, err
}

// named puts a window together with the one of the WINDOW clause that it refers to.
func (e exprs) named(w *parser.Window, seen []string) (*parser.Window, error) {
	if w.Ref == nil {
		return w, nil
	}
	base, err := e.findWindow(*w.Ref, seen)
	if err != nil || w.Bare {
		return base, err
	}
	switch {
	case len(w.PartitionBy) > 0:
		return nil, e.errorf(w.PartitionBy[0], "a window that goes on from '%s' takes its PARTITION BY from there", w.Ref.Name)
	case len(w.OrderBy) > 0 && len(base.OrderBy) > 0:
		return nil, e.errorf(w.OrderBy[0], "window '%s' has an ORDER BY already", w.Ref.Name)
	case base.Frame != nil:
		return nil, e.errorf(w.Ref, "window '%s' has a frame and can only be used as it is: OVER %s", w.Ref.Name, w.Ref.Name)
	}
	whole := *w
	whole.PartitionBy = base.PartitionBy
	if len(whole.OrderBy) == 0 {
		whole.OrderBy = base.OrderBy
	}
	return &whole, nil
}

// frame binds the frame: without one it is the partition, or what sorts up to the row.
func (e exprs) frame(w *parser.Window, order []orderKey) (plan.Frame, error) {
	f := w.Frame
	if f == nil {
		whole := plan.Frame{Unit: plan.FrameRows, End: plan.Bound{Kind: plan.UnboundedFollowing}}
		if len(order) > 0 { // up to the row and those that sort like it
			whole = plan.Frame{Unit: plan.FrameRange, End: plan.Bound{Kind: plan.CurrentRow}}
		}
		return whole, nil
	}
	bound := plan.Frame{Unit: plan.FrameRows, End: plan.Bound{Kind: plan.CurrentRow}}
	if f.Unit == parser.FrameRange {
		bound.Unit = plan.FrameRange
	}
	var err error
	if bound.Start, err = e.bound(f, &f.Start, order); err != nil {
		return bound, err
	}
	if f.End != nil {
		if bound.End, err = e.bound(f, f.End, order); err != nil {
			return bound, err
		}
	}
	if bound.Start.Kind > bound.End.Kind || bound.Start.Kind == plan.UnboundedFollowing || bound.End.Kind == plan.UnboundedPreceding {
		return bound, e.at(f).error("the frame ends before it begins", "BETWEEN takes the earlier end first, such as "+string(f.Unit)+" BETWEEN 2 PRECEDING AND CURRENT ROW")
	}
	return bound, nil
}

// boundKinds are the kinds of bounds as the plan calls them.
var boundKinds = map[parser.BoundKind]plan.BoundKind{
	parser.UnboundedPreceding: plan.UnboundedPreceding, parser.Preceding: plan.Preceding, parser.CurrentRow: plan.CurrentRow,
	parser.Following: plan.Following, parser.UnboundedFollowing: plan.UnboundedFollowing,
}

// bound binds one end of a frame.
func (e exprs) bound(f *parser.Frame, b *parser.Bound, order []orderKey) (plan.Bound, error) {
	bound := plan.Bound{Kind: boundKinds[b.Kind]}
	if b.X == nil {
		return bound, nil
	}
	x, err := e.bind(b.X)
	if err != nil {
		return bound, err
	}
	l, ok := x.(*expr.Literal)
	if !ok || l.V == nil {
		return bound, e.errorf(b.X, "the distance of a frame must be a constant")
	}
	if f.Unit == parser.FrameRows {
		bound.Distance, err = e.rowCount(b.X, l)
	} else {
		bound.Distance, err = e.distance(f, b.X, l, order)
	}
	return bound, err
}

// rowCount is a number of rows.
func (e exprs) rowCount(at parser.Expr, l *expr.Literal) (*expr.Literal, error) {
	n, err := expr.Coerce(l, expr.BigInt, e.settings.Expr)
	count, ok := n.(*expr.Literal)
	if err != nil || !ok || count.V.(int64) < 0 {
		return nil, e.errorf(at, "ROWS counts rows, from 0 on; a distance in time is written with RANGE")
	}
	return count, nil
}

// distance is how far the sort key may lie from that of the current row.
func (e exprs) distance(f *parser.Frame, at parser.Expr, l *expr.Literal, order []orderKey) (*expr.Literal, error) {
	if len(order) != 1 {
		return nil, e.errorf(f, "RANGE with a distance needs ORDER BY with one key, and there are %d", len(order))
	}
	key := order[0].x.Type()
	if isTemporal(key) != (l.T.ID() == arrow.DURATION || l.T.ID() == arrow.INTERVAL_MONTHS) {
		wants := "a number"
		if isTemporal(key) {
			wants = "an interval, such as INTERVAL '1' HOUR"
		}
		return nil, e.errorf(at, "the rows are ordered by %s, so the distance must be %s", expr.TypeName(key), wants)
	}
	if _, err := expr.NewCall("-", []expr.Expr{order[0].x, l}, e.settings.Expr); err != nil {
		return nil, e.errorf(at, "the rows are ordered by %s, from which no distance can be counted", expr.TypeName(key))
	}
	if negative(l) {
		return nil, e.errorf(at, "the distance of a frame cannot be negative; PRECEDING and FOLLOWING tell the direction")
	}
	return l, nil
}

func isTemporal(t arrow.DataType) bool {
	return t.ID() == arrow.TIMESTAMP || t.ID() == arrow.DATE32 || t.ID() == arrow.TIME32
}

// negative tells whether a number or an interval is below zero.
func negative(l *expr.Literal) bool {
	switch v := l.V.(type) {
	case arrow.Duration:
		return v < 0
	case arrow.MonthInterval:
		return v < 0
	}
	return l.String()[0] == '-'
}
