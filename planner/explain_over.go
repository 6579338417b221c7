package planner

import (
	"fmt"
	"strings"

	"streamsql/plan"
)

func overCallsText(op *plan.Over) string {
	names := make([]string, len(op.Calls))
	for i, c := range op.Calls {
		names[i] = c.Name
	}
	return "Over " + op.Name + ": " + strings.Join(names, ", ")
}

// overState says which rows functions with OVER keep: those that a frame, or the watermark, may still ask for.
func overState(op *plan.Over, bounded bool) string {
	partitions := "all rows"
	if len(op.PartitionNames) > 0 {
		partitions = "for each (" + strings.Join(op.PartitionNames, ", ") + ") the rows"
	}
	if op.Time < 0 {
		return partitions + ", " + growth(bounded, 0, "an order by event time would bound it")
	}
	switch start := op.Frame.Start; {
	case start.Kind == plan.UnboundedPreceding:
		return partitions + " that the watermark has not passed, and the values so far, bounded by the number of partitions"
	case op.Frame.Unit == plan.FrameRange && start.Distance != nil:
		return partitions + " of the last " + start.Distance.String() + ", bounded"
	case start.Distance != nil:
		return partitions + " that the watermark has not passed, and the last " + start.Distance.String() + ", bounded by the number of partitions"
	}
	return partitions + " that the watermark has not passed, bounded"
}

func topText(op *plan.TopN) string {
	if op.Window != nil {
		return op.Name + "; emits at the end of " + op.Window.Name
	}
	return op.Name
}

// topState says which rows a choice of the first ones keeps. Where rows are only added, those that are not chosen are forgotten.
func topState(op *plan.TopN, bounded bool) string {
	switch {
	case op.Window != nil:
		return "the rows of each window, bounded: forgotten when the watermark passes the end of its " + op.Window.Name
	case len(op.Partition) == 0 && op.To >= 0:
		return fmt.Sprintf("the first %d rows, bounded; all rows if some are taken back", op.To)
	}
	return "the rows of each partition, " + growth(bounded, 0, "partitions by a window as well would bound it")
}
