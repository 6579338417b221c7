// Package planner turns syntax trees into physical plans. The life of a query: bind_*.go give its names and types a meaning and
// yield a logical plan of the operators in op_*.go; rule_*.go improve it until nothing changes; each operator's lower method
// then adds its vertices to the physical plan of package plan. explain_*.go draw what came out.
package planner

import (
	"slices"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// Settings are what a session has set that plans depend on.
type Settings struct {
	Expr expr.Settings
	// Parallelism is the job's default, for pictures of plans only.
	Parallelism int
	// SinglePhase aggregates behind the exchange only, where an aggregation before it would be possible.
	SinglePhase bool
	// FinalResult says that the result of a query that ends is read once, at its end: no operator needs to give more.
	FinalResult bool
	// IdleTimeout is after how long a silent split no longer holds the watermark back; 0 is never.
	IdleTimeout time.Duration
	// Lateness is how long a window takes rows after the watermark has passed its end.
	Lateness time.Duration
	// EarlyFire is the time between results that a window gives before the watermark has passed its end, LateFire between those it
	// gives of late rows: 0 for one with every row, nil for none.
	EarlyFire, LateFire *time.Duration
	// DropNulls leaves rows out whose NULLs a table does not take; otherwise they are an error.
	DropNulls bool
	// Dir is the directory that relative paths of new tables start from.
	Dir string
}

// Planner makes plans over the objects of a catalog.
type Planner struct {
	catalog  *catalog.Catalog
	settings Settings
}

// New returns a planner. It holds no state of its own.
func New(c *catalog.Catalog, s Settings) *Planner { return &Planner{catalog: c, settings: s} }

// Planned is a physical plan with what its reader must know.
type Planned struct {
	Graph *plan.Graph
	// Schema describes the result of a query: its columns as the user sees them. It is nil for an INSERT.
	Schema *arrow.Schema
	// Changelog is the kind of changes a query's result is made of.
	Changelog plan.Changelog
	// Key is a set of result columns that no two rows of a query's final result agree on; nil if none is known. An empty set means
	// that there is one row at most.
	Key []int
	// Sort orders and cuts a query's result; nil leaves it as it comes.
	Sort *plan.Sort
	// Bounded tells that all sources end by themselves.
	Bounded bool

	missing error // about an operator that can be planned and not run
}

// root is one of the things a statement computes, after binding and rules: the result of a query, or the rows of a table.
type root struct {
	*binder
	tree *parser.Query
	*query
	node    node
	names   []string // of the node's columns
	bounded bool
	insert  *insert // nil for a result
}

// PlanQuery plans a query whose result the session reads. Errors are *parser.Error values about the script.
func (p *Planner) PlanQuery(q *parser.Query, script catalog.Script) (*Planned, error) {
	roots, err := p.bindAll(&parser.QueryStmt{Span: q.Span, Query: q}, script)
	if err != nil {
		return nil, err
	}
	return p.plan(roots...)
}

// PlanInsert plans an INSERT. Errors are *parser.Error values about the script.
func (p *Planner) PlanInsert(tree *parser.Insert, script catalog.Script) (*Planned, error) {
	roots, err := p.bindAll(tree, script)
	if err != nil {
		return nil, err
	}
	return p.plan(roots...)
}

// PlanStatementSet plans several INSERTs as one job.
func (p *Planner) PlanStatementSet(tree *parser.StatementSet, script catalog.Script) (*Planned, error) {
	roots, err := p.bindAll(tree, script)
	if err != nil {
		return nil, err
	}
	return p.plan(roots...)
}

// plan makes a physical plan that can be run.
func (p *Planner) plan(roots ...*root) (*Planned, error) {
	planned, err := p.lower(roots...)
	if err == nil {
		err = planned.missing
	}
	if err != nil {
		return nil, err
	}
	return planned, nil
}

// bindAll binds a statement that has a plan.
func (p *Planner) bindAll(stmt parser.Stmt, script catalog.Script) ([]*root, error) {
	one := func(r *root, err error) ([]*root, error) { return p.shared(err, r) }
	switch stmt := stmt.(type) {
	case *parser.QueryStmt:
		return one(p.bindResult(stmt.Query, script))
	case *parser.Insert:
		return one(p.bindInsert(stmt, script))
	case *parser.StatementSet:
		var roots []*root
		for _, tree := range stmt.Inserts {
			r, err := p.bindInsert(tree, script)
			if err != nil {
				return nil, err
			}
			if err := r.insert.once(roots); err != nil {
				return nil, err
			}
			roots = append(roots, r)
		}
		return p.shared(nil, roots...)
	case *parser.CreateView:
		return one(p.bindResult(stmt.Query, script))
	case *parser.CreateMaterializedView:
		return one(p.bindResult(stmt.Query, script))
	case *parser.CreateTable:
		if stmt.As != nil {
			return one(p.bindTableAs(stmt, script))
		}
	}
	return nil, p.newBinder(script).errorf(stmt, "only a query, an INSERT or a CREATE with a query has a plan")
}

// bindTableAs binds the INSERT of a CREATE TABLE … AS, whose table is not there yet.
func (p *Planner) bindTableAs(tree *parser.CreateTable, script catalog.Script) (*root, error) {
	table, fill, err := p.CreateTableAs(tree, script)
	if err != nil {
		return nil, err
	}
	return (&insert{binder: p.newBinder(script), tree: fill, table: table}).bind()
}

// shared are roots that read each table once, if there is no error.
func (p *Planner) shared(err error, roots ...*root) ([]*root, error) {
	if err != nil {
		return nil, err
	}
	p.share(roots)
	return roots, nil
}

// bindResult binds a query and improves it.
func (p *Planner) bindResult(q *parser.Query, script catalog.Script) (*root, error) {
	b := p.newBinder(script)
	bound, err := b.bindQuery(q)
	if err != nil {
		return nil, err
	}
	n, err := b.concrete(bound.root)
	if err != nil {
		return nil, err
	}
	if len(bound.sort) > 0 && bound.limit >= 0 && !isBounded(n) { // whoever reads the result cannot wait for its end
		n = topN{input: n, order: bound.sort, from: bound.offset + 1, to: bound.last(), at: b.cutPlace(q)}.complete()
		bound.offset = 0
	}
	return b.newRoot(q, bound, n)
}

// newRoot improves a bound query and checks that it can have an end where it needs one.
func (b *binder) newRoot(tree *parser.Query, bound *query, n node) (*root, error) {
	r := &root{binder: b, tree: tree, query: bound, names: columnNames(n.columns())}
	if err := bound.emit.check(n); err != nil {
		return nil, err
	}
	var err error
	if r.node, err = b.optimize(bound.emit.emit(n, false)); err != nil {
		return nil, err
	}
	if err := checkTimes(r.node); err != nil {
		return nil, err
	}
	r.bounded = isBounded(r.node)
	return r, b.checkEnd(tree, bound, r)
}

// columns are the node's, by the names the user has given them.
func (r *root) columns() []column {
	cols := slices.Clone(r.node.columns())
	for i := range cols {
		cols[i].name = r.names[i]
	}
	return cols
}

// lower makes one physical plan of the roots.
func (p *Planner) lower(roots ...*root) (*Planned, error) {
	l := newLowering(p.settings)
	planned := &Planned{Graph: &l.graph, Bounded: true}
	for _, r := range roots {
		l.final = r.final(p.settings)
		vertex, err := l.lower(r.node)
		if err != nil {
			return nil, err
		}
		if r.insert != nil {
			err = r.insert.lower(l, r, vertex)
		} else {
			r.collect(l, vertex, planned)
		}
		if err != nil {
			return nil, err
		}
		planned.Bounded = planned.Bounded && r.bounded
	}
	planned.missing = l.missing
	for _, r := range roots {
		if planned.missing == nil {
			planned.missing = r.unready.err
		}
	}
	return planned, nil
}

// collect hands the rows to the session.
func (r *root) collect(l *lowering, input int, planned *Planned) {
	cols := r.columns()
	planned.Changelog = l.graph.Vertices[input].Changelog
	l.exchange("collect", &plan.Collect{}, cols, planned.Changelog, input, nil)
	planned.Schema = schemaOf(cols[:r.shown])
	planned.Key = shownKey(r.node, r.shown)
	planned.Sort = r.order()
}

// checkEnd refuses what needs the end of the input if there is none.
func (b *binder) checkEnd(q *parser.Query, bound *query, r *root) error {
	if r.bounded {
		return nil
	}
	if len(q.OrderBy) > 0 && bound.limit < 0 {
		return b.at(q.OrderBy[0]).error("ORDER BY needs an input that ends, and this one does not", "add LIMIT n to keep the first n rows up to date")
	}
	return bound.emit.checkEnd(r)
}

// final tells whether aggregates without a window give their groups once, at the end. A table is written as rows change, unless
// the query says otherwise.
func (r *root) final(s Settings) bool {
	if r.emit.mode != "" {
		return r.emit.mode == parser.EmitFinal
	}
	return r.insert == nil && r.bounded && s.FinalResult
}

// order is the Sort of the query, nil if it needs none.
func (q *query) order() *plan.Sort {
	if len(q.sort) == 0 && q.limit < 0 && q.offset == 0 {
		return nil
	}
	return &plan.Sort{Keys: q.sort, Offset: q.offset, Limit: q.limit, Columns: q.shown}
}

// isBounded tells whether all tables under the node end by themselves.
func isBounded(n node) bool {
	if s, ok := n.(*scan); ok {
		return s.bounded
	}
	for _, in := range n.inputs() {
		if !isBounded(in) {
			return false
		}
	}
	return true
}
