package expr

import "github.com/apache/arrow/go/v17/arrow"

// term compiles the first of the terms of an AND, or the first two if they keep one expression between constants: those are one
// step. It returns how many it has compiled.
func (c *compiler) term(terms []Expr, guard int) (slot, n int, err error) {
	if len(terms) > 1 {
		if r, ok := rangeOf(terms[0], terms[1]); ok {
			slot, err := c.rangeStep(r, guard)
			return slot, 2, err
		}
	}
	slot, err = c.compile(terms[0], guard)
	return slot, 1, err
}

// boundedRange is lo <= x AND x <= hi.
type boundedRange struct {
	e         Expr // for messages
	x, lo, hi Expr
	kernel    Kernel
}

// rangeOf reads two terms as a range of whole numbers, or of what is kept as such.
func rangeOf(above, below Expr) (r boundedRange, ok bool) {
	a, ok := above.(*Call)
	if !ok || a.Fn.Name != ">=" {
		return r, false
	}
	b, ok := below.(*Call)
	if !ok || b.Fn.Name != "<=" || !sameOperand(a.Args[0], b.Args[0]) || !isConstant(a.Args[1]) || !isConstant(b.Args[1]) {
		return r, false
	}
	r = boundedRange{a, a.Args[0], a.Args[1], b.Args[1], rangeKernel(a.Args[0].Type())}
	return r, r.kernel != nil
}

func sameOperand(a, b Expr) bool {
	x, ok := a.(*Column)
	y, also := b.(*Column)
	return a == b || ok && also && x.Index == y.Index
}

// isConstant reports whether e is a literal that is not NULL.
func isConstant(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.V != nil
}

func (c *compiler) rangeStep(r boundedRange, guard int) (int, error) {
	args, err := c.compileAll([]Expr{r.x, r.lo, r.hi}, guard)
	if err != nil {
		return 0, err
	}
	s := step{expr: r.e, t: Boolean, args: args, guard: none, strict: len(args)}
	return c.step("range", []arrow.DataType{r.x.Type()}, s, func() Kernel { return r.kernel }), nil
}

// rangeKernel is nil for types of other than whole numbers.
func rangeKernel(t arrow.DataType) Kernel {
	switch t.ID() {
	case arrow.INT8:
		return inRange[int8]
	case arrow.INT16:
		return inRange[int16]
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return inRange[int32]
	case arrow.INT64, arrow.TIMESTAMP, arrow.DURATION:
		return inRange[int64]
	}
	return nil
}

// inRange tells by one comparison whether a value lies in a range of constants: less than the least it is, as a distance from there
// without a sign, beyond all.
func inRange[T integer](f *Frame, args []*Vector, out *Vector) error {
	x, lo, hi := args[0], int64(values[T](args[1])[0]), int64(values[T](args[2])[0])
	if lo > hi {
		clear(out.bits)
		return nil
	}
	all := values[T](x)
	for k := range out.bits {
		out.bits[k] = withinDistance(all[k*64&x.rowMask:][:min(64, f.n-k*64)], lo, uint64(hi)-uint64(lo))
	}
	return nil
}

func withinDistance[T integer](x []T, from int64, distance uint64) (w uint64) {
	for i, v := range x {
		w |= bitOf(uint64(int64(v)-from) <= distance) << (i & 63)
	}
	return w
}
