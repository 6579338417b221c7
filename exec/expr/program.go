package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

type Site struct{}
type Kernel func()

// Program computes expressions over batches. It keeps buffers from batch to batch and serves one goroutine.
type Program struct{}

// Compile makes the program of the expressions; the arrays it returns are allocated from mem.
func Compile(mem memory.Allocator, exprs []Expr, s Settings) (*Program, error) {
	return &Program{}, nil
}

// Eval returns one array for each expression, with one row for each selected row of b. It does not consume b.
func (p *Program) Eval(b vec.Batch) ([]arrow.Array, error) { return nil, nil }

// Errors is the number of values that could not be computed and became NULL, under EvalErrors Null.
func (p *Program) Errors() int64 { return 0 }

// Predicate finds the rows for which a BOOLEAN expression is TRUE.
type Predicate struct{ p *Program }

// NewPredicate compiles the condition.
func NewPredicate(mem memory.Allocator, e Expr, s Settings) (*Predicate, error) { return nil, nil }

// Select returns the physical rows among the selected rows of b for which the condition is TRUE. It does not consume b.
func (p *Predicate) Select(b vec.Batch) ([]uint32, error) { return nil, nil }
