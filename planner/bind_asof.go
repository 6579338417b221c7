package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// joinAsOf binds a join with FOR SYSTEM_TIME AS OF: each row to the left meets the version of the table that was valid at its time.
func (b *binder) joinAsOf(left node, names *scope, ref *parser.Join, table *parser.Table) (node, *scope, error) {
	if kind := joinKinds[ref.Kind]; kind != plan.Inner && kind != plan.Left {
		return nil, nil, b.errorf(ref.KindPos, "FOR SYSTEM_TIME AS OF is joined by [INNER] JOIN or LEFT JOIN")
	}
	right, others, err := b.bindVersions(table)
	if err != nil {
		return nil, nil, err
	}
	others.outer = b.outer
	a, err := b.bindAsOf(names, right, table)
	if err != nil {
		return nil, nil, err
	}
	in, both, err := b.bindPair(ref, join{left: left, right: right, asOf: a}, names, others)
	if err != nil {
		return nil, nil, err
	}
	return in, both, b.checkAsOf(in, ref, table)
}

// bindAsOf binds the time that a version must have been valid at: an event time of the left side, or the moment of processing.
func (b *binder) bindAsOf(names *scope, right node, table *parser.Table) (*asOf, error) {
	time, err := b.scalar(names.in("FOR SYSTEM_TIME AS OF"), table.AsOf)
	if err != nil {
		return nil, err
	}
	role := columnOf("", time, names.cols).role
	if role.kind == processingTime {
		return &asOf{version: -1}, nil
	}
	if !role.isTime() {
		return nil, b.at(table.AsOf).error("FOR SYSTEM_TIME AS OF takes an event time of the table to its left, as it is, or PROCTIME()",
			b.timesOf(names))
	}
	version := slices.IndexFunc(right.columns(), func(c column) bool { return c.role.isTime() })
	if version < 0 {
		return nil, b.at(table.Name).error(fmt.Sprintf("'%s' has no event time that could tell when its versions were valid", table.Name),
			"give it a WATERMARK; or join AS OF PROCTIME(), with what is valid at the moment")
	}
	return &asOf{version, time}, nil
}

// timesOf is a hint about the event times of a scope.
func (b *binder) timesOf(names *scope) string {
	var times []string
	for _, i := range names.visible {
		if names.cols[i].role.isTime() {
			times = append(times, names.cols[i].name)
		}
	}
	if times == nil {
		return "an event time is a column with a WATERMARK"
	}
	return "the event time here is '" + strings.Join(times, "' or '") + "'"
}

// checkAsOf makes sure that there is one version at a time: ON compares the key of the versions.
func (b *binder) checkAsOf(in node, ref *parser.Join, table *parser.Table) error {
	j := temporalJoin(in)
	if j.asOf.time == nil {
		if len(equalities(j)) == 0 {
			return b.errorf(ref.KindPos, "a join FOR SYSTEM_TIME AS OF needs ON with an equality, such as o.currency = r.currency")
		}
		return nil
	}
	key := keyOf(j.right)
	if len(key) == 0 {
		return b.at(table.Name).error(fmt.Sprintf("'%s' has no key that could tell which rows are versions of the same", table.Name),
			"declare PRIMARY KEY (…) NOT ENFORCED, or make a view that keeps the newest row of each key by ROW_NUMBER()")
	}
	for _, k := range key {
		if !comparesRight(j, k) {
			return b.errorf(ref.KindPos, "ON must compare the key of '%s', its column '%s', for equality", table.Name, j.right.columns()[k].name)
		}
	}
	return nil
}

// temporalJoin is the join that bindPair has made, perhaps under a projection.
func temporalJoin(in node) *join {
	if j, ok := in.(*join); ok {
		return j
	}
	return temporalJoin(in.inputs()[0])
}

// equalities lists the equalities of the condition.
func equalities(j *join) []equality {
	var list []equality
	for _, term := range expr.Conjuncts(j.on) {
		if eq, ok := j.equality(term); ok {
			list = append(list, eq)
		}
	}
	return list
}

// comparesRight tells whether the condition compares a column of the right side with an expression.
func comparesRight(j *join, column int) bool {
	return slices.ContainsFunc(equalities(j), func(eq equality) bool {
		c, ok := eq.right.(*expr.Column)
		return ok && c.Index == column+j.width()
	})
}
