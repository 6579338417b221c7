package planner

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// joinText describes a join in a line; class is empty for a regular one.
func joinText(class string, op *plan.Join) string {
	text := joinWords[op.Kind] + " " + class + "join"
	if op.Name != "TRUE" {
		text += " on " + op.Name
	}
	if op.Single {
		text += ", one partner at most"
	}
	return text
}

// joinState says what a regular join keeps.
func joinState(op *plan.Join, bounded bool) string {
	if op.TTL[0] != op.TTL[1] && op.TTL[0] > 0 && op.TTL[1] > 0 {
		return fmt.Sprintf("the rows of both inputs, bounded: kept for %s and %s behind their last change", expr.NewDayTime(op.TTL[0]), expr.NewDayTime(op.TTL[1]))
	}
	return "the rows of both inputs, " + growth(bounded, min(op.TTL[0], op.TTL[1]), "times in the condition would bound it, as would the hint STATE_TTL")
}

// intervalState says how long an interval join keeps rows.
func intervalState(op *plan.IntervalJoin) string {
	return fmt.Sprintf("the rows of both inputs, bounded: forgotten when the watermark has passed their time, those of the left by %s, those of the right by %s",
		expr.NewDayTime(max(op.Upper, 0)), expr.NewDayTime(max(-op.Lower, 0)))
}

// temporalState says what a temporal join keeps.
func temporalState(op *plan.TemporalJoin) string {
	if op.Version < 0 {
		return "the newest row of each key of the right input, bounded by the number of keys"
	}
	return "the left rows until the watermark passes their time; of each key of the right input the versions that may still be asked for, bounded by the number of keys"
}

func unnestText(op *plan.Unnest) string {
	items := make([]string, len(op.Arrays))
	for i, a := range op.Arrays {
		items[i] = exprText(a)
	}
	text := "Unnest "
	if op.Outer {
		text = "Outer unnest "
	}
	text += strings.Join(items, ", ")
	if op.Ordinality {
		text += " with ordinality"
	}
	return text
}
