package planner

import (
	"fmt"
	"strings"

	"streamsql/plan"
)

// drawAdvice lists what may become too large or too slow: state without a bound, and joins that compare every row with every other.
func drawAdvice(_ *Planner, planned *Planned) (string, error) {
	var b strings.Builder
	for _, v := range planned.Graph.Vertices {
		if text := stateText(v, planned.Bounded); strings.Contains(text, "UNBOUNDED") {
			fmt.Fprintf(&b, "%s keeps %s\n", v.ID, text)
		}
		if j, ok := v.Op.(*plan.Join); ok && v.Parallelism == 1 {
			fmt.Fprintf(&b, "%s brings all rows together in one task, since no equality of %s tells them apart\n", v.ID, joinInputs(j))
		}
	}
	if b.Len() == 0 {
		return "nothing to advise\n", nil
	}
	return b.String(), nil
}

// joinInputs names the condition of a join, or says that there is none.
func joinInputs(j *plan.Join) string {
	if j.Name == "TRUE" {
		return "its inputs"
	}
	return "its condition, " + j.Name + ","
}
