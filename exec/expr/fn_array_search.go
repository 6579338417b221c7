package expr

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	Register(Function{
		Name: "ARRAY_CONTAINS", Category: categoryCollection,
		Doc: "Whether the ARRAY has an element that equals a value; NULL equals NULL.", Example: "ARRAY_CONTAINS(ARRAY['a', 'b'], 'b')", ExampleResult: "TRUE",
		Overloads: []Overload{{
			Params: []Param{arrayParam, named(anyParam, "element")}, Convert: withElement, Returns: returns(Boolean), Nulls: PropagateFirst, Slow: true,
			Compile: only(containsKernel),
		}},
	})
	Register(Function{
		Name: "ARRAY_POSITION", Category: categoryCollection,
		Doc: "The place, from 1, of the first element that equals a value; 0 if there is none.", Example: "ARRAY_POSITION(ARRAY['a', 'b'], 'b')", ExampleResult: "2",
		Overloads: []Overload{{
			Params: []Param{arrayParam, named(anyParam, "element")}, Convert: withElement, Returns: returns(Int), Slow: true, Compile: only(positionKernel),
		}},
	})
	registerArrayExtreme("ARRAY_MAX", 1, "The largest element of the ARRAY that is not NULL; NULL if there is none.", "ARRAY_MAX(ARRAY[1, 3, NULL, 2])", "3")
	registerArrayExtreme("ARRAY_MIN", -1, "The smallest element of the ARRAY that is not NULL; NULL if there is none.", "ARRAY_MIN(ARRAY[2, 1, NULL, 3])", "1")
	Register(Function{
		Name: "ARRAY_SORT", Category: categoryCollection,
		Doc:     "The elements of the ARRAY in ascending order, NULLs first; with FALSE in descending order, NULLs last; a third argument says whether NULLs come first.",
		Example: "ARRAY_SORT(ARRAY[2, NULL, 1], TRUE, FALSE)", ExampleResult: "[1, 2, NULL]",
		Overloads: []Overload{{
			Params: []Param{sortedParam, named(boolParam, "ascending"), named(boolParam, "nulls first")}, Optional: 2, Returns: returnsArg(0), Slow: true,
			Compile: arrayKernel(1, wholeList, orderElements, sortRow),
		}},
	})
	Register(Function{
		Name: "ARRAY_JOIN", Category: categoryCollection,
		Doc:     "The text of the elements with a separator between them; those that are NULL are left out or written as the third argument says.",
		Example: "ARRAY_JOIN(ARRAY['a', NULL, 'b'], '-', '?')", ExampleResult: "a-?-b",
		Overloads: []Overload{{
			Params: []Param{writtenArrayParam, named(stringParam, "separator"), named(stringParam, "null")}, Optional: 1, Returns: returns(String), Slow: true,
			Compile: only(joinKernel),
		}},
	})
}

var (
	// sortedParam is an ARRAY whose elements have an order, writtenArrayParam one whose elements are taken as their text.
	sortedParam = Param{Name: "array", What: "an ARRAY of values that have an order", Null: arrow.ListOf(Unknown), Accepts: func(t arrow.DataType) bool {
		return isList(t) && (isComparable(elementType(t)) || elementType(t).ID() == arrow.NULL)
	}}
	writtenArrayParam = Param{
		Name: "array", What: "an ARRAY of STRINGs", Null: arrow.ListOf(String), To: always(arrow.ListOf(String)), Cast: true,
		Accepts: func(t arrow.DataType) bool { return isList(t) && isScalar(elementType(t)) },
	}
)

// place is the place, from 0, of the first element of a row's list that is the same as the row's value, or missing.
func place(l *lists, same sameness, value *Vector, row uint32) int {
	from, to := l.row(row)
	for i := from; i < to; i++ {
		if same(i, value.at(int(row))) {
			return i - from
		}
	}
	return missing
}

func containsKernel(f *Frame, args []*Vector, out *Vector) error {
	values := f.arrayOf(args[1])
	defer values.Release()
	l := listsOf(args[0])
	same := sameOf(l.elements, values)
	clear(out.bits)
	for _, row := range f.Rows() {
		out.bits[row>>6] |= bitOf(place(&l, same, args[1], row) != missing) << (row & 63)
	}
	return nil
}

func positionKernel(f *Frame, args []*Vector, out *Vector) error {
	wanted := f.arrayOf(args[1])
	defer wanted.Release()
	l := listsOf(args[0])
	same := sameOf(l.elements, wanted)
	o := values[int32](out)
	for _, row := range f.Rows() {
		o[row] = int32(place(&l, same, args[1], row) + 1)
	}
	return nil
}

func registerArrayExtreme(name string, sign int, doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryCollection, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{sortedParam}, Nulls: PropagateOrNull, Slow: true, Compile: func(*Site) Kernel { return arrayExtreme(sign) },
			Returns: func(args []Expr) arrow.DataType { return elementType(args[0].Type()) },
		}},
	})
}

func arrayExtreme(sign int) Kernel {
	var p picker
	return func(f *Frame, args []*Vector, out *Vector) error {
		l := listsOf(args[0])
		order := orderOf(l.elements, l.elements)
		p.gather(f, out, l.elements, func(row uint32) int {
			best := missing
			from, to := l.row(row)
			for i := from; i < to; i++ {
				if l.elements.IsValid(i) && (best == missing || order(i, best)*sign > 0) {
					best = i
				}
			}
			return best
		})
		return nil
	}
}

// boolArg is the value of a BOOLEAN argument, or otherwise if it was not given.
func boolArg(args []*Vector, i int, row uint32, otherwise bool) bool {
	if i >= len(args) {
		return otherwise
	}
	return bit(args[i].bits, args[i].at(int(row)))
}

func orderElements(a *arrays) { a.order = orderOf(a.elements, a.elements) }

func sortRow(a *arrays, row uint32) {
	start := len(a.w.picks)
	a.all(0, row)
	picks := a.w.picks[start:]
	ascending := boolArg(a.args, 1, row, true)
	nullsFirst := boolArg(a.args, 2, row, ascending)
	slices.SortStableFunc(picks, func(i, j uint32) int {
		x, y := a.elements.IsNull(int(i)), a.elements.IsNull(int(j))
		switch {
		case x && y:
			return 0
		case x || y:
			if x == nullsFirst {
				return -1
			}
			return 1
		case ascending:
			return a.order(int(i), int(j))
		}
		return a.order(int(j), int(i))
	})
}

func joinKernel(f *Frame, args []*Vector, out *Vector) error {
	l := listsOf(args[0])
	texts := l.elements.(*array.String)
	for _, row := range f.Rows() {
		from, to := l.row(row)
		first := true
		for i := from; i < to; i++ {
			null := texts.IsNull(i)
			if null && len(args) == 2 {
				continue
			}
			if !first {
				out.data = append(out.data, args[1].bytes(row)...)
			}
			first = false
			if null {
				out.data = append(out.data, args[2].bytes(row)...)
			} else {
				out.data = append(out.data, texts.Value(i)...)
			}
		}
		out.end(row)
	}
	return nil
}
