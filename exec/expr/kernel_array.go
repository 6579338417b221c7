package expr

import "github.com/apache/arrow/go/v17/arrow"

// arrays is what a function that makes ARRAYs sees of its arguments: their elements, end to end.
type arrays struct {
	args     []*Vector
	elements arrow.Array
	parts    []part // of the leading arguments, which are ARRAYs or elements
	same     sameness
	order    ordering
	set      elementSet
	w        listWriter
}

// arrayKernel makes a kernel of a function that adds, for a row, picks out of the elements of its arguments to a.w. whole tells
// which of the leading count arguments, all if it is 0, are ARRAYs; the others are elements. prepare, if there is one, is called
// for each batch before the rows.
func arrayKernel(count int, whole func(i int) bool, prepare func(a *arrays), pick func(a *arrays, row uint32)) func(*Site) Kernel {
	return func(*Site) Kernel {
		var a arrays
		return func(f *Frame, args []*Vector, out *Vector) error {
			a.args = args
			if count > 0 {
				args = args[:count]
			}
			a.elements, a.parts = f.layOut(args, whole)
			defer a.elements.Release()
			if prepare != nil {
				prepare(&a)
			}
			a.w.start()
			for _, row := range f.Rows() {
				pick(&a, row)
				a.w.end(row)
			}
			return a.w.store(f, out, a.elements)
		}
	}
}

// setKernel is arrayKernel for functions that need a set of elements, which is empty for each row.
func setKernel(pick func(a *arrays, row uint32)) func(*Site) Kernel {
	return arrayKernel(0, wholeList, func(a *arrays) { a.set.start(a.elements) }, func(a *arrays, row uint32) {
		a.set.clear()
		pick(a, row)
	})
}

// all adds all elements of the i-th argument.
func (a *arrays) all(i int, row uint32) {
	from, to := a.parts[i].row(row)
	a.w.addAll(from, to)
}

// each calls take with each element of the i-th argument.
func (a *arrays) each(i int, row uint32, take func(element int)) {
	from, to := a.parts[i].row(row)
	for e := from; e < to; e++ {
		take(e)
	}
}
