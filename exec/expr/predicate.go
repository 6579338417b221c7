package expr

import (
	"fmt"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// Predicate finds the rows for which a BOOLEAN expression is TRUE. It serves one goroutine at a time.
type Predicate struct{ p *Program }

// NewPredicate compiles the condition.
func NewPredicate(mem memory.Allocator, e Expr, s Settings) (*Predicate, error) {
	if e.Type().ID() != arrow.BOOL {
		return nil, fmt.Errorf("a condition is BOOLEAN, %s is %s", e, TypeName(e.Type()))
	}
	p, err := Compile(mem, []Expr{e}, s)
	if err != nil {
		return nil, err
	}
	p.results[0].column = -1 // Select reads the slot
	for i := range p.columns {
		p.columns[i].dead = false
	}
	return &Predicate{p: p}, nil
}

// Select returns the physical rows, ascending, among the selected rows of b for which the condition is TRUE. They are a new
// slice, never nil. It does not consume b.
func (c *Predicate) Select(b vec.Batch) ([]uint32, error) {
	defer c.p.reset()
	if err := c.p.compute(b); err != nil {
		return nil, err
	}
	if b.Len() == 0 {
		return []uint32{}, nil
	}
	return trueRows(&c.p.slots[c.p.results[0].slot], b), nil
}

// Filter returns b seen through the rows for which the condition is TRUE, with the selection it has if that is all of them. No
// reference changes hands.
func (c *Predicate) Filter(b vec.Batch) (vec.Batch, error) {
	rows, err := c.Select(b)
	if err != nil || len(rows) == b.Len() {
		return b, err
	}
	return b.Select(rows), nil
}

// Drawn is Program.Drawn.
func (c *Predicate) Drawn() uint64 { return c.p.Drawn() }

// Resume is Program.Resume.
func (c *Predicate) Resume(drawn uint64) { c.p.Resume(drawn) }

// Errors is the number of values that could not be computed and became NULL, under EvalErrors Null.
func (c *Predicate) Errors() int64 { return c.p.Errors() }

// trueRows lists the physical rows of b for which v is TRUE.
func trueRows(v *Vector, b vec.Batch) []uint32 {
	n := b.Len()
	count := 0
	for k := range wordsFor(n) {
		count += bits.OnesCount64(trueWord(v, k, n))
	}
	rows := make([]uint32, count)
	at := 0
	for k := range wordsFor(n) {
		for w := trueWord(v, k, n); w != 0; w &= w - 1 {
			rows[at] = uint32(k*64 + bits.TrailingZeros64(w))
			at++
		}
	}
	if b.Sel != nil {
		for i, r := range rows {
			rows[i] = b.Sel[r]
		}
	}
	return rows
}

// trueWord is the k-th word of the rows below n for which v is TRUE.
func trueWord(v *Vector, k, n int) uint64 {
	w := v.trueWord(k)
	if k == n>>6 {
		w &= lastMask(n)
	}
	return w
}
