package planner

import "fmt"

// checkTimes makes sure that what needs an event time still has one when the rules are done: behind a regular join there is none.
func checkTimes(n node) error {
	for _, in := range n.inputs() {
		if err := checkTimes(in); err != nil {
			return err
		}
	}
	switch n := n.(type) {
	case *match:
		if c := n.input.columns()[n.order[0].Column]; !c.role.isAnyTime() {
			return lostTime(n.at, "MATCH_RECOGNIZE", c)
		}
	case *windowAssign:
		if c := n.input.columns()[n.time]; !c.role.isAnyTime() {
			return lostTime(n.at, n.spec.Kind, c)
		}
	case *join:
		if n.asOf != nil {
			if err := n.checkAsOf(); err != nil {
				return err
			}
		}
		if c := n.asOf; c != nil && c.time != nil && !columnOf("", c.time, n.left.columns()).role.isTime() {
			return lostTime(n.at, "FOR SYSTEM_TIME AS OF", columnOf(nameOf(c.time), c.time, n.left.columns()))
		}
	}
	return nil
}

func lostTime(at place, what string, c column) error {
	return at.error(fmt.Sprintf("%s takes an event time, and '%s' comes out of a join that gives rows of any time", what, c.name),
		"bound the times of both sides in the join's condition: a.ts BETWEEN b.ts - INTERVAL '1' HOUR AND b.ts",
		"or join what is windowed already, or a table of versions FOR SYSTEM_TIME AS OF a.ts")
}
