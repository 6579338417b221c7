package planner

import (
	"maps"
	"strings"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// binder turns the trees of one text into a logical plan: it gives every name its meaning and every expression its type.
type binder struct {
	*Planner
	script catalog.Script
	// views are the views being expanded, outermost first.
	views []string
	// macros are the functions whose bodies are being bound.
	macros []string
	// tables holds the queries that WITH gives names to, by name in lower case.
	tables map[string]*cte
	// outer is the scope of the expression that the query stands in, nil if it stands in none.
	outer *scope
	// reads collects the tables and views that the text names itself.
	reads map[string]string
	// spans tells where a column reference was written.
	spans map[*expr.Column]parser.Span
	// unready is the error about the first expression that can be planned and not run; all binders of a statement share it.
	unready *unready
	// paths are the tables of files that the statement reads; all binders of it share them.
	paths map[string]*catalog.Table
}

// unready remembers what can be planned and not run.
type unready struct{ err error }

// notYet remembers an expression that can be planned and not run.
func (u *unready) notYet(at place, what string) {
	if u.err == nil {
		u.err = at.notYet(what)
	}
}

// cte is a query of WITH, with the names it can use itself.
type cte struct {
	tree   parser.CTE
	tables map[string]*cte
}

func (p *Planner) newBinder(script catalog.Script) *binder {
	return &binder{Planner: p, script: script, reads: map[string]string{}, spans: map[*expr.Column]parser.Span{}, unready: &unready{}, paths: map[string]*catalog.Table{}}
}

// inView is a binder for the text of a view.
func (b *binder) inView(v *catalog.View) *binder {
	inner := b.newBinder(v.Script)
	inner.unready, inner.paths = b.unready, b.paths
	inner.views = append(append([]string{}, b.views...), v.Name)
	return inner
}

// with is a binder that knows the queries of WITH as well.
func (b *binder) with(ctes []parser.CTE) *binder {
	if len(ctes) == 0 {
		return b
	}
	inner := *b
	inner.tables = maps.Clone(b.tables)
	if inner.tables == nil {
		inner.tables = map[string]*cte{}
	}
	for _, c := range ctes {
		known := maps.Clone(inner.tables)
		inner.tables[strings.ToLower(c.Name.Name)] = &cte{c, known}
	}
	return &inner
}

// inCTE is a binder for a query of WITH: it can use those before it.
func (b *binder) inCTE(c *cte) *binder {
	inner := *b
	inner.tables = c.tables
	return &inner
}

// column makes a reference and remembers where it was written.
func (b *binder) column(s *scope, i int, span parser.Span) *expr.Column {
	c := s.cols[i].ref(i)
	b.spans[c] = span
	return c
}
