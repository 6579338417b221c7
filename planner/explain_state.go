package planner

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// drawState lists what each operator keeps over a checkpoint, and what bounds it.
func drawState(_ *Planner, planned *Planned) (string, error) {
	var b strings.Builder
	for _, v := range planned.Graph.Vertices {
		if text := stateText(v, planned.Bounded); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", v.ID, text)
		}
	}
	return b.String(), nil
}

func stateText(v *plan.Vertex, bounded bool) string {
	switch op := v.Op.(type) {
	case *plan.Scan:
		return "the position in each split"
	case *plan.Values:
		return "how many rows have been given"
	case *plan.Sink:
		return "the transactions to commit, if the table has any"
	case *plan.WindowAssign:
		if op.Spec.Kind == "SESSION" {
			return "the rows of sessions that are not over, bounded: given when the watermark passes the end of their session"
		}
	case *plan.Aggregate:
		return groupsText(op, v, bounded)
	case *plan.Join:
		return joinState(op, bounded)
	case *plan.IntervalJoin:
		return intervalState(op)
	case *plan.WindowJoin:
		return "the rows of both inputs, bounded: forgotten when the watermark passes the end of their " + op.Windows[0].Name
	case *plan.TemporalJoin:
		return temporalState(op)
	case *plan.Over:
		return overState(op, bounded)
	case *plan.TopN:
		return topState(op, bounded)
	case *plan.Match:
		return matchState(op, bounded)
	case *plan.Normalize:
		return "one row for each (" + strings.Join(op.KeyNames, ", ") + "), bounded by the number of keys"
	case *plan.Deduplicate:
		return "one row for each (" + strings.Join(op.KeyNames, ", ") + "), " + growth(bounded, 0, "the keys are kept for ever")
	}
	return ""
}

// growth says what bounds state that grows with the input: its end, or nothing.
func growth(bounded bool, ttl int64, advice string) string {
	switch {
	case ttl > 0:
		return fmt.Sprintf("bounded: kept for %s behind its last change", expr.NewDayTime(ttl))
	case bounded:
		return "bounded by the input"
	}
	return "UNBOUNDED: warning, it grows for as long as the job runs; " + advice
}

// groupsText says how many groups an aggregate holds.
func groupsText(op *plan.Aggregate, v *plan.Vertex, bounded bool) string {
	keys := fieldNames(v.Schema, firstN(len(op.Keys)))
	switch {
	case op.Phase == plan.Partial:
		return ""
	case op.Window != nil:
		return fmt.Sprintf("one group for each (%s), bounded: forgotten when the watermark passes the end of its %s%s", keys, op.Window.Name, plusText(op.Window.Lateness))
	case len(op.Keys) == 0:
		return "one group, bounded"
	}
	return fmt.Sprintf("one group for each (%s), %s", keys, growth(bounded, op.TTL, "grouping by a window as well would bound it"))
}
