package session

import (
	"strings"

	"streamsql/checkpoint"
	"streamsql/plan"
)

// dryRun tells what would become of each operator's state if a statement went on from a checkpoint.
func (s *Session) dryRun(st statement, m *checkpoint.Manifest) (*Result, error) {
	planned, err := s.plan(st)
	if err != nil {
		return nil, err
	}
	wanted := map[string]string{}
	for _, v := range planned.Graph.Vertices {
		if signature := plan.Signature(v.Op); signature != "" {
			wanted[v.ID] = signature
		}
	}
	g := s.newGrid(textField("operator"), textField("state"), textField("detail"))
	for _, o := range m.Plan.Operators {
		signature, there := wanted[o.Operator]
		state, detail := fate(o.Signature, signature, there)
		g.add(o.Operator, state, detail)
		delete(wanted, o.Operator)
	}
	for _, v := range planned.Graph.Vertices {
		if signature := wanted[v.ID]; signature != "" {
			g.add(v.ID, "NEW", "starts empty: "+inLine(signature))
		}
	}
	return g.result(), nil
}

// fate is what becomes of state of one signature when the operator of its name has another, or is gone.
func fate(was, now string, there bool) (state, detail string) {
	switch {
	case !there:
		return "DROP", "no operator takes it: " + inLine(was)
	case was == now:
		return "KEEP", inLine(was)
	}
	gone, added := plan.Difference(was, now)
	var parts []string
	if len(gone) > 0 {
		parts = append(parts, "without "+strings.Join(gone, ", "))
	}
	if len(added) > 0 {
		parts = append(parts, "with "+strings.Join(added, ", "))
	}
	return "MISMATCH", "the operator is now " + strings.Join(parts, ", ")
}

func inLine(signature string) string { return strings.ReplaceAll(signature, "\n", ", ") }
