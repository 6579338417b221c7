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
	time  int   // the time column of the input
	keys  []int // columns within whose values SESSION windows are formed
	cols  []column
	at    place
}

// complete is the operator with its columns.
func (w windowAssign) complete() *windowAssign {
	w.cols = slices.Clone(w.input.columns())
	typ := w.cols[w.time].typ
	for _, bound := range []struct {
		name string
		kind roleKind
	}{{"window_start", windowStart}, {"window_end", windowEnd}, {"window_time", windowTime}} {
		r := role{kind: bound.kind, window: w.spec, processing: w.processing()}
		w.cols = append(w.cols, column{name: bound.name, typ: typ, role: r})
	}
	return &w
}

// processing tells whether the windows are of the moments at which rows come.
func (w *windowAssign) processing() bool {
	return w.input.columns()[w.time].role.kind == processingTime
}

// bound is the position of window_start (0), window_end (1) or window_time (2).
func (w *windowAssign) bound(i int) int { return len(w.cols) - 3 + i }

func (w *windowAssign) columns() []column          { return w.cols }
func (w *windowAssign) inputs() []node             { return []node{w.input} }
func (w *windowAssign) exprs() []expr.Expr         { return nil }
func (w *windowAssign) withExprs([]expr.Expr) node { return w }

func (w *windowAssign) withInputs(in []node) node {
	changed := *w
	changed.input = in[0]
	return changed.complete()
}

// prune always keeps the bounds, which cost nothing to pass on.
func (w *windowAssign) prune(used []bool) (node, []int) {
	n := len(w.input.columns())
	need := slices.Clone(used[:n])
	need[w.time] = true
	for _, k := range w.keys {
		need[k] = true
	}
	input, moved := w.input.prune(need)
	changed := *w
	changed.input, changed.time, changed.keys = input, moved[w.time], movedAll(w.keys, moved)
	pruned := changed.complete()
	for i := range 3 {
		moved = append(moved, pruned.bound(i))
	}
	return pruned, moved
}

func (w *windowAssign) String() string {
	cols := w.input.columns()
	text := "Window " + windowText(w.spec, cols[w.time].name)
	if len(w.keys) > 0 {
		names := make([]string, len(w.keys))
		for i, k := range w.keys {
			names[i] = cols[k].name
		}
		text += " for each " + strings.Join(names, ", ")
	}
	return text
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
	switch _, err := window.New(*w.spec); {
	case !slices.Contains(window.Kinds(), w.spec.Kind):
		l.notYet(w.at, "a "+w.spec.Kind+" window")
	case err != nil:
		return 0, w.at.error(err.Error())
	case w.processing():
		l.notYet(w.at, "a window of processing time")
	}
	input, err := l.lower(w.input)
	if err != nil {
		return 0, err
	}
	op := &plan.WindowAssign{Spec: *w.spec, Time: w.time, Keys: w.keys, Processing: w.processing()}
	if w.spec.Kind == "SESSION" {
		return l.exchange("window", op, w.cols, l.graph.Vertices[input].Changelog, input, w.keys), nil
	}
	return l.chain("window", op, w.cols, input), nil
}
