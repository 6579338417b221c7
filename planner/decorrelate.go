package planner

import (
	"streamsql/exec/expr"
	"streamsql/plan"
)

// pulled is a plan that refers to no query around it any more, and the conditions that did: what they were about is among its columns.
type pulled struct {
	// node has the columns of the plan it was made of, and perhaps others behind them.
	node node
	// conditions are over the columns of the node, and those of queries around.
	conditions []expr.Expr
	// defaults are the one row, of constants, that the plan gives for rows around it that no row agrees with; nil if it gives none.
	defaults []expr.Expr
}

// pull takes the conditions about queries around out of a plan. It fails where what the plan gives would change by that.
func (p *Planner) pull(n node) (pulled, bool) {
	if !hasOuter(n) {
		return pulled{node: n}, true
	}
	switch n := n.(type) {
	case *filter:
		return p.pullFilter(n)
	case *project:
		return p.pullProject(n)
	case *aggregate:
		return p.pullAggregate(n)
	case *join:
		return p.pullJoin(n)
	case *windowAssign:
		return p.pullWindow(n)
	case *topN:
		return p.pullTopN(n)
	case *union:
		return p.pullUnion(n)
	}
	return pulled{}, false
}

func (p *Planner) pullFilter(f *filter) (pulled, bool) {
	in, ok := p.pull(f.input)
	if !ok {
		return pulled{}, false
	}
	var kept []expr.Expr
	for _, term := range expr.Conjuncts(f.condition) {
		if anyOuter(term) {
			in.conditions = append(in.conditions, term)
		} else {
			kept = append(kept, term)
		}
	}
	if in.defaults != nil && !p.keepsDefaults(f, &in) {
		return pulled{}, false
	}
	if len(kept) > 0 {
		in.node = &filter{in.node, and(kept...)}
	}
	return in, true
}

// keepsDefaults finds out whether the filter keeps the row of defaults. A condition about queries around cannot tell.
func (p *Planner) keepsDefaults(f *filter, in *pulled) bool {
	x := f.condition
	if anyOuter(x) {
		return false
	}
	l, ok := p.fold(substitute(x, in.defaults)).(*expr.Literal)
	if ok && l.V != true {
		in.defaults = nil
	}
	return ok
}

func (p *Planner) pullProject(n *project) (pulled, bool) {
	in, ok := p.pull(n.input)
	if !ok || anyOuter(n.values...) {
		return pulled{}, false
	}
	out := pulled{}
	exprs, names := n.values, n.names()
	out.conditions = make([]expr.Expr, len(in.conditions))
	for i, x := range in.conditions {
		out.conditions[i] = rewriteColumns(x, func(c *expr.Column) expr.Expr {
			if isOuter(c) {
				return c
			}
			at := len(exprs)
			for j, e := range exprs {
				if same, ok := e.(*expr.Column); ok && same.Index == c.Index {
					at = j
				}
			}
			if at == len(exprs) {
				exprs, names = append(exprs[:at:at], c), append(names[:at:at], c.Name)
			}
			moved := *c
			moved.Index = at
			return &moved
		})
	}
	for _, x := range n.values {
		if in.defaults != nil {
			out.defaults = append(out.defaults, p.fold(substitute(x, in.defaults)))
		}
	}
	out.node = newProject(in.node, exprs, names)
	return out, true
}

// pullAggregate groups by what the rows are compared with as well: each value has groups of its own then.
func (p *Planner) pullAggregate(a *aggregate) (pulled, bool) {
	in, ok := p.pull(a.input)
	if !ok || in.defaults != nil || a.sets != nil {
		return pulled{}, false
	}
	keys, ok := addComparedColumns(&in)
	if !ok {
		return pulled{}, false
	}
	n, added := len(a.keys), len(keys)
	changed := *a
	changed.input, changed.keys = in.node, append(a.keys[:n:n], keys...)
	grouped := changed.complete()
	order := firstN(n)
	for i := range a.calls {
		order = append(order, n+added+i)
	}
	at := map[int]int{}
	for i, k := range keys {
		at[k] = len(order)
		order = append(order, n+i)
	}
	out := pulled{node: choose(grouped, order)}
	for _, x := range in.conditions {
		out.conditions = append(out.conditions, expr.Remap(x, withOuters(at, x)))
	}
	if n == 0 {
		out.defaults, ok = emptyResults(a.calls)
	}
	return out, ok
}

// emptyResults are the results of aggregates over no rows.
func emptyResults(calls []call) ([]expr.Expr, bool) {
	results := []expr.Expr{}
	for _, c := range calls {
		switch {
		case c.Nullable:
			results = append(results, expr.NewNull(c.Result))
		case c.Result == expr.BigInt: // it counts
			results = append(results, expr.NewBigInt(0))
		default:
			return nil, false
		}
	}
	return results, true
}

// addComparedColumns makes columns of what the conditions compare for equality with queries around, and returns them. The conditions
// have them to the left then. Conditions of another kind make it fail.
func addComparedColumns(in *pulled) ([]int, bool) {
	exprs, names := passed(in.node.columns())
	var keys []int
	for i, x := range in.conditions {
		c, ok := x.(*expr.Call)
		if !ok || c.Fn.Name != "=" && c.Fn.Name != "IS NOT DISTINCT FROM" {
			return nil, false
		}
		own := 0
		if anyOuter(c.Args[0]) {
			own = 1
		}
		if anyOuter(c.Args[own]) || hasOwn(c.Args[1-own]) {
			return nil, false
		}
		column, isColumn := c.Args[own].(*expr.Column)
		if !isColumn {
			column = &expr.Column{Index: len(exprs), Name: c.Args[own].String(), T: c.Args[own].Type(), Null: c.Args[own].Nullable()}
			exprs, names = append(exprs, c.Args[own]), append(names, column.Name)
		}
		in.conditions[i] = comparison(c, column, c.Args[1-own])
		keys = append(keys, column.Index)
	}
	if len(exprs) > len(in.node.columns()) {
		in.node = newProject(in.node, exprs, names)
	}
	return keys, true
}

// comparison is a comparison of the kind of another one.
func comparison(like *expr.Call, a, b expr.Expr) expr.Expr {
	x, err := expr.NewCall(like.Fn.Name, []expr.Expr{a, b}, expr.Settings{})
	if err != nil {
		panic("planner: " + like.Fn.Name + " does not compare what it has compared: " + err.Error())
	}
	return x
}

// hasOwn tells whether an expression reads columns of its own input.
func hasOwn(x expr.Expr) bool {
	used := expr.Columns(x)
	return len(used) > 0 && used[0] < outerLevel
}

// pullJoin takes conditions out of the sides whose rows the join passes on, and out of the condition of an inner join.
func (p *Planner) pullJoin(j *join) (pulled, bool) {
	left, ok := p.pull(j.left)
	inner := j.kind == plan.Inner && j.asOf == nil
	if !ok || left.defaults != nil || j.lateral || j.maybeNoLeft() || !inner && (hasOuter(j.right) || anyOuter(j.on)) {
		return pulled{}, false
	}
	right, ok := p.pull(j.right)
	if !ok || right.defaults != nil {
		return pulled{}, false
	}
	n, m := j.width(), len(j.right.columns())
	wide := len(left.node.columns())
	moved := firstN(n)
	for i := range m {
		moved = append(moved, wide+i)
	}
	return p.joinPulled(j, left, right, moved)
}

func (p *Planner) joinPulled(j *join, left, right pulled, moved []int) (pulled, bool) {
	n, wide := j.width(), len(left.node.columns())
	var kept, about []expr.Expr
	for _, term := range expr.Conjuncts(j.on) {
		if term = move(term, moved); anyOuter(term) {
			about = append(about, term)
		} else {
			kept = append(kept, term)
		}
	}
	joined := j.over(left.node, right.node, moved).with(func(j *join) { j.on = and(kept...) })
	order := moved
	switch {
	case j.kind == plan.Mark:
		order = append(firstN(n), wide)
	case !j.givesRight():
		order = firstN(n)
	}
	about = append(about, left.conditions...)
	for _, x := range right.conditions {
		about = append(about, shift(x, wide))
	}
	return arrange(joined, order, about), true
}

// arrange brings the columns of a node into an order, with those behind them that conditions are about.
func arrange(n node, order []int, conditions []expr.Expr) pulled {
	at := map[int]int{}
	for i, o := range order {
		if _, taken := at[o]; !taken {
			at[o] = i
		}
	}
	for _, i := range expr.Columns(conditions...) {
		if _, there := at[i]; !there && i < outerLevel {
			at[i] = len(order)
			order = append(order, i)
		}
	}
	out := pulled{node: choose(n, order)}
	for _, x := range conditions {
		out.conditions = append(out.conditions, expr.Remap(x, withOuters(at, x)))
	}
	return out
}

func (p *Planner) pullWindow(w *windowAssign) (pulled, bool) {
	in, ok := p.pull(w.input)
	if !ok || in.defaults != nil || w.spec.Kind == "SESSION" {
		return pulled{}, false
	}
	changed := *w
	changed.input = in.node
	assigned := changed.complete()
	order := firstN(len(w.input.columns()))
	for i := range 3 {
		order = append(order, assigned.bound(i))
	}
	return arrange(assigned, order, in.conditions), true
}

// withOuters adds to a map of positions that columns of queries around stay where they are.
func withOuters(at map[int]int, x expr.Expr) map[int]int {
	for _, i := range expr.Columns(x) {
		if i >= outerLevel {
			at[i] = i
		}
	}
	return at
}

// pullTopN chooses the first rows for each value that the rows are compared with.
func (p *Planner) pullTopN(t *topN) (pulled, bool) {
	in, ok := p.pull(t.input)
	if !ok || in.defaults != nil {
		return pulled{}, false
	}
	keys, ok := addComparedColumns(&in)
	if !ok {
		return pulled{}, false
	}
	changed := *t
	changed.input = in.node
	changed.partition = together(t.partition, keys)
	chosen := changed.complete()
	order := firstN(len(t.input.columns()))
	if t.number != "" {
		order = append(order, len(chosen.cols)-1)
	}
	return arrange(chosen, order, in.conditions), true
}
