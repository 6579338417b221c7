package planner

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/plan"
)

// over appends to each row the values of functions over the rows around it, as plan.Over.
type over struct {
	input     node
	partition []int
	order     []plan.SortKey
	frame     plan.Frame
	calls     []overCall
	// settled says that the rules are done, and that the order tells which columns are still event times.
	settled bool
	cols    []column
	at      place
}

// overCall is one function over columns of the input.
type overCall struct {
	function    string // empty for an aggregate
	aggregate   agg.Call
	result      arrow.DataType
	nullable    bool
	args        []int
	filter      int // a BOOLEAN column, or -1
	ignoreNulls bool
	name        string // SQL text
}

// complete is the operator with its columns. In another order than that of time, a new row may change all others at any time.
func (o over) complete() *over {
	o.cols = slices.Clone(o.input.columns())
	if o.settled && o.time() < 0 {
		for i := range o.cols {
			o.cols[i].role = role{}
		}
	}
	for _, c := range o.calls {
		o.cols = append(o.cols, column{name: c.name, typ: c.result, nullable: c.nullable})
	}
	return &o
}

// time is the event-time column that is all of the order, -1 if the order is another.
func (o *over) time() int { return timeOrder(o.input.columns(), o.order) }

// timeOrder is the time that rows are ordered by alone, ascending; -1 if they are not.
func timeOrder(cols []column, order []plan.SortKey) int {
	if len(order) == 1 && !order[0].Descending && cols[order[0].Column].role.isAnyTime() {
		return order[0].Column
	}
	return -1
}

func (o *over) columns() []column          { return o.cols }
func (o *over) inputs() []node             { return []node{o.input} }
func (o *over) exprs() []expr.Expr         { return nil }
func (o *over) withExprs([]expr.Expr) node { return o }

func (o *over) withInputs(in []node) node {
	changed := *o
	changed.input = in[0]
	return changed.complete()
}

// width is the number of columns of the input.
func (o *over) width() int { return len(o.input.columns()) }

// prune leaves out the functions that nobody asks for, and the whole operator if that is all of them.
func (o *over) prune(used []bool) (node, []int) {
	n := o.width()
	var kept []overCall
	moved := make([]int, len(o.calls))
	need := slices.Clone(used[:n])
	for i, c := range o.calls {
		moved[i] = -1
		if used[n+i] {
			moved[i] = len(kept)
			kept = append(kept, c)
			c.reads(need)
		}
	}
	if len(kept) == 0 {
		input, shift := o.input.prune(need)
		return input, append(shift, moved...)
	}
	for _, p := range o.partition {
		need[p] = true
	}
	for _, k := range o.order {
		need[k.Column] = true
	}
	input, shift := o.input.prune(need)
	changed := *o
	changed.input, changed.calls = input, nil
	changed.partition, changed.order = movedAll(o.partition, shift), movedKeys(o.order, shift)
	for _, c := range kept {
		changed.calls = append(changed.calls, c.moved(shift))
	}
	for i, m := range moved {
		if m >= 0 {
			moved[i] = len(input.columns()) + m
		}
	}
	return changed.complete(), append(shift, moved...)
}

// reads marks the columns the call needs.
func (c overCall) reads(need []bool) {
	for _, a := range c.args {
		need[a] = true
	}
	if c.filter >= 0 {
		need[c.filter] = true
	}
}

// moved is the call over columns at other positions.
func (c overCall) moved(shift []int) overCall {
	c.args = movedAll(c.args, shift)
	if c.filter >= 0 {
		c.filter = shift[c.filter]
	}
	return c
}

func movedAll(at, shift []int) []int {
	moved := make([]int, len(at))
	for i, a := range at {
		moved[i] = shift[a]
	}
	return moved
}

func movedKeys(keys []plan.SortKey, shift []int) []plan.SortKey {
	moved := slices.Clone(keys)
	for i := range moved {
		moved[i].Column = shift[moved[i].Column]
	}
	return moved
}

func (o *over) String() string {
	return "Over " + o.windowText() + ": " + strings.Join(columnNames(o.cols[o.width():]), ", ")
}

// windowText describes the window as it is written behind OVER.
func (o *over) windowText() string {
	names := columnNames(o.input.columns())
	return "(" + orderText(names, o.partition, o.order) + frameText(o.frame, len(o.order) > 0) + ")"
}

// orderText is PARTITION BY … ORDER BY ….
func orderText(names []string, partition []int, order []plan.SortKey) string {
	var parts []string
	if len(partition) > 0 {
		by := make([]string, len(partition))
		for i, p := range partition {
			by[i] = names[p]
		}
		parts = append(parts, "PARTITION BY "+strings.Join(by, ", "))
	}
	if len(order) > 0 {
		parts = append(parts, "ORDER BY "+sortText(names, order))
	}
	return strings.Join(parts, " ")
}

// frameText is the frame, if it is not the one that goes without saying.
func frameText(f plan.Frame, ordered bool) string {
	usual := plan.Frame{Unit: plan.FrameRows, End: plan.Bound{Kind: plan.UnboundedFollowing}}
	if ordered {
		usual = plan.Frame{Unit: plan.FrameRange, End: plan.Bound{Kind: plan.CurrentRow}}
	}
	if f == usual {
		return ""
	}
	unit := map[plan.FrameUnit]string{plan.FrameRows: "ROWS", plan.FrameRange: "RANGE"}[f.Unit]
	return " " + unit + " BETWEEN " + boundText(f.Start) + " AND " + boundText(f.End)
}

func boundText(b plan.Bound) string {
	text := [...]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind]
	if b.Distance != nil {
		text = b.Distance.String() + " " + text
	}
	return text
}

func (o *over) lower(l *lowering) (int, error) {
	input, err := l.lower(o.input)
	if err != nil {
		return 0, err
	}
	op := &plan.Over{Partition: o.partition, Order: o.order, Time: o.time(), Frame: o.frame, Name: o.windowText()}
	for _, c := range o.calls {
		op.Calls = append(op.Calls, plan.OverCall{
			Function: c.function, Aggregate: c.aggregate, Result: c.result, Args: c.args, Filter: c.filter, IgnoreNulls: c.ignoreNulls, Name: c.name,
		})
	}
	for _, p := range o.partition {
		op.PartitionNames = append(op.PartitionNames, typedNames(o.cols[p:p+1])...)
	}
	log := l.graph.Vertices[input].Changelog
	if op.Time < 0 {
		log = plan.Retract
	}
	l.notYet(o.at, "an OVER window")
	return l.exchange("over", op, o.cols, log, input, o.partition), nil
}
