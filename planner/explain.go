package planner

import (
	"fmt"
	"slices"
	"strings"

	"streamsql/catalog"
	"streamsql/parser"
	"streamsql/plan"
)

// explanation draws one picture of a plan.
type explanation struct {
	detail parser.ExplainDetail
	title  string
	draw   func(*Planner, []*root) (string, error)
}

var explanations = []explanation{
	{parser.ExplainLogical, "Logical plan", drawLogical},
	{parser.ExplainPhysical, "Physical plan", physical(drawPhysical)},
	{parser.ExplainChangelog, "Changelog", physical(drawChangelog)},
	{parser.ExplainState, "State", physical(drawState)},
	{parser.ExplainGuarantee, "Guarantee", physical(drawGuarantee)},
	{parser.ExplainJSON, "JSON", physical(drawJSON)},
	{parser.ExplainAdvice, "Advice", physical(drawAdvice)},
}

// Explain draws pictures of the plan of a query, an INSERT or a statement set. Without details it draws the physical plan. Errors
// are *parser.Error values about the script.
func (p *Planner) Explain(stmt parser.Stmt, script catalog.Script, details ...parser.ExplainDetail) (string, error) {
	if len(details) == 0 {
		details = []parser.ExplainDetail{parser.ExplainPhysical}
	}
	roots, err := p.bindAll(stmt, script)
	if err != nil {
		return "", err
	}
	var sections []string
	for _, d := range details {
		i := slices.IndexFunc(explanations, func(e explanation) bool { return e.detail == d })
		if i < 0 {
			return "", p.newBinder(script).errorf(stmt, "there is no EXPLAIN (%s); write LOGICAL, PHYSICAL, CHANGELOG, STATE, GUARANTEE, ADVICE or JSON", d)
		}
		text, err := explanations[i].draw(p, roots)
		if err != nil {
			return "", err
		}
		if len(details) > 1 {
			text = fmt.Sprintf("== %s ==\n%s", explanations[i].title, text)
		}
		sections = append(sections, text)
	}
	return strings.Join(sections, "\n"), nil
}

// physical is a picture of the physical plan.
func physical(draw func(*Planner, *Planned) (string, error)) func(*Planner, []*root) (string, error) {
	return func(p *Planner, roots []*root) (string, error) {
		planned, err := p.lower(roots...)
		if err != nil {
			return "", err
		}
		return draw(p, planned)
	}
}

// drawLogical draws the operators, each above its inputs.
func drawLogical(_ *Planner, roots []*root) (string, error) {
	var b strings.Builder
	for _, r := range roots {
		depth := 0
		for _, line := range r.top() {
			b.WriteString(strings.Repeat("  ", depth) + line + "\n")
			depth++
		}
		drawNode(&b, r.node, depth)
	}
	return b.String(), nil
}

// top is what stands above the operators: the table that takes the rows, or how the result is sorted and cut.
func (r *root) top() []string {
	var lines []string
	if r.insert != nil {
		return []string{fmt.Sprintf("Insert into %s [%s]", r.insert.table.Name, strings.Join(r.names, ", "))}
	}
	if r.limit >= 0 || r.offset > 0 {
		lines = append(lines, r.cut())
	}
	if len(r.sort) > 0 {
		lines = append(lines, "Sort by "+r.sorting())
	}
	return lines
}

func (r *root) cut() string {
	var parts []string
	if r.limit >= 0 {
		parts = append(parts, fmt.Sprintf("Limit %d", r.limit))
	}
	if r.offset > 0 {
		parts = append(parts, fmt.Sprintf("Offset %d", r.offset))
	}
	return strings.Join(parts, " ")
}

func (r *root) sorting() string { return sortText(r.names, r.sort) }

// sortText lists sort keys over columns of the names.
func sortText(names []string, order []plan.SortKey) string {
	keys := make([]string, len(order))
	for i, k := range order {
		keys[i] = names[k.Column]
		if k.Descending {
			keys[i] += " DESC"
		}
		if k.NullsFirst == k.Descending { // not the order that goes without saying
			keys[i] += map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[k.NullsFirst]
		}
	}
	return strings.Join(keys, ", ")
}

func drawNode(b *strings.Builder, n node, depth int) {
	b.WriteString(strings.Repeat("  ", depth) + n.String() + "\n")
	for _, in := range n.inputs() {
		drawNode(b, in, depth+1)
	}
}
