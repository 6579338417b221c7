package expr

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Kernel computes out from args for the rows of a batch. The executor has given out room for its values, and has set its
// validity if the overload propagates NULLs. What a kernel writes for rows that are NULL or not reached does not matter, but
// it must not fail for them: kernels that may fail, or that work row by row, ask Frame.Rows.
type Kernel func(f *Frame, args []*Vector, out *Vector) error

// Site is what is known of a call when its kernel is chosen.
type Site struct {
	Args     []Expr // as converted for the overload
	Result   arrow.DataType
	Settings Settings
}

// Arg is the type of the i-th argument.
func (s *Site) Arg(i int) arrow.DataType { return s.Args[i].Type() }

// Const is the i-th argument if it is a literal.
func (s *Site) Const(i int) (*Literal, bool) {
	if i >= len(s.Args) {
		return nil, false
	}
	l, ok := s.Args[i].(*Literal)
	return l, ok
}

// Word is the i-th argument, a word of the grammar or the text of a literal.
func (s *Site) Word(i int) string {
	if i < len(s.Args) {
		if text, ok := literalText(s.Args[i]); ok {
			return text
		}
	}
	return ""
}

// Frame is what a kernel sees of the batch being evaluated.
type Frame struct {
	n     int       // rows
	now   time.Time // of the batch
	drawn uint64    // rows the program has seen in earlier batches
	pool  *pool
	mem   memory.Allocator
	batch vec.Batch

	step     *step
	guard    []uint64 // the rows that are reached; nil: all
	first    int      // of them
	out      *Vector
	constant bool // the step computes a single value for all rows
	rows     []uint32
	all      []uint32 // 0, 1, 2, …
	settings Settings
	errors   int64
}

// Rows lists the rows whose value matters: they are reached and not NULL. It is valid until the kernel returns.
func (f *Frame) Rows() []uint32 {
	valid := f.out.valid
	if valid == nil && f.guard == nil {
		return f.allRows(f.n)
	}
	f.rows = f.rows[:0]
	if valid == nil || f.guard == nil {
		if valid == nil {
			valid = f.guard
		}
		f.rows = appendRows(f.rows, valid, f.n)
		return f.rows
	}
	both := f.pool.takeWords(wordsFor(f.n))
	for k := range both {
		both[k] = valid[k] & f.guard[k]
	}
	f.rows = appendRows(f.rows, both, f.n)
	f.pool.giveWords(both)
	return f.rows
}

// matters reports whether the row is among Rows.
func (f *Frame) matters(row int) bool {
	valid := f.out.valid
	return (valid == nil || bit(valid, row)) && (f.guard == nil || bit(f.guard, row))
}

// allRows is 0 to n-1.
func (f *Frame) allRows(n int) []uint32 {
	for i := len(f.all); i < n; i++ {
		f.all = append(f.all, uint32(i))
	}
	return f.all[:n]
}

// Fail deals with a row that has no value: it makes it NULL, or returns the error to stop with. what is the reason, without
// place: "division by zero".
func (f *Frame) Fail(row uint32, what string) error {
	if f.step.try {
		f.SetNull(row)
		return nil
	}
	if f.settings.EvalErrors == Null {
		f.errors++
		f.SetNull(row)
		return nil
	}
	return f.evalError(row, what)
}

// FailWith is Fail with a text that is only made for an error.
func (f *Frame) FailWith(row uint32, what func() string) error {
	if f.lenient() {
		return f.Fail(row, "")
	}
	return f.Fail(row, what())
}

// SetNull makes the result of a row NULL.
func (f *Frame) SetNull(row uint32) { f.out.setNullAt(f.pool, row, f.n) }

// lenient reports whether Fail never returns an error, so that its text need not be made.
func (f *Frame) lenient() bool { return f.step.try || f.settings.EvalErrors == Null }
