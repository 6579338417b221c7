package planner

import (
	"streamsql/parser"
	"streamsql/plan"
)

// emission is when a query gives its results: what EMIT says, or else the session's settings.
type emission struct {
	mode   parser.EmitMode // empty without EMIT
	period int64
	firing plan.Firing
	// lateness is how long windows take rows behind their end, in milliseconds.
	lateness int64
	at       place // of the clause
}

// bindEmit binds EMIT; a nil clause is none.
func (b *binder) bindEmit(e *parser.Emit) (emission, error) {
	out := emission{lateness: b.settings.Lateness.Milliseconds()}
	if e == nil {
		out.firing = b.settings.firing()
		return out, nil
	}
	out.mode, out.at = e.Mode, b.at(e)
	var err error
	switch e.Mode {
	case parser.EmitChanges:
		out.firing = plan.Firing{Early: []plan.Trigger{{Rows: 1}}, OnTime: out.lateness > 0}
	case parser.EmitPeriodic:
		if out.period, err = b.positive(e.Every, "EMIT PERIODIC"); err != nil {
			return out, err
		}
		out.firing = plan.Firing{Early: []plan.Trigger{{Every: out.period}}, OnTime: out.lateness > 0}
	case parser.EmitAfterWatermark:
		err = b.afterWatermark(e, &out)
	}
	return out, err
}

// firing is what table.exec.emit.* say.
func (s Settings) firing() plan.Firing {
	var f plan.Firing
	if s.EarlyFire != nil {
		f.Early = []plan.Trigger{every(s.EarlyFire.Milliseconds())}
	}
	if s.LateFire != nil && s.Lateness > 0 {
		f.OnTime, f.Late = true, []plan.Trigger{every(s.LateFire.Milliseconds())}
	}
	return f
}

// every fires each so many milliseconds, with every row if they are none.
func every(ms int64) plan.Trigger {
	if ms == 0 {
		return plan.Trigger{Rows: 1}
	}
	return plan.Trigger{Every: ms}
}

// afterWatermark binds EMIT AFTER WATERMARK with all that may follow it.
func (b *binder) afterWatermark(e *parser.Emit, out *emission) (err error) {
	f := &out.firing
	if e.Delay != nil {
		if f.Delay, err = b.milliseconds(e.Delay, "WITH DELAY"); err != nil {
			return err
		}
	}
	if e.Lateness != nil {
		if out.lateness, err = b.milliseconds(e.Lateness, "ALLOWED LATENESS"); err != nil {
			return err
		}
	}
	if f.Early, err = b.triggers(e.Early); err != nil {
		return err
	}
	if f.Late, err = b.triggers(e.Late); err != nil {
		return err
	}
	f.Accumulation = accumulations[e.Accumulation]
	if e.LatePolicy == parser.LateSide {
		f.LateRows = plan.LateSide
	}
	takesLate := out.lateness > f.Delay && e.LatePolicy != parser.LateDrop
	if !takesLate && (len(f.Late) > 0 || e.LatePolicy == parser.LateFire) {
		return b.at(e).error("no late row can fire a window, as none is taken", "add ALLOWED LATENESS, for longer than the delay")
	}
	if f.OnTime = takesLate; !takesLate {
		out.lateness = f.Delay
		f.Delay = 0
	}
	return nil
}

var accumulations = map[parser.Accumulation]plan.Accumulation{
	parser.Discarding: plan.Discarding, parser.Accumulating: plan.Accumulating, parser.Retracting: plan.Retracting,
}

func (b *binder) triggers(trees []parser.Trigger) ([]plan.Trigger, error) {
	var out []plan.Trigger
	for _, t := range trees {
		if t.Interval == nil {
			if t.Rows < 1 {
				return nil, b.errorf(t, "a trigger fires every so many rows, from 1 on")
			}
			out = append(out, plan.Trigger{Rows: t.Rows})
			continue
		}
		ms, err := b.positive(t.Interval, "EVERY")
		if err != nil {
			return nil, err
		}
		out = append(out, plan.Trigger{Every: ms})
	}
	return out, nil
}

// positive is the length of an interval that is longer than nothing.
func (b *binder) positive(x *parser.Interval, clause string) (int64, error) {
	ms, err := b.milliseconds(x, clause)
	if err == nil && ms == 0 {
		err = b.errorf(x, "%s takes an interval longer than nothing", clause)
	}
	return ms, err
}

// emit tells the aggregations of a plan when to give results: those nearest to the result as the clause says, the ones below them
// when their windows are over.
func (e emission) emit(n node, below bool) node {
	old := n.inputs()
	inputs := make([]node, len(old))
	a, isAggregate := n.(*aggregate)
	for i, in := range old {
		inputs[i] = e.emit(in, below || isAggregate)
	}
	n = n.withInputs(inputs)
	if !isAggregate {
		return n
	}
	changed := *n.(*aggregate)
	changed.lateness = e.lateness
	if !below {
		changed.firing, changed.period, changed.emitAt = e.firing, e.period, e.at
		changed.untilEnd = e.mode == parser.EmitAfterWatermark
		if e.at == (place{}) {
			changed.emitAt = a.at
		}
	}
	return changed.complete()
}

// check makes sure that there is something that EMIT can be about.
func (e emission) check(root node) error {
	if e.mode == "" || e.mode == parser.EmitChanges || e.mode == parser.EmitFinal {
		return nil
	}
	top := topAggregates(root)
	if len(top) == 0 && !hasWindow(root) {
		return e.at.error("EMIT "+string(e.mode)+" is about the results of groups, and this query makes none", "leave it out: the rows are given as they come")
	}
	for _, a := range top {
		if a.window == nil && e.mode == parser.EmitOnWindowClose {
			return e.at.error("EMIT ON WINDOW CLOSE needs groups by a window, and these are by none",
				"group by window_start and window_end of TUMBLE(…) or another window as well")
		}
	}
	return nil
}

// topAggregates are the aggregations nearest to the result.
func topAggregates(n node) []*aggregate {
	if a, ok := n.(*aggregate); ok {
		return []*aggregate{a}
	}
	var all []*aggregate
	for _, in := range n.inputs() {
		all = append(all, topAggregates(in)...)
	}
	return all
}

func hasWindow(n node) bool {
	if _, ok := n.(*windowAssign); ok {
		return true
	}
	for _, in := range n.inputs() {
		if hasWindow(in) {
			return true
		}
	}
	return false
}

// checkEnd refuses to wait for the end of an input that has none.
func (e emission) checkEnd(r *root) error {
	waits := e.mode == parser.EmitFinal
	for _, a := range topAggregates(r.node) {
		waits = waits || e.mode == parser.EmitAfterWatermark && a.window == nil && len(e.firing.Early) == 0 && len(a.calls) > 0
	}
	if !waits {
		return nil
	}
	return e.at.error("EMIT "+string(e.mode)+" needs an input that ends, and this one does not", map[parser.EmitMode]string{
		parser.EmitAfterWatermark: "group by a window as well, or add EARLY EVERY to see results before the end",
		parser.EmitFinal:          "group by a window as well, or leave EMIT FINAL out to see each change",
	}[e.mode])
}
