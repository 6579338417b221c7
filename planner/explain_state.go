package planner

import (
	"fmt"
	"strings"

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
	case *plan.Aggregate:
		return groupsText(op, v, bounded)
	}
	return ""
}

// groupsText says how many groups an aggregate holds.
func groupsText(op *plan.Aggregate, v *plan.Vertex, bounded bool) string {
	keys := fieldNames(v.Schema, firstN(len(op.Keys)))
	switch {
	case op.Phase == plan.Partial:
		return ""
	case op.Window != nil:
		return fmt.Sprintf("one group for each (%s), bounded: forgotten when the watermark passes the end of its %s", keys, op.Window.Name)
	case len(op.Keys) == 0:
		return "one group, bounded"
	case bounded:
		return fmt.Sprintf("one group for each (%s), bounded by the input", keys)
	}
	return fmt.Sprintf("one group for each (%s), UNBOUNDED: warning, it grows with every new value for as long as the job runs; "+
		"grouping by a window as well would bound it", keys)
}
