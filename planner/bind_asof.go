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
	return b.bindPair(ref, join{left: left, right: right, asOf: a}, names, others)
}

// bindAsOf binds the time that a version must have been valid at: an event time of the left side, or the moment of processing.
func (b *binder) bindAsOf(names *scope, right node, table *parser.Table) (*asOf, error) {
	time, err := b.scalar(names.in("FOR SYSTEM_TIME AS OF"), table.AsOf)
	if err != nil {
		return nil, err
	}
	bound := &asOf{version: -1, name: table.Name.Last().Name, at: b.at(table.Name)}
	role := columnOf("", time, names.cols).role
	if role.kind == processingTime {
		return bound, nil
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
	bound.version, bound.time = version, time
	return bound, nil
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
func (j *join) checkAsOf() error {
	a := j.asOf
	if a.time == nil {
		if len(j.equalities()) == 0 {
			return j.at.error("a join FOR SYSTEM_TIME AS OF needs ON with an equality, such as o.currency = r.currency")
		}
		return nil
	}
	key := keyOf(j.right)
	if len(key) == 0 {
		return a.at.error(fmt.Sprintf("'%s' has no key that could tell which rows are versions of the same", a.name),
			"declare PRIMARY KEY (…) NOT ENFORCED, or make a view that keeps the newest row of each key by ROW_NUMBER()")
	}
	for _, k := range key {
		if !j.compares(k) {
			return j.at.error(fmt.Sprintf("ON must compare the key of '%s', its column '%s', for equality", a.name, j.right.columns()[k].name))
		}
	}
	return nil
}

// equalities lists the equalities of the condition.
func (j *join) equalities() []equality {
	var list []equality
	for _, term := range expr.Conjuncts(j.on) {
		if eq, ok := j.equality(term); ok {
			list = append(list, eq)
		}
	}
	return list
}

// compares tells whether the condition compares a column of the right side for equality.
func (j *join) compares(column int) bool {
	return slices.ContainsFunc(j.equalities(), func(eq equality) bool {
		c, ok := eq.right.(*expr.Column)
		return ok && c.Index == column+j.width()
	})
}
