package planner

import "slices"

// rule improves one operator. It returns nil where it has nothing to do; what it returns has the same columns, up to their
// names, and rows. Each rule is one file rule_*.go.
type rule struct {
	name  string
	apply func(p *Planner, n node) node
}

var rules = []rule{
	foldConstants,
	mergeFilters,
	removeFilters,
	pushFilterIntoProject,
	pushFilterIntoUnion,
	pushFilterIntoWindow,
	pushFilterIntoAggregate,
	mergeProjects,
	removeProjects,
	projectValues,
	mergeUnions,
}

// optimize applies all rules until none has anything to do, then leaves out the columns nobody reads, which may give the rules
// more to do. The root keeps its columns.
func (p *Planner) optimize(root node) node {
	root = p.fixpoint(root)
	root = pruned(root)
	return p.fixpoint(root)
}

// fixpoint applies the rules to all operators until nothing changes.
func (p *Planner) fixpoint(n node) node {
	for {
		better := p.improve(n)
		if better == n {
			return n
		}
		n = better
	}
}

// improve applies the rules once to each operator, inputs first.
func (p *Planner) improve(n node) node {
	old := n.inputs()
	inputs := make([]node, len(old))
	for i, in := range old {
		inputs[i] = p.improve(in)
	}
	if !slices.Equal(inputs, old) {
		n = n.withInputs(inputs)
	}
	for _, r := range rules {
		if better := r.apply(p, n); better != nil {
			n = better
		}
	}
	return n
}

// pruned leaves out the columns that the root does not need.
func pruned(root node) node {
	all := slices.Repeat([]bool{true}, len(root.columns()))
	n, moved := root.prune(all)
	if len(n.columns()) == len(moved) && slices.IsSorted(moved) {
		return n
	}
	return pick(n, all, moved)
}
