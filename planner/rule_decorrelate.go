package planner

import (
	"streamsql/exec/expr"
	"streamsql/plan"
)

// decorrelate makes a plain join of a lateral one: what the right side says of the left becomes part of the condition.
var decorrelate = rule{"decorrelate", func(p *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || !j.lateral {
		return nil
	}
	if better := p.liftProject(j); better != nil {
		return better
	}
	right, ok := p.pull(j.right)
	if !ok {
		return nil
	}
	if right.defaults != nil {
		return p.decorrelateDefaults(j, right)
	}
	return j.keep(j.decorrelated(right))
}}

// decorrelated is the join with the right side pulled. Its columns are those of the join, with others behind those of the right side.
func (j *join) decorrelated(right pulled) *join {
	n := j.width()
	var terms []expr.Expr
	for _, x := range right.conditions {
		x = approach(shift(x, n))
		if j.kind == plan.Mark && x.Nullable() { // it says which rows there are, not what they are compared with
			x = test("IS TRUE", x)
		}
		terms = append(terms, x)
	}
	terms = append(terms, withoutTrue(j.on)...)
	return j.with(func(j *join) {
		j.right = mapOuter(right.node, func(c *expr.Column) expr.Expr { return nearer(c) })
		j.on, j.lateral = and(terms...), false
	})
}

// approach makes columns of the query around those of the left side of the join, and brings those of queries further out one level
// nearer.
func approach(x expr.Expr) expr.Expr {
	return rewriteColumns(x, func(c *expr.Column) expr.Expr {
		if !isOuter(c) {
			return c
		}
		return nearer(c)
	})
}

func nearer(c *expr.Column) *expr.Column {
	moved := *c
	moved.Index -= outerLevel
	return &moved
}

// keep projects a join to the columns that another version of it has: those of the right side it shows come first.
func (j *join) keep(wider *join) node {
	if !j.givesRight() {
		return wider
	}
	return firstColumns(wider, len(j.cols))
}

// decorrelateDefaults joins an aggregation without keys, which gives a row even where nothing is aggregated: the left row stays, with
// the defaults in the place of what is missing. There is exactly one right row then, for which the condition holds or not.
func (p *Planner) decorrelateDefaults(j *join, right pulled) node {
	width, n := len(right.node.columns()), j.width()
	right.node = marked(right.node)
	joined := j.with(func(j *join) { j.kind, j.single, j.on = plan.Left, false, expr.NewBool(true) }).decorrelated(right)
	row, names := passed(joined.cols[:n+len(j.right.columns())])
	for i, d := range right.defaults {
		if !isNull(d) { // what is missing is NULL of itself
			there := joined.cols[n+width].ref(n + width)
			row[n+i] = p.orDefault(there, row[n+i], d, right.node.columns()[i].nullable)
		}
	}
	holds := substitute(j.on, row)
	switch {
	case j.kind == plan.Mark:
		return newProject(joined, append(row[:n:n], holds), columnNames(j.cols))
	case j.kind == plan.Inner && !isTrue(j.on):
		return newProject(&filter{joined, holds}, row, names)
	case !isTrue(j.on):
		for i, x := range row[n:] {
			row[n+i] = p.orDefault(holds, x, nil, true)
		}
	}
	return newProject(joined, row, names)
}

// marked adds a column that is TRUE where there is a row.
func marked(n node) node {
	exprs, names := passed(n.columns())
	return newProject(n, append(exprs, expr.NewBool(true)), append(names, "there"))
}

// orDefault is x where there is a row, and the default where there is none.
func (p *Planner) orDefault(there, x, d expr.Expr, nullable bool) expr.Expr {
	var chosen expr.Expr
	var err error
	if nullable {
		chosen, err = expr.NewCase(nil, []expr.When{{Cond: there, Then: x}}, d, p.settings.Expr)
	} else {
		chosen, err = expr.NewCall("COALESCE", []expr.Expr{x, d}, p.settings.Expr)
	}
	if err != nil {
		panic("planner: a default is of another type: " + err.Error())
	}
	return chosen
}

// liftProject computes what refers to the query around behind the join instead of below it, if that is a projection on top of the
// right side. A mark join compares the values; behind an outer join there are none without a row.
func (p *Planner) liftProject(j *join) node {
	r, ok := j.right.(*project)
	if !ok || !anyOuter(r.values...) {
		return nil
	}
	n, input := j.width(), r.input
	guarded := j.kind == plan.Left && !alwaysRow(input)
	if guarded {
		input = marked(input)
	}
	values, names := passed(j.left.columns())
	for i, x := range r.values {
		values, names = append(values, approach(shift(x, n))), append(names, r.cols[i].name)
	}
	below := j.with(func(j *join) {
		j.right, j.on, j.lateral = input, substitute(j.on, values), hasOuter(input)
	})
	if !j.givesRight() {
		return below
	}
	if guarded {
		there := below.cols[len(below.cols)-1].ref(len(below.cols) - 1)
		for i, x := range values[n:] {
			values[n+i] = p.orDefault(there, x, nil, true)
		}
	}
	return newProject(below, values, names)
}
