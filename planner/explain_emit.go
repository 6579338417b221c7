package planner

import (
	"fmt"
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// emitText says when the aggregate gives its groups.
func emitText(op *plan.Aggregate) string {
	var text string
	switch {
	case op.Phase == plan.Partial:
		return ""
	case op.Window != nil:
		text = "; emits at the end of " + op.Window.Name + latenessText(op)
	case op.Emit == plan.EmitFinal:
		text = "; emits at the end of the input"
	case op.Emit == plan.EmitPeriodic:
		return fmt.Sprintf("; emits changes every %s", expr.NewDayTime(op.Period))
	default:
		return "; emits changes"
	}
	text += firingText("early", op.Firing.Early)
	if op.Firing.OnTime {
		late := firingText("late", op.Firing.Late)
		if late == "" {
			late = ", late with every row"
		}
		text += late
	}
	if !op.Firing.Once() {
		text += ", " + strings.ToLower(op.Firing.Accumulation.String())
	}
	if op.Firing.LateRows == plan.LateSide {
		text += ", rows that are too late go to a table of their own"
	}
	return text
}

// latenessText says how long a window takes rows behind its end.
func latenessText(op *plan.Aggregate) string {
	w, f := op.Window, op.Firing
	switch {
	case f.OnTime && f.Delay > 0:
		return fmt.Sprintf(" plus %s, takes rows for %s", expr.NewDayTime(f.Delay), expr.NewDayTime(w.Lateness))
	case f.OnTime:
		return fmt.Sprintf(", takes rows for %s more", expr.NewDayTime(w.Lateness))
	}
	return plusText(w.Lateness)
}

// plusText is a time that is added to another, in milliseconds.
func plusText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return " plus " + expr.NewDayTime(ms).String()
}

// firingText lists triggers, any of which fires.
func firingText(when string, triggers []plan.Trigger) string {
	if len(triggers) == 0 {
		return ""
	}
	parts := make([]string, len(triggers))
	for i, t := range triggers {
		switch {
		case t.Every > 0:
			parts[i] = expr.NewDayTime(t.Every).String()
		case t.Rows == 1:
			parts[i] = "row"
		default:
			parts[i] = fmt.Sprintf("%d rows", t.Rows)
		}
	}
	return ", " + when + " every " + strings.Join(parts, " or ")
}
