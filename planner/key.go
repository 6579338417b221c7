package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// keyOf is a set of columns that no two rows of the final result agree on, nil if none is known. An empty set means that there
// is one row at most.
func keyOf(n node) []int {
	switch n := n.(type) {
	case *aggregate:
		key := make([]int, len(n.keys))
		for i := range key {
			key[i] = i
		}
		if n.sets != nil {
			key = append(key, len(n.cols)-1)
		}
		return key
	case *filter:
		return keyOf(n.input)
	case *project:
		return projectedKey(n)
	case *values:
		if len(n.rows) <= 1 {
			return []int{}
		}
	case *scan:
		return n.key()
	case *join:
		return n.key()
	case *over:
		return keyOf(n.input)
	case *topN:
		return n.key()
	}
	return nil
}

// key is the partition where one row of each is kept, and else the input's.
func (t *topN) key() []int {
	if t.rank == plan.RowNumber && t.from == t.to {
		return append([]int{}, t.partition...)
	}
	return keyOf(t.input)
}

// key is the left key where each left row has one partner at most, and else both keys together.
func (j *join) key() []int {
	left := keyOf(j.left)
	if left == nil || j.maybeNoLeft() {
		return nil
	}
	if !j.givesRight() || j.asOf != nil || j.single || j.onePartner() {
		return left
	}
	right := keyOf(j.right)
	if right == nil {
		return nil
	}
	both := slices.Clone(left)
	for _, k := range right {
		both = append(both, k+j.width())
	}
	return both
}

// key is the table's primary key, if it is read.
func (s *scan) key() []int {
	if len(s.table.PrimaryKey) == 0 {
		return nil
	}
	var key []int
	for _, k := range s.table.PrimaryKey {
		at := slices.Index(s.picked, k)
		if at < 0 {
			return nil
		}
		key = append(key, at)
	}
	return key
}

// projectedKey is the input's key where the projection passes all of it on.
func projectedKey(p *project) []int {
	below := keyOf(p.input)
	if below == nil {
		return nil
	}
	key := []int{}
	for _, k := range below {
		at := slices.IndexFunc(p.values, func(x expr.Expr) bool {
			c, ok := x.(*expr.Column)
			return ok && c.Index == k
		})
		if at < 0 {
			return nil
		}
		key = append(key, at)
	}
	return key
}

// shownKey is the key of the result if it lies in the shown columns.
func shownKey(root node, shown int) []int {
	key := keyOf(root)
	if slices.ContainsFunc(key, func(k int) bool { return k >= shown }) {
		return nil
	}
	return key
}
