package expr

import (
	"strings"
)

// ArgumentError says that an argument of a call does not fit.
type ArgumentError struct {
	Arg int // index of the argument to mark, or -1 for the call as a whole
	Msg string
}

func (e *ArgumentError) Error() string { return e.Msg }

// UnknownNameError says that there is no function or type of a name.
type UnknownNameError struct {
	What       string // "function" or "type"
	Name       string
	Candidates []string // names it may have meant, nearest first
}

func (e *UnknownNameError) Error() string { return "there is no " + e.What + " " + e.Name }

// EvalError says that an expression has no value for a row.
type EvalError struct {
	Expr Expr
	Row  int    // physical row of the batch
	Msg  string // what went wrong, where, and the row's values: "division by zero in a / b (row: a = 5, b = 0)"
}

func (e *EvalError) Error() string { return e.Msg }

// list joins words as in "a, b or c".
func list(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
