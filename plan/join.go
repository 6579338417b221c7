package plan

import "streamsql/exec/expr"

// Join pairs rows of two inputs. Its output is the left input's columns, then the right one's, which are NULL where an outer
// join finds no partner; of a Semi or Anti join the left's alone, of a Mark join the left's and a BOOLEAN.
type Join struct {
	Kind JoinKind
	Keys []JoinKey
	// Condition is what must hold beyond the keys, over the left columns followed by the right ones; nil if that is nothing.
	Condition expr.Expr
	// Single says that a left row may have one partner at most, and that a second one is an error of the query.
	Single bool
	// TTL is how long a row of each input is kept after its last change, in milliseconds; 0 is for ever.
	TTL [2]int64
	// Rows are the names and SQL types of the columns of each input: what the state is told by.
	Rows [2][]string
	Name string // the condition as SQL text, for plans
}

// JoinKind says which rows a join gives.
type JoinKind int

// Inner gives the pairs; Left, Right and Full also the rows of a side that have no partner; Semi the left rows that have one, Anti
// those that have none; Mark every left row with whether it has one: NULL if a comparison with some row is neither true nor false
// and none is true.
const (
	Inner JoinKind = iota
	Left
	Right
	Full
	Semi
	Anti
	Mark
)

// JoinKey is a pair of columns, one of each input, that are compared for equality.
type JoinKey struct {
	Left, Right int
	Nulls       NullMatch
}

// NullMatch says how a key compares NULL.
type NullMatch int

// NullsDiffer: NULL has no partner, as "=" wants it. NullsEqual: NULL is the partner of NULL, as IS NOT DISTINCT FROM wants it.
// NullsUnknown: NULL may equal everything, as NOT IN wants it; such a key does not tell the subtasks of rows apart.
const (
	NullsDiffer NullMatch = iota
	NullsEqual
	NullsUnknown
)

// IntervalJoin pairs rows whose times lie near each other: the right time is in [left time + Lower, left time + Upper]. A row is
// forgotten when the watermark says that no partner can come any more, and only then known to have none. What it gives is never
// changed, and may be as far behind the watermark as the interval is long: the watermark it passes on is held back by that.
type IntervalJoin struct {
	Join
	Times        [2]int // the event-time column of each input
	Lower, Upper int64  // milliseconds
}

// WindowJoin pairs rows of the same window, when the watermark has passed its end.
type WindowJoin struct {
	Join
	Windows [2]GroupWindow // where each input has the bounds, as columns
}

// TemporalJoin pairs each left row with the version of the right row that was valid at the row's time. Its kinds are Inner and Left.
type TemporalJoin struct {
	Join
	// Time is the event-time column of the left input, Version that of the right, whose rows are versions of what has their key. Both
	// are -1 for the latest version at the moment a left row comes.
	Time, Version int
}

func (*Join) op()         {}
func (*IntervalJoin) op() {}
func (*WindowJoin) op()   {}
func (*TemporalJoin) op() {}
