package planner

import (
	"fmt"
	"slices"

	"streamsql/exec/expr"
	"streamsql/plan"
)

// topN keeps, of each partition, the rows whose number in an order lies in [from, to], as plan.TopN.
type topN struct {
	input     node
	rank      plan.RankFunction
	partition []int
	order     []plan.SortKey
	from, to  int64 // to is -1 for all
	// number is the name of a last column with the number, empty if there is none.
	number string
	cols   []column
	at     place
}

// complete is the operator with its columns. They keep their meaning for time if the rows come at the end of their window, or are the
// first or last ones of their key by time.
func (t topN) complete() *topN {
	t.cols = slices.Clone(t.input.columns())
	window := t.window()
	for i, c := range t.cols {
		if !(window != nil && c.role.window != nil && c.role.window == t.cols[t.partition[window.Start]].role.window) && !(t.deduplicates() && c.role.isTime()) {
			t.cols[i].role = role{}
		}
	}
	if t.number != "" {
		t.cols = append(t.cols, column{name: t.number, typ: expr.BigInt})
	}
	return &t
}

// window tells where the partition has the bounds of a window; nil if it has not.
func (t *topN) window() *plan.GroupWindow {
	in := t.input.columns()
	cols := make([]column, len(t.partition))
	for i, p := range t.partition {
		cols[i] = in[p]
	}
	return windowOf(cols)
}

// deduplicates tells whether one row of each partition is kept, the first or the last by event time.
func (t *topN) deduplicates() bool {
	return t.rank == plan.RowNumber && t.from == 1 && t.to == 1 && len(t.order) == 1 && len(t.partition) > 0 &&
		t.input.columns()[t.order[0].Column].role.isTime()
}

func (t *topN) columns() []column          { return t.cols }
func (t *topN) inputs() []node             { return []node{t.input} }
func (t *topN) exprs() []expr.Expr         { return nil }
func (t *topN) withExprs([]expr.Expr) node { return t }

func (t *topN) withInputs(in []node) node {
	changed := *t
	changed.input = in[0]
	return changed.complete()
}

func (t *topN) prune(used []bool) (node, []int) {
	n := len(t.input.columns())
	need := slices.Clone(used[:n])
	for _, p := range t.partition {
		need[p] = true
	}
	for _, k := range t.order {
		need[k.Column] = true
	}
	input, moved := t.input.prune(need)
	changed := *t
	changed.input, changed.partition, changed.order = input, movedAll(t.partition, moved), movedKeys(t.order, moved)
	if t.number != "" {
		if !used[n] {
			changed.number = ""
			return changed.complete(), append(moved, -1)
		}
		moved = append(moved, len(input.columns()))
	}
	return changed.complete(), moved
}

func (t *topN) String() string { return t.text() }

// text describes which rows are kept.
func (t *topN) text() string {
	text := "Rows"
	switch {
	case t.deduplicates() && t.order[0].Descending:
		text = "Last row"
	case t.deduplicates():
		text = "First row"
	case t.from == 1:
		text = fmt.Sprintf("Top %d", t.to)
	case t.to < 0:
		text = fmt.Sprintf("Rows from %d on", t.from)
	default:
		text = fmt.Sprintf("Rows %d to %d", t.from, t.to)
	}
	if t.rank != plan.RowNumber {
		text += " by " + t.rank.String()
	}
	if order := orderText(columnNames(t.input.columns()), t.partition, t.order); order != "" {
		text += " (" + order + ")"
	}
	if t.number != "" {
		text += ", number as " + t.number
	}
	return text
}

func (t *topN) lower(l *lowering) (int, error) {
	input, err := l.lower(t.input)
	if err != nil {
		return 0, err
	}
	if t.deduplicates() && t.window() == nil {
		return t.lowerDeduplicate(l, input), nil
	}
	op := &plan.TopN{
		Rank: t.rank, Partition: t.partition, Order: t.order, From: t.from, To: t.to, Number: t.number != "",
		Columns: typedNames(t.input.columns()), Name: t.text(),
	}
	log := plan.Retract
	if w := t.window(); w != nil {
		w.Start, w.End = t.partition[w.Start], t.partition[w.End]
		w.Name, log = windowText(t.input.columns()[w.Start].role.window, ""), plan.Append
		op.Window = w
	}
	what := "choosing the first rows"
	if len(t.order) > 0 {
		what += " of an order"
	}
	l.notYet(t.at, what)
	return l.exchange("top", op, t.cols, log, input, t.partition), nil
}

// lowerDeduplicate keeps one row of each key; its number is 1.
func (t *topN) lowerDeduplicate(l *lowering, input int) int {
	cols := t.input.columns()
	op := &plan.Deduplicate{Keys: t.partition, Time: t.order[0].Column, Last: t.order[0].Descending, Name: t.text()}
	for _, p := range t.partition {
		op.KeyNames = append(op.KeyNames, typedNames(cols[p:p+1])...)
	}
	log := l.graph.Vertices[input].Changelog
	if op.Last {
		log = plan.Retract
	}
	l.notYet(t.at, "choosing one row of each key")
	vertex := l.exchange("deduplicate", op, cols, log, input, t.partition)
	if t.number == "" {
		return vertex
	}
	exprs, _ := passed(cols)
	return l.chain("project", &plan.Project{Exprs: append(exprs, expr.NewBigInt(1))}, t.cols, vertex)
}
