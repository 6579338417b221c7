package expr

import (
	"slices"
	"strings"
	"unicode/utf8"

	"streamsql/internal/text"
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

// mostShown are the limits on the values an EvalError shows.
const (
	mostShownColumns = 8
	mostShownBytes   = 60
)

// evalError is the error for a row: what went wrong, in which expression, and the values of its columns.
func (f *Frame) evalError(row uint32, what string) error {
	at := f.batch.Row(int(row))
	if f.constant {
		at = f.batch.Row(f.first)
	}
	e := f.step.expr
	msg := what + " in " + e.String()
	var shown []string
	style := text.SQL(f.settings.TimeZone)
	Walk(e, func(e Expr) bool {
		c, ok := e.(*Column)
		if ok && len(shown) < mostShownColumns {
			value := string(style.Append(nil, f.batch.Cols[c.Index], at))
			if c.T.ID() == String.ID() && f.batch.Cols[c.Index].IsValid(at) {
				value = quote(cut(value))
			}
			if s := c.String() + " = " + value; !slices.Contains(shown, s) {
				shown = append(shown, s)
			}
		}
		return true
	})
	if len(shown) > 0 {
		msg += " (row: " + strings.Join(shown, ", ") + ")"
	}
	return &EvalError{Expr: e, Row: at, Msg: msg}
}

// cut shortens long text.
func cut(s string) string {
	if len(s) <= mostShownBytes {
		return s
	}
	n := mostShownBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
