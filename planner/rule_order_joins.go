package planner

import (
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// orderJoins puts inner joins into an order in which each table has an equality with one before it, where the order they are written in
// would pair all rows of some of them.
var orderJoins = rule{"order joins", func(_ *Planner, n node) node {
	j, ok := n.(*join)
	if !ok || !j.isPlainInner() {
		return nil
	}
	c := joinChain{}
	c.add(j)
	if len(c.tables) < 3 {
		return nil
	}
	order := c.connected()
	if c.crosses(order) >= c.crosses(firstN(len(c.tables))) {
		return nil
	}
	return c.build(order, columnNames(j.cols))
}}

// isPlainInner tells whether the order of the sides of the join does not matter.
func (j *join) isPlainInner() bool {
	return j.kind == plan.Inner && !j.lateral && !j.single && j.asOf == nil && j.ttl == [2]int64{}
}

// joinChain is inner joins taken apart: tables and conditions over the columns of all, one after the other.
type joinChain struct {
	tables []node
	starts []int // where the columns of each begin
	width  int
	terms  []expr.Expr
	at     place
}

// add takes a join apart, from left to right.
func (c *joinChain) add(n node) {
	if j, ok := n.(*join); ok && j.isPlainInner() {
		start := c.width
		c.at = j.at
		c.add(j.left)
		c.add(j.right)
		for _, term := range withoutTrue(j.on) {
			c.terms = append(c.terms, shift(term, start))
		}
		return
	}
	c.tables, c.starts = append(c.tables, n), append(c.starts, c.width)
	c.width += len(n.columns())
}

// owner is the table of a column.
func (c *joinChain) owner(column int) int {
	i, found := slices.BinarySearch(c.starts, column)
	if !found {
		i--
	}
	return i
}

// owners are the tables that an expression reads.
func (c *joinChain) owners(x expr.Expr) []int {
	var all []int
	for _, i := range expr.Columns(x) {
		all = together(all, []int{c.owner(i)})
	}
	return all
}

// connects tells whether an equality compares the table with one of those before it.
func (c *joinChain) connects(table int, before []int) bool {
	return slices.ContainsFunc(c.terms, func(term expr.Expr) bool {
		call, ok := term.(*expr.Call)
		if !ok || call.Fn.Name != "=" {
			return false
		}
		l, r := c.owners(call.Args[0]), c.owners(call.Args[1])
		return only(l, table) && within(r, before) || only(r, table) && within(l, before)
	})
}

func only(tables []int, table int) bool { return len(tables) == 1 && tables[0] == table }

func within(tables, among []int) bool {
	return len(tables) > 0 && !slices.ContainsFunc(tables, func(t int) bool { return !slices.Contains(among, t) })
}

// connected is an order that takes a connected table as long as there is one.
func (c *joinChain) connected() []int {
	order := []int{0}
	for len(order) < len(c.tables) {
		next := -1
		for t := range c.tables {
			if slices.Contains(order, t) {
				continue
			}
			if next < 0 {
				next = t
			}
			if c.connects(t, order) {
				next = t
				break
			}
		}
		order = append(order, next)
	}
	return order
}

// crosses counts the tables of an order that have no equality with those before them.
func (c *joinChain) crosses(order []int) int {
	n := 0
	for i, t := range order[1:] {
		if !c.connects(t, order[:i+1]) {
			n++
		}
	}
	return n
}

// build joins the tables in the order, each term as soon as it can be asked; what can fail is asked last. The columns come back into
// their places.
func (c *joinChain) build(order []int, names []string) node {
	moved := slices.Repeat([]int{-1}, c.width)
	rest := c.terms
	var joined node
	for i, t := range order {
		start := 0
		if joined != nil {
			start = len(joined.columns())
		}
		for k := range c.tables[t].columns() {
			moved[c.starts[t]+k] = start + k
		}
		if joined == nil {
			joined = c.tables[t]
			continue
		}
		var on, later []expr.Expr
		for _, term := range rest {
			last := i == len(order)-1
			if last || !expr.CanFail(term) && within(c.owners(term), order[:i+1]) {
				on = append(on, move(term, moved))
			} else {
				later = append(later, term)
			}
		}
		rest = later
		joined = newJoin(join{kind: plan.Inner, left: joined, right: c.tables[t], on: and(on...), at: c.at})
	}
	return renamed(choose(joined, moved), names)
}
