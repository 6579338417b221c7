// Package plan is the physical plan as plain data: the contract between the planner, which makes it, and exec, which runs it.
// Nothing here behaves; exec/build.go has one case for each Op.
package plan

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/agg"
	"streamsql/exec/expr"
	"streamsql/exec/window"
)

// Graph is a physical plan. Vertices come in topological order: the inputs of a vertex stand before it.
type Graph struct {
	Vertices []*Vertex
}

// Vertex is one operator of the plan, run by Parallelism subtasks.
type Vertex struct {
	// ID names the vertex over restarts: "scan-1", "aggregate-3". It is the name its state is found again by, so the planner
	// derives it from the vertex's kind and its rank among that kind.
	ID     string
	Op     Op
	Inputs []Input
	Schema *arrow.Schema // of the batches it emits
	// Parallelism is fixed when > 0; 0 leaves it to the job's default.
	Parallelism int
	Changelog   Changelog
}

// Input is an edge from an earlier vertex.
type Input struct {
	From     int // index in Graph.Vertices
	Exchange Exchange
}

// Exchange says how the rows of an edge are spread over the receiving subtasks. A Forward edge between vertices of equal
// parallelism is a direct call within one task.
type Exchange struct {
	Kind ExchangeKind
	Keys []int // Hash: key columns of the sending vertex's schema; rows of equal keys meet. No keys: all rows meet
}

// ExchangeKind enumerates the ways of spreading rows.
type ExchangeKind int

// Forward keeps a row in its subtask, Hash sends it to the owner of its key group, Rebalance deals batches out in turn,
// Broadcast gives every subtask all rows.
const (
	Forward ExchangeKind = iota
	Hash
	Rebalance
	Broadcast
)

// Changelog says what kinds of change the rows of an edge can carry.
type Changelog int

// Append: inserts only. Upsert: the newest row of each key, and deletes. Retract: every update as a pair, deletes with the whole
// old row.
const (
	Append Changelog = iota
	Upsert
	Retract
)

// Op is what a vertex does. The types are the structs of this package.
type Op interface{ op() }

// Scan reads a table.
type Scan struct {
	Table   connector.Table
	Columns []int // physical columns read, in order
	// Exprs computes the output from the columns read; nil passes them on as they are.
	Exprs     []expr.Expr
	Watermark *Watermark
	OnError   connector.ErrorPolicy
	// Metadata are what the connector is asked for beside the columns: they come behind those it reads.
	Metadata []Metadata
}

// Metadata is something a connector knows of a row, such as its offset.
type Metadata struct {
	Key  string
	Type arrow.DataType
}

// Watermark generates event-time watermarks at a scan, per split: the running maximum of Expr over the split's rows.
type Watermark struct {
	Column int       // the event-time column of the scan's output
	Expr   expr.Expr // over the scan's output; a timestamp
	// IdleTimeout is how long a split may be silent before it no longer holds the watermark back, in milliseconds; 0 for ever.
	IdleTimeout int64
}

// Filter keeps the rows for which Condition is TRUE.
type Filter struct{ Condition expr.Expr }

// Project computes new columns.
type Project struct{ Exprs []expr.Expr }

// WindowAssign appends window_start, window_end and window_time, one row for each window the row's time falls into.
type WindowAssign struct {
	Spec window.Spec
	Time int // the event-time column of the input
	// Keys are the columns within whose values SESSION windows are formed.
	Keys []int
	// Processing takes the moment at which a row comes for its time.
	Processing bool
}

// Values emits literal rows.
type Values struct {
	Schema *arrow.Schema
	Rows   [][]expr.Expr
}

// Union passes on the rows of all inputs.
type Union struct{}

// Aggregate groups its input by key columns. Its output is the keys, then one column for each call. In Partial phase the output
// is the keys, then each call's state columns.
type Aggregate struct {
	Keys []int
	// KeyNames are the keys' names and SQL types, "origin STRING": what the state of the groups is told by.
	KeyNames []string
	Calls    []AggregateCall
	Phase    Phase
	// Window, if set, makes the groups windowed: a group is final, emitted once and forgotten when the watermark reaches
	// its window's end.
	Window *GroupWindow
	Emit   EmitMode
	Period int64 // of EmitPeriodic, in milliseconds
	// Firing is when windows give results, or all groups under EmitFinal.
	Firing Firing
	// TTL is how long a group is kept after its last change, in milliseconds; 0 is for ever.
	TTL int64
	// Retracting says that the input carries retractions, so that a group whose rows are all gone disappears.
	Retracting bool
}

// AggregateCall is one aggregate over argument columns of the input (of the partial aggregate's input, in the Final phase).
type AggregateCall struct {
	Call   agg.Call
	Args   []int
	Filter int    // boolean column of the input, or -1
	Name   string // SQL text, for plans
}

// GroupWindow tells which of the keys bound a window.
type GroupWindow struct {
	Start, End int    // positions in Aggregate.Keys of window_start and window_end
	Lateness   int64  // how long rows are taken behind the end, milliseconds
	Name       string // kind and sizes, "TUMBLE(INTERVAL '10' MINUTE)"
	Processing bool   // the window is over when the clock, not the watermark, passes its end
}

// Phase says which half of a two-phase aggregation a vertex does.
type Phase int

// Single does it all; Partial pre-aggregates before an exchange and keeps nothing over a barrier; Final merges partial states.
const (
	Single Phase = iota
	Partial
	Final
)

// Sink writes to a table.
type Sink struct {
	Table     connector.Table
	Overwrite bool
	// NotNull are the columns that take no NULL and may be given one. A row that has one ends the job, or with DropNulls is left out.
	NotNull   []int
	DropNulls bool
	// Keys, if not nil, are the columns by whose values the table keeps the newest row: it is told of no old rows.
	Keys []int
}

// Collect hands its input to the session, in one task.
type Collect struct{}

func (*Scan) op()         {}
func (*Filter) op()       {}
func (*Project) op()      {}
func (*WindowAssign) op() {}
func (*Values) op()       {}
func (*Union) op()        {}
func (*Aggregate) op()    {}
func (*Sink) op()         {}
func (*Collect) op()      {}
