package planner

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
	"streamsql/exec/window"
)

// node is an operator of the logical plan: what the rows are, not how they are made. Nodes are immutable, a rule makes new
// ones. Expressions name columns of the operator's input by their position. Each operator is one file op_*.go.
type node interface {
	// columns describes the rows the operator yields.
	columns() []column
	inputs() []node
	// withInputs returns the operator over other inputs with as many columns of the same types.
	withInputs(inputs []node) node
	// exprs lists the operator's own expressions, over the columns of its inputs one after the other.
	exprs() []expr.Expr
	// withExprs returns the operator with other expressions of the same types in their places.
	withExprs(exprs []expr.Expr) node
	// prune returns an operator that yields the columns used asks for, and no other it can do without. Position i of the old
	// columns is moved[i] among the new ones, -1 if it is gone.
	prune(used []bool) (pruned node, moved []int)
	// lower adds the operator to the physical plan, behind its inputs, and returns its vertex.
	lower(l *lowering) (vertex int, err error)
	// String is the operator in one line, without its inputs.
	String() string
}

// column is one column of an operator's output.
type column struct {
	name     string
	typ      arrow.DataType
	nullable bool
	role     role
}

// role is what a column means for event time. It survives as long as the column is passed on unchanged.
type role struct {
	kind roleKind
	// window is the window that a bound belongs to: bounds of one window have the same pointer.
	window *window.Spec
	// processing tells that the window is one of processing time.
	processing bool
}

// sibling is the role of another bound of the same window.
func (r role) sibling(kind roleKind) role { return role{kind, r.window, r.processing} }

type roleKind int

const (
	ordinary roleKind = iota
	eventTime
	windowStart
	windowEnd
	windowTime     // the last millisecond of a window, an event time as well
	processingTime // the moment at which the row is looked at
)

// isTime tells whether the column is an event time.
func (r role) isTime() bool { return r.kind == eventTime || r.kind == windowTime && !r.processing }

// isAnyTime tells whether rows may be put into windows by the column.
func (r role) isAnyTime() bool {
	return r.kind == eventTime || r.kind == windowTime || r.kind == processingTime
}

// ref is an expression for the column at position i.
func (c column) ref(i int) *expr.Column {
	return &expr.Column{Index: i, Name: c.name, T: c.typ, Null: c.nullable}
}

// field is the column as an Arrow field.
func (c column) field() arrow.Field {
	return arrow.Field{Name: c.name, Type: c.typ, Nullable: c.nullable}
}

// schemaOf is the Arrow schema of the columns.
func schemaOf(cols []column) *arrow.Schema {
	fields := make([]arrow.Field, len(cols))
	for i, c := range cols {
		fields[i] = c.field()
	}
	return arrow.NewSchema(fields, nil)
}

// columnOf is the column an expression over the columns of an input yields. Only a plain reference keeps its role.
func columnOf(name string, x expr.Expr, input []column) column {
	c := column{name: name, typ: x.Type(), nullable: x.Nullable()}
	switch x := x.(type) {
	case *expr.Column:
		if x.Index < len(input) {
			c.role = input[x.Index].role
		}
	case *expr.Call:
		if x.Fn.Name == "PROCTIME" {
			c.role.kind = processingTime
		}
	}
	return c
}
