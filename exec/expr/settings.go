package expr

import "time"

// Settings are the session settings that the meaning of an expression depends on.
type Settings struct {
	// TimeZone is the session's zone, in which TIMESTAMP_LTZ values are read, shown and taken apart; nil is UTC.
	TimeZone *time.Location
	// EvalErrors says what becomes of a value that cannot be computed.
	EvalErrors EvalErrors
	// Clock is asked once for each batch and program; nil is the machine's clock.
	Clock func() time.Time
	// Seed starts the random functions: a program draws the same numbers for its first rows, its second ones and so on as another
	// one of the same expressions and seed.
	Seed uint64
}

// EvalErrors is the treatment of evaluation errors: overflow, division by zero, a failing CAST.
type EvalErrors int

// Fail makes Eval return an *EvalError; Null makes the value NULL and counts it.
const (
	Fail EvalErrors = iota
	Null
)

func (s Settings) zone() *time.Location {
	if s.TimeZone == nil {
		return time.UTC
	}
	return s.TimeZone
}

func (s Settings) now() time.Time {
	if s.Clock == nil {
		return time.Now()
	}
	return s.Clock()
}
