package planner

import (
	"strings"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// project computes new columns.
type project struct {
	input  node
	values []expr.Expr
	cols   []column
}

// newProject names each expression; names may repeat.
func newProject(input node, exprs []expr.Expr, names []string) *project {
	p := &project{input: input, values: exprs}
	in := input.columns()
	for i, x := range exprs {
		p.cols = append(p.cols, columnOf(names[i], x, in))
	}
	return p
}

func (p *project) columns() []column { return p.cols }
func (p *project) inputs() []node    { return []node{p.input} }

func (p *project) names() []string {
	names := make([]string, len(p.cols))
	for i, c := range p.cols {
		names[i] = c.name
	}
	return names
}

func (p *project) withInputs(in []node) node { return newProject(in[0], p.values, p.names()) }

func (p *project) exprs() []expr.Expr { return p.values }

func (p *project) withExprs(xs []expr.Expr) node { return newProject(p.input, xs, p.names()) }

func (p *project) prune(used []bool) (node, []int) {
	need := make([]bool, len(p.input.columns()))
	for i, x := range p.values {
		if used[i] {
			mark(need, x)
		}
	}
	input, shift := p.input.prune(need)
	moved := make([]int, len(p.values))
	var exprs []expr.Expr
	var names []string
	for i, x := range p.values {
		moved[i] = -1
		if used[i] {
			moved[i] = len(exprs)
			exprs = append(exprs, move(x, shift))
			names = append(names, p.cols[i].name)
		}
	}
	return newProject(input, exprs, names), moved
}

func (p *project) String() string {
	items := make([]string, len(p.values))
	for i, x := range p.values {
		items[i] = aliased(x, p.cols[i].name)
	}
	return "Project [" + strings.Join(items, ", ") + "]"
}

// aliased is an expression with its name where that says more.
func aliased(x expr.Expr, name string) string {
	if text := exprText(x); text != name {
		return text + " AS " + name
	}
	return name
}

// exprText is an expression for the eye: the name of a column that is itself the text of an expression stands without quotes.
func exprText(x expr.Expr) string {
	text := x.String()
	expr.Walk(x, func(x expr.Expr) bool {
		if c, ok := x.(*expr.Column); ok && strings.ContainsAny(c.Name, " (.") {
			text = strings.ReplaceAll(text, c.String(), c.Name)
		}
		return true
	})
	return text
}

func (p *project) lower(l *lowering) (int, error) {
	input, err := l.lower(p.input)
	if err != nil {
		return 0, err
	}
	return l.chain("project", &plan.Project{Exprs: p.values}, p.cols, input), nil
}
