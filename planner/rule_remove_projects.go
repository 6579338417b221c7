package planner

import "streamsql/exec/expr"

// removeProjects removes a projection that passes all columns on as they are.
var removeProjects = rule{"remove projects", func(_ *Planner, n node) node {
	p, ok := n.(*project)
	if !ok || len(p.values) != len(p.input.columns()) {
		return nil
	}
	for i, x := range p.values {
		if c, ok := x.(*expr.Column); !ok || c.Index != i {
			return nil
		}
	}
	return p.input
}}
