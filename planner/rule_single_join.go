package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// dropSingle no longer looks out for second partners where there can be none, and makes an inner join of one with a row that is always
// there.
var dropSingle = rule{"drop single", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral || !j.single || !j.onePartner() {
		return nil
	}
	return j.with(func(j *join) {
		j.single = false
		if isTrue(j.on) && alwaysRow(j.right) {
			j.kind = plan.Inner
		}
	})
}}

// certainPartner removes a join that only asks whether there is a row, where there always is one.
var certainPartner = rule{"certain partner", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || j.lateral || !isTrue(j.on) || !alwaysRow(j.right) {
		return nil
	}
	switch j.kind {
	case plan.Semi:
		return j.left
	case plan.Anti:
		return emptyOf(j)
	case plan.Mark:
		exprs, _ := passed(j.left.columns())
		return newProject(j.left, append(exprs, expr.NewBool(true)), columnNames(j.cols))
	}
	return nil
}}

// onePartner tells whether a left row has one partner at most: the condition compares a key of the right side.
func (j *join) onePartner() bool {
	key := keyOf(j.right)
	if key == nil {
		return false
	}
	keys, _ := j.split()
	for _, k := range key {
		if !slices.ContainsFunc(keys, func(o plan.JoinKey) bool { return o.Right == k && o.Nulls == plan.NullsDiffer }) {
			return false
		}
	}
	return true
}

// alwaysRow tells whether a plan yields exactly one row: the aggregation of all rows, or a literal one.
func alwaysRow(n node) bool {
	switch n := n.(type) {
	case *aggregate:
		return len(n.keys) == 0 && n.sets == nil
	case *values:
		return len(n.rows) == 1
	case *project:
		return alwaysRow(n.input)
	case *join:
		return isTrue(n.on) && n.kind == plan.Inner && n.asOf == nil && alwaysRow(n.left) && alwaysRow(n.right)
	}
	return false
}
