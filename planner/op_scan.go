package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/parser"
	"streamsql/plan"
)

// scan reads a table.
type scan struct {
	table  *catalog.Table
	picked []int // positions in table.Columns, ascending
	cols   []column
	// bounded tells that the table ends by itself, changelog what kinds of change its rows are.
	bounded   bool
	changelog plan.Changelog
	at        place
}

// newScan reads all columns of a table.
func (b *binder) newScan(t *catalog.Table, at parser.Node) (*scan, error) {
	source, err := connector.NewSource(connector.SourceSpec{Table: t.Physical, Ordered: t.Watermark != nil})
	if err != nil {
		return nil, b.errorf(at, "table '%s' cannot be read: %s", t.Name, err)
	}
	all := make([]int, len(t.Columns))
	for i := range all {
		all[i] = i
	}
	s := &scan{table: t, bounded: source.Bounded(), at: b.at(at)}
	if source.Changelog() {
		s.changelog = plan.Retract
	}
	if u, ok := source.(upserter); ok && u.Upsert() {
		if len(t.PrimaryKey) == 0 {
			return nil, b.at(at).error("the rows of '"+t.Name+"' are the newest of a key, and the table has none", "declare PRIMARY KEY (…) NOT ENFORCED")
		}
		s.changelog = plan.Upsert
	}
	return s.pick(all), nil
}

// upserter is a source or a sink of newest rows by primary key.
type upserter interface{ Upsert() bool }

// pick is the scan of other columns of the table.
func (s *scan) pick(picked []int) *scan {
	t := s.table
	s = &scan{table: t, picked: picked, bounded: s.bounded, changelog: s.changelog, at: s.at}
	for _, p := range picked {
		c := column{name: t.Columns[p].Name, typ: t.Columns[p].Type, nullable: t.Columns[p].Nullable}
		if x := t.Columns[p].Computed; x != nil && columnOf("", x, nil).role.kind == processingTime {
			c.role.kind = processingTime
		}
		if t.Watermark != nil && t.Watermark.Column == p {
			c.role.kind = eventTime
		}
		s.cols = append(s.cols, c)
	}
	return s
}

func (s *scan) columns() []column      { return s.cols }
func (s *scan) inputs() []node         { return nil }
func (s *scan) withInputs([]node) node { return s }
func (s *scan) exprs() []expr.Expr     { return nil }

func (s *scan) withExprs([]expr.Expr) node { return s }

// prune keeps what the watermark needs: which rows a table has, and how far its time has come, does not depend on the query.
func (s *scan) prune(used []bool) (node, []int) {
	need := make([]bool, len(s.table.Columns))
	for i, u := range used {
		need[s.picked[i]] = u
	}
	if w := s.table.Watermark; w != nil {
		need[w.Column] = true
		mark(need, w.Expr)
	}
	if s.changelog == plan.Upsert {
		for _, k := range s.table.PrimaryKey {
			need[k] = true
		}
	}
	var picked []int
	moved := make([]int, len(s.picked))
	for i, p := range s.picked {
		moved[i] = -1
		if need[p] {
			moved[i] = len(picked)
			picked = append(picked, p)
		}
	}
	if len(picked) == len(s.picked) {
		return s, moved
	}
	return s.pick(picked), moved
}

func (s *scan) String() string {
	names := make([]string, len(s.cols))
	for i, c := range s.cols {
		names[i] = c.name
	}
	return fmt.Sprintf("Scan %s [%s]", s.table.Name, strings.Join(names, ", "))
}

// value is the picked column i as an expression over the table's physical columns.
func (s *scan) value(i int) expr.Expr {
	c := s.table.Columns[s.picked[i]]
	if c.Computed != nil {
		return c.Computed
	}
	return s.cols[i].ref(c.Physical)
}

func (s *scan) lower(l *lowering) (int, error) {
	exprs := make([]expr.Expr, len(s.picked))
	for i := range exprs {
		exprs[i] = s.value(i)
	}
	op := &plan.Scan{Table: l.table(s.table), OnError: s.table.OnError, Watermark: s.watermark(l)}
	used, physical := expr.Columns(exprs...), s.table.Physical.Schema.NumFields()
	for _, i := range used {
		if i < physical {
			op.Columns = append(op.Columns, i)
			continue
		}
		m := s.table.Metadata[i-physical]
		op.Metadata = append(op.Metadata, plan.Metadata{Key: m.Key, Type: m.Type})
	}
	if s.table.PartitionedBy != nil {
		l.notYet(s.at, "reading a table with partitions")
	}
	if moved := positions(used, physical+len(s.table.Metadata)); !passesOn(exprs, used) {
		for _, x := range exprs {
			op.Exprs = append(op.Exprs, move(x, moved))
		}
	}
	parallelism := 0
	if s.changelog == plan.Retract { // a row must not overtake the one it takes back
		parallelism = 1
	}
	vertex := l.source("scan", op, s.cols, s.changelog, parallelism)
	if s.changelog == plan.Upsert {
		return s.normalize(l, vertex), nil
	}
	return vertex, nil
}

// normalize finds out which row a newer one of its key takes the place of.
func (s *scan) normalize(l *lowering, input int) int {
	op := &plan.Normalize{Keys: s.key()}
	for _, k := range op.Keys {
		op.KeyNames = append(op.KeyNames, typedNames(s.cols[k:k+1])...)
	}
	l.notYet(s.at, "reading a table of newest rows")
	return l.exchange("normalize", op, s.cols, plan.Retract, input, op.Keys)
}

// passesOn tells whether the expressions are the columns read, in order.
func passesOn(exprs []expr.Expr, read []int) bool {
	if len(exprs) != len(read) {
		return false
	}
	for i, x := range exprs {
		if c, ok := x.(*expr.Column); !ok || c.Index != read[i] {
			return false
		}
	}
	return true
}

// positions inverts a list of up to n different indexes; what is not in it is at -1.
func positions(list []int, n int) []int {
	at := slices.Repeat([]int{-1}, n)
	for i, x := range list {
		at[x] = i
	}
	return at
}

// watermark is the table's watermark over the columns picked.
func (s *scan) watermark(l *lowering) *plan.Watermark {
	w := s.table.Watermark
	if w == nil {
		return nil
	}
	at := positions(s.picked, len(s.table.Columns))
	return &plan.Watermark{Column: at[w.Column], Expr: move(w.Expr, at), IdleTimeout: l.settings.IdleTimeout.Milliseconds()}
}
