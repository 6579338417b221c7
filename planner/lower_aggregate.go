package planner

import (
	"fmt"
	"slices"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/plan"
)

func (a *aggregate) lower(l *lowering) (int, error) {
	input, err := l.lower(a.input)
	if err != nil {
		return 0, err
	}
	if a.sets == nil {
		return a.lowerOver(l, input)
	}
	branches := make([]int, len(a.sets))
	for i := range a.sets {
		if branches[i], err = a.lowerSet(l, input, i); err != nil {
			return 0, err
		}
	}
	return l.join("union", &plan.Union{}, a.cols, branches), nil
}

// lowerSet aggregates by one of the grouping sets, and gives its groups the columns of all.
func (a *aggregate) lowerSet(l *lowering, input, set int) (int, error) {
	keys := a.sets[set]
	own := *a
	own.keys, own.sets = nil, nil
	for _, k := range keys {
		own.keys = append(own.keys, a.keys[k])
	}
	groups := own.complete()
	vertex, err := groups.lowerOver(l, input)
	if err != nil {
		return 0, err
	}
	var row []expr.Expr
	for i := range a.keys {
		if at := slices.Index(keys, i); at >= 0 {
			row = append(row, groups.cols[at].ref(at))
			continue
		}
		row = append(row, expr.NewNull(a.cols[i].typ))
	}
	for i := range a.calls {
		at := len(keys) + i
		row = append(row, groups.cols[at].ref(at))
	}
	row = append(row, expr.NewBigInt(int64(set)))
	return l.chain("project", &plan.Project{Exprs: row}, a.cols, vertex), nil
}

// lowerOver adds the vertices behind the input's.
func (a *aggregate) lowerOver(l *lowering, input int) (int, error) {
	op, err := a.operator(l, input)
	if err != nil {
		return 0, err
	}
	log := a.changelog(op)
	if l.settings.SinglePhase || !mergeable(op) || !op.Firing.Once() {
		return l.exchange("aggregate", &op, a.cols, log, input, a.keys), nil
	}
	partial, final := op, op
	partial.Phase, final.Phase = plan.Partial, plan.Final
	first := l.chain("preaggregate", &partial, a.partialColumns(op), input)
	final.Keys = firstN(len(a.keys))
	return l.exchange("aggregate", &final, a.cols, log, first, final.Keys), nil
}

// operator is the aggregate in one phase.
func (a *aggregate) operator(l *lowering, input int) (plan.Aggregate, error) {
	op := plan.Aggregate{
		Keys: a.keys, KeyNames: typedNames(a.cols[:len(a.keys)]), Window: a.groupWindow(),
		Retracting: l.graph.Vertices[input].Changelog != plan.Append,
	}
	a.setEmission(l, &op)
	if a.ttl > 0 && a.window == nil {
		op.TTL = a.ttl
		l.notYet(a.at, "forgetting groups after a time")
	}
	for _, c := range a.calls {
		resolved := c.Call
		if op.Retracting {
			var err error
			options := c.options
			options.Retract = true
			if resolved, err = agg.Resolve(c.Name, c.Args, options); err != nil {
				return op, a.at.error(err.Error())
			}
		}
		op.Calls = append(op.Calls, plan.AggregateCall{Call: resolved, Args: c.args, Filter: c.filter, Name: c.name})
	}
	return op, nil
}

// mergeable tells whether partial results can be put together.
func mergeable(op plan.Aggregate) bool {
	return !op.Retracting && !slices.ContainsFunc(op.Calls, func(c plan.AggregateCall) bool { return !c.Call.Mergeable })
}

// changelog is the kind of changes the groups make. A group without aggregates never changes once it is there.
func (a *aggregate) changelog(op plan.Aggregate) plan.Changelog {
	once := (op.Window != nil || op.Emit == plan.EmitFinal) && (op.Firing.Once() || op.Firing.Accumulation != plan.Retracting)
	if once || len(op.Calls) == 0 && !op.Retracting {
		return plan.Append
	}
	return plan.Retract
}

// setEmission says when the groups give results.
func (a *aggregate) setEmission(l *lowering, op *plan.Aggregate) {
	switch {
	case a.window != nil:
		op.Firing = a.firing
	case l.final, a.untilEnd:
		op.Emit, op.Firing = plan.EmitFinal, plan.Firing{Early: a.firing.Early, Accumulation: a.firing.Accumulation}
	case a.period > 0:
		op.Emit, op.Period = plan.EmitPeriodic, a.period
	}
	if op.Emit == plan.EmitPeriodic || !op.Firing.Once() || op.Firing.LateRows == plan.LateSide {
		l.notYet(a.emitAt, "giving results at these times")
	}
}

func (a *aggregate) groupWindow() *plan.GroupWindow {
	if a.window == nil {
		return nil
	}
	w := *a.window
	w.Name = windowText(a.cols[w.Start].role.window, "")
	w.Lateness, w.Processing = a.lateness, a.cols[w.Start].role.processing
	return &w
}

// partialColumns are the keys, then the state of each call.
func (a *aggregate) partialColumns(op plan.Aggregate) []column {
	cols := slices.Clone(a.cols[:len(a.keys)])
	for _, c := range op.Calls {
		for i, t := range c.Call.StateTypes {
			cols = append(cols, column{name: fmt.Sprintf("%s.%d", c.Name, i), typ: t, nullable: true})
		}
	}
	return cols
}
