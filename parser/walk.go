package parser

// Inspect visits a node and all nodes below it, parents before children and in the order of the
// source. It does not go below a node for which f returns false. Elements that are kept by value (Item,
// Order, CTE, …) are visited by their addresses.
func Inspect(n Node, f func(Node) bool) { walk(n, f, func() {}) }

// walk visits n and what is below it: enter before and leave behind the children of each node. It
// calls leave also where enter returned false.
func walk(n Node, enter func(Node) bool, leave func()) {
	if enter(n) {
		w := walker{func(c Node) { walk(c, enter, leave) }}
		w.children(n)
	}
	leave()
}

// walker visits the children of a node.
type walker struct{ visit func(Node) }

// children visits the nodes directly below n.
func (w walker) children(n Node) {
	switch n := n.(type) {
	case Stmt:
		w.stmt(n)
	case Expr:
		w.expr(n)
	case Body:
		w.body(n)
	case TableRef:
		w.tableRef(n)
	default:
		w.part(n)
	}
}

// one visits an expression that may be missing.
func (w walker) one(x Expr) {
	if x != nil {
		w.visit(x)
	}
}

// many visits expressions.
func (w walker) many(list []Expr) {
	for _, x := range list {
		w.visit(x)
	}
}

// each visits the elements of a slice by their addresses.
func each[T any, P interface {
	*T
	Node
}](w walker, list []T) {
	for i := range list {
		w.visit(P(&list[i]))
	}
}

// opt visits a node that may be missing.
func opt[T any, P interface {
	*T
	Node
}](w walker, n P) {
	if n != nil {
		w.visit(n)
	}
}

// query visits a query that may be missing.
func (w walker) query(q *Query) { opt(w, q) }
