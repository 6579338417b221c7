package planner

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/expr"
)

// interval says how far the event times of two rows that are joined can lie apart: the right time minus the left one is lower to
// upper, in milliseconds.
type interval struct {
	times        [2]int
	lower, upper int64
	terms        []expr.Expr // of the condition, which say so
}

// interval finds the bounds in the condition. There must be both.
func (j *join) interval() (*interval, bool) {
	found := &interval{times: [2]int{-1, -1}, lower: math.MinInt64, upper: math.MaxInt64}
	for _, term := range expr.Conjuncts(j.on) {
		c, ok := term.(*expr.Call)
		if !ok {
			continue
		}
		if j.boundBy(c, found) {
			found.terms = append(found.terms, term)
		}
	}
	return found, found.lower > math.MinInt64 && found.upper < math.MaxInt64
}

// boundBy narrows the interval by a comparison of times; it tells whether the interval says now all that the term does.
func (j *join) boundBy(c *expr.Call, i *interval) bool {
	if c.Fn.Name == "BETWEEN" {
		low := j.compared(c.Args[0], ">=", c.Args[1], i)
		high := j.compared(c.Args[0], "<=", c.Args[2], i)
		return low && high
	}
	return len(c.Args) == 2 && j.compared(c.Args[0], c.Fn.Name, c.Args[1], i)
}

// compared narrows the interval by a op b, if these are times of different inputs.
func (j *join) compared(a expr.Expr, op string, b expr.Expr, i *interval) bool {
	x, okX := j.timeOf(a)
	y, okY := j.timeOf(b)
	if !okX || !okY || x.side == y.side {
		return false
	}
	if x.side == onRight {
		x, y, op = y, x, mirrored[op]
	}
	// left + x.shift op right + y.shift
	distance := x.shift - y.shift
	if !i.between(x.column, y.column) {
		return false
	}
	switch op {
	case "<=":
		i.lower = max(i.lower, distance)
	case "<":
		i.lower = max(i.lower, distance+1)
	case ">=":
		i.upper = min(i.upper, distance)
	case ">":
		i.upper = min(i.upper, distance-1)
	case "=":
		i.lower, i.upper = max(i.lower, distance), min(i.upper, distance)
	default:
		return false
	}
	return true
}

var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}

// between tells whether the interval is about the two columns; the first comparison decides.
func (i *interval) between(left, right int) bool {
	if i.times[0] < 0 {
		i.times = [2]int{left, right}
	}
	return i.times == [2]int{left, right}
}

// shiftedTime is an event time of one input, moved by so many milliseconds.
type shiftedTime struct {
	side   side
	column int // of its input
	shift  int64
}

// timeOf takes ts, ts + INTERVAL … and ts - INTERVAL … apart.
func (j *join) timeOf(x expr.Expr) (shiftedTime, bool) {
	if c, ok := x.(*expr.Column); ok {
		return j.timeColumn(c)
	}
	c, ok := x.(*expr.Call)
	if !ok || len(c.Args) != 2 || c.Fn.Name != "+" && c.Fn.Name != "-" {
		return shiftedTime{}, false
	}
	moved, by := c.Args[0], c.Args[1]
	if c.Fn.Name == "+" && moved.Type().ID() == arrow.DURATION {
		moved, by = by, moved
	}
	l, ok := by.(*expr.Literal)
	if !ok || l.V == nil || l.T.ID() != arrow.DURATION {
		return shiftedTime{}, false
	}
	t, ok := j.timeOf(moved)
	shift := int64(l.V.(arrow.Duration))
	if c.Fn.Name == "-" {
		shift = -shift
	}
	t.shift += shift
	return t, ok
}

func (j *join) timeColumn(c *expr.Column) (shiftedTime, bool) {
	n := j.width()
	if isOuter(c) {
		return shiftedTime{}, false
	}
	if c.Index < n {
		return shiftedTime{side: onLeft, column: c.Index}, j.left.columns()[c.Index].role.isTime()
	}
	return shiftedTime{side: onRight, column: c.Index - n}, j.right.columns()[c.Index-n].role.isTime()
}
