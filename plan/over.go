package plan

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/agg"
	"streamsql/exec/expr"
)

// Over appends to each row the values of functions over rows around it: the rows of its partition, in an order, within a frame.
type Over struct {
	Partition []int
	Order     []SortKey
	// Time is the one event-time column that rows are ordered by, ascending: a row is final when the watermark has passed it. It is
	// -1 for any other order, in which a new row may change the values of all others.
	Time  int
	Frame Frame
	Calls []OverCall
	// PartitionNames are the partition columns' names and SQL types.
	PartitionNames []string
	Name           string // the window as SQL text, for plans
}

// OverCall is one function over the rows of a frame.
type OverCall struct {
	// Function names a function of OVER alone: ROW_NUMBER, LAG. It is empty for an aggregate, which is Aggregate then.
	Function    string
	Aggregate   agg.Call
	Result      arrow.DataType
	Args        []int
	Filter      int // a BOOLEAN column, or -1
	IgnoreNulls bool
	Name        string // SQL text, for plans
}

// Frame bounds the rows that a function sees around the current one.
type Frame struct {
	Unit       FrameUnit
	Start, End Bound
}

// FrameUnit is what the distances of a frame count.
type FrameUnit int

// FrameRows counts rows; FrameRange is a distance of values of the one sort key, and rows of equal keys are one place.
const (
	FrameRows FrameUnit = iota
	FrameRange
)

// Bound is one end of a frame.
type Bound struct {
	Kind BoundKind
	// Distance is how far a Preceding or Following bound lies from the current row: a BIGINT, or what is added to the sort key.
	Distance *expr.Literal
}

// BoundKind is where a bound lies.
type BoundKind int

// From the first row of the partition to the last.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// TopN keeps, of each partition, the rows whose number in an order lies in [From, To].
type TopN struct {
	Rank      RankFunction
	Partition []int
	Order     []SortKey // may be empty: any rows
	From, To  int64     // counted from 1; To is -1 for all that follow
	// Number appends the number as a BIGINT.
	Number bool
	// Window, if set, is the window that is part of the partition: its rows are chosen once, when the watermark passes its end. Start
	// and End are columns of the input.
	Window *GroupWindow
	Name   string // for plans
	// Columns are the names and SQL types of the rows that are kept.
	Columns []string
}

// RankFunction is how rows are numbered.
type RankFunction int

// RowNumber gives different rows different numbers, Rank counts the rows before, DenseRank the different keys before.
const (
	RowNumber RankFunction = iota
	Rank
	DenseRank
)

// Deduplicate keeps one row of those with equal keys: the first by event time, or the last one so far.
type Deduplicate struct {
	Keys []int
	Time int // the event-time column
	Last bool
	Name string // for plans
	// KeyNames are the keys' names and SQL types.
	KeyNames []string
}

// Repeat emits each row as often as a BIGINT column says.
type Repeat struct{ Count int }

// Unnest appends the elements of arrays, a row for each: the first elements of all, then the second ones; what is shorter is NULL.
// An element that is a ROW becomes a column for each field, one of a MAP becomes two, key and value.
type Unnest struct {
	Arrays     []expr.Expr
	Ordinality bool // appends the number of the element, from 1, as a BIGINT
	Outer      bool // a row without elements is kept, with NULLs
}

// Normalize turns a stream of newest rows by key, and of deletes, into one of inserts, updates with the old row, and deletes.
type Normalize struct {
	Keys []int
	// KeyNames are the keys' names and SQL types.
	KeyNames []string
}

func (*Over) op()        {}
func (*TopN) op()        {}
func (*Deduplicate) op() {}
func (*Repeat) op()      {}
func (*Unnest) op()      {}
func (*Normalize) op()   {}
