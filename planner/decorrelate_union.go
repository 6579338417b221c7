package planner

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
)

// pullUnion takes the conditions out of all branches of a union if they compare the same things of queries around: what is compared with
// those becomes a column of the union.
func (p *Planner) pullUnion(u *union) (pulled, bool) {
	n := len(u.cols)
	var first pulled
	var compared []int // of the first branch
	branches := make([]node, len(u.ins))
	for i, in := range u.ins {
		branch, ok := p.pull(in)
		if !ok || branch.defaults != nil {
			return pulled{}, false
		}
		keys, ok := addComparedColumns(&branch)
		if !ok {
			return pulled{}, false
		}
		if i == 0 {
			first, compared = branch, keys
		} else if keys, ok = alike(first, compared, branch, keys); !ok {
			return pulled{}, false
		}
		branches[i] = choose(branch.node, append(firstN(n), keys...))
	}
	out := pulled{node: newUnion(branches)}
	cols := out.node.columns() // what is compared can be NULL if it can in one of the branches
	for j, x := range first.conditions {
		like := x.(*expr.Call)
		out.conditions = append(out.conditions, comparison(like, cols[n+j].ref(n+j), like.Args[1]))
	}
	return out, true
}

// alike puts the compared columns of a branch into the order of those of the first one, which are compared with the same. The j-th
// condition of each is about the j-th column.
func alike(first pulled, compared []int, branch pulled, keys []int) ([]int, bool) {
	if len(keys) != len(compared) {
		return nil, false
	}
	ordered := make([]int, len(keys))
	taken := make([]bool, len(keys))
	for j, x := range first.conditions {
		found := -1
		for k, y := range branch.conditions {
			there := map[int]int{keys[k]: compared[j]}
			if !taken[k] && sameType(first.node, compared[j], branch.node, keys[k]) && expr.Equal(x, expr.Remap(y, withOuters(there, y))) {
				found = k
				break
			}
		}
		if found < 0 {
			return nil, false
		}
		ordered[j], taken[found] = keys[found], true
	}
	return ordered, true
}

func sameType(a node, i int, b node, j int) bool {
	return arrow.TypeEqual(a.columns()[i].typ, b.columns()[j].typ)
}
