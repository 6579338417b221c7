package planner

import (
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/exec/window"
	"streamsql/plan"
)

// windowAssign appends window_start, window_end and window_time, one row for each window the row's time falls into.
type windowAssign struct {
	input node
	spec  *window.Spec
	time  int // the event-time column of the input
	cols  []column
	at    place
}

func newWindowAssign(input node, spec *window.Spec, time int, at place) *windowAssign {
	w := &windowAssign{input: input, spec: spec, time: time, at: at, cols: slices.Clone(input.columns())}
	typ := w.cols[time].typ
	for _, bound := range []struct {
		name string
		kind roleKind
	}{{"window_start", windowStart}, {"window_end", windowEnd}, {"window_time", windowTime}} {
		w.cols = append(w.cols, column{name: bound.name, typ: typ, role: role{bound.kind, spec}})
	}
	return w
}

// bound is the position of window_start (0), window_end (1) or window_time (2).
func (w *windowAssign) bound(i int) int { return len(w.cols) - 3 + i }

func (w *windowAssign) columns() []column  { return w.cols }
func (w *windowAssign) inputs() []node     { return []node{w.input} }
func (w *windowAssign) exprs() []expr.Expr { return nil }

func (w *windowAssign) withExprs([]expr.Expr) node { return w }

func (w *windowAssign) withInputs(in []node) node {
	return newWindowAssign(in[0], w.spec, w.time, w.at)
}

// prune always keeps the bounds, which cost nothing to pass on.
func (w *windowAssign) prune(used []bool) (node, []int) {
	n := len(w.input.columns())
	need := slices.Clone(used[:n])
	need[w.time] = true
	input, moved := w.input.prune(need)
	pruned := newWindowAssign(input, w.spec, moved[w.time], w.at)
	for i := range 3 {
		moved = append(moved, pruned.bound(i))
	}
	return pruned, moved
}

func (w *windowAssign) String() string {
	return "Window " + windowText(w.spec, w.input.columns()[w.time].name)
}

// windowText is a window as a call, TUMBLE(ts, INTERVAL '10' MINUTE). The time may be left out.
func windowText(s *window.Spec, time string) string {
	var args []string
	if time != "" {
		args = append(args, time)
	}
	if s.Slide != 0 {
		args = append(args, expr.NewDayTime(s.Slide).String())
	}
	if s.Months != 0 {
		args = append(args, expr.NewYearMonth(s.Months).String())
	} else {
		args = append(args, expr.NewDayTime(s.Size).String())
	}
	if s.Offset != 0 {
		args = append(args, expr.NewDayTime(s.Offset).String())
	}
	return s.Kind + "(" + strings.Join(args, ", ") + ")"
}

func (w *windowAssign) lower(l *lowering) (int, error) {
	if !slices.Contains(window.Kinds(), w.spec.Kind) {
		return 0, w.at.error(w.spec.Kind + " cannot be executed yet")
	}
	if _, err := window.New(*w.spec); err != nil {
		return 0, w.at.error(err.Error())
	}
	input, err := l.lower(w.input)
	if err != nil {
		return 0, err
	}
	return l.chain("window", &plan.WindowAssign{Spec: *w.spec, Time: w.time}, w.cols, input), nil
}
