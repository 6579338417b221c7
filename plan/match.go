package plan

import (
	"streamsql/exec/agg"
	"streamsql/exec/expr"
)

// Match finds patterns in the rows of each partition, ordered by event time. Its output is the partition columns, then the
// measures; with AllRows every row of a match, then the measures.
//
// Conditions and measures are expressions over Navigations, whose values stand in for columns: column i is the i-th of them.
type Match struct {
	Partition []int
	Order     []SortKey
	Time      int // the event-time column that comes first in Order
	Variables []string
	Pattern   *Pattern
	// Defines are the conditions of the variables; nil holds for every row.
	Defines     []expr.Expr
	Measures    []expr.Expr
	Navigations []Navigation
	AllRows     bool
	Skip        Skip
	// Within is the longest time from the first row of a match to its last, in milliseconds; 0 for any.
	Within int64
	// PartitionNames are the partition columns' names and SQL types.
	PartitionNames []string
}

// Navigation is a value that depends on the rows matched so far.
type Navigation struct {
	Kind NavigationKind
	// Variables are those whose rows count, as positions in Match.Variables; nil: all rows.
	Variables []int
	// Offset is how many rows before the last (or behind the first) one, or before (behind) the current one.
	Offset int64
	// Value is computed for the row found, over the columns of the input.
	Value expr.Expr
	// Aggregate, of the rows that count; its arguments are Args over the columns of the input.
	Aggregate agg.Call
	Args      []expr.Expr
	// Running sees the rows up to the current one, otherwise the whole match is seen.
	Running bool
	Name    string
}

// NavigationKind says which value a Navigation is.
type NavigationKind int

// NavigateLast and NavigateFirst look among the rows of variables, NavigatePrev and NavigateNext around the row that these find;
// NavigateAggregate aggregates rows, NavigateClassifier names the variable of the row and NavigateNumber counts matches.
const (
	NavigateLast NavigationKind = iota
	NavigateFirst
	NavigatePrev
	NavigateNext
	NavigateAggregate
	NavigateClassifier
	NavigateNumber
)

// Pattern is a regular expression over variables.
type Pattern struct {
	Kind      PatternKind
	Variable  int // position in Match.Variables
	Elems     []*Pattern
	Min, Max  int // PatternRepeat; Max is -1 for no limit
	Reluctant bool
}

// PatternKind is the kind of a Pattern.
type PatternKind int

// Kinds of patterns.
const (
	PatternVariable PatternKind = iota
	PatternSequence
	PatternAlternative
	PatternRepeat
	PatternExclude
	PatternPermute
	PatternStart
	PatternEnd
)

// Skip is where matching goes on after a match: at a row of Variable, if it says so.
type Skip struct {
	Kind     SkipKind
	Variable int
}

// SkipKind is the kind of a Skip.
type SkipKind int

// Kinds of skips.
const (
	SkipPastLastRow SkipKind = iota
	SkipToNextRow
	SkipToFirst
	SkipToLast
)

func (*Match) op() {}
