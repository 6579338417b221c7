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
	simplifyTests,
	joinOneRow,
	markValues,
	filterByMark,
	dropSingle,
	certainPartner,
	pushFilterIntoOver,
	pushFilterIntoTopN,
	rankToTopN,
	strengthenJoin,
	pushFilterIntoJoin,
	pushJoinCondition,
	completeWindow,
	projectJoinKeys,
	mergeProjects,
	removeProjects,
	projectValues,
	mergeUnions,
	removeEmpty,
	removeDistinct,
	orderJoins,
}

// optimize makes plain joins of lateral ones, which the other rules know nothing of. It applies those until none has anything to do,
// then leaves out the columns nobody reads, which may give the rules more to do. The root keeps its columns.
func (p *Planner) optimize(root node) (node, error) {
	root = p.fixpoint(root, []rule{decorrelate})
	if j := lateralJoin(root); j != nil {
		return nil, j.at.error("this query depends on the one around it in a way that cannot be turned into a join",
			"connect the two by equalities in WHERE of the inner one, such as u.k = t.k")
	}
	root = p.fixpoint(root, rules)
	root = pruned(root)
	return settle(p.fixpoint(root, rules)), nil
}

// lateralJoin finds a lateral join that is left.
func lateralJoin(n node) *join {
	if j, ok := n.(*join); ok && j.lateral {
		return j
	}
	for _, in := range n.inputs() {
		if j := lateralJoin(in); j != nil {
			return j
		}
	}
	return nil
}

// fixpoint applies rules to all operators until nothing changes.
func (p *Planner) fixpoint(n node, rules []rule) node {
	for {
		better := p.improve(n, rules)
		if better == n {
			return n
		}
		n = better
	}
}

// improve applies the rules once to each operator, inputs first.
func (p *Planner) improve(n node, rules []rule) node {
	old := n.inputs()
	inputs := make([]node, len(old))
	for i, in := range old {
		inputs[i] = p.improve(in, rules)
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
