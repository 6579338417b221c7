package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
)

func init() {
	Register(Function{
		Name: "ARRAY_APPEND", Category: categoryCollection,
		Doc: "The ARRAY with an element, which may be NULL, added at its end.", Example: "ARRAY_APPEND(ARRAY[1, 2], 3)", ExampleResult: "[1, 2, 3]",
		Overloads: []Overload{arrayAndElement(arrayKernel(0, firstIsList, nil, func(a *arrays, row uint32) {
			a.all(0, row)
			a.all(1, row)
		}))},
	})
	Register(Function{
		Name: "ARRAY_PREPEND", Category: categoryCollection,
		Doc: "The ARRAY with an element, which may be NULL, added at its start.", Example: "ARRAY_PREPEND(ARRAY[1, 2], 3)", ExampleResult: "[3, 1, 2]",
		Overloads: []Overload{arrayAndElement(arrayKernel(0, firstIsList, nil, func(a *arrays, row uint32) {
			a.all(1, row)
			a.all(0, row)
		}))},
	})
	Register(Function{
		Name: "ARRAY_REMOVE", Category: categoryCollection,
		Doc: "The ARRAY without the elements that equal a value; NULL equals NULL.", Example: "ARRAY_REMOVE(ARRAY[1, 2, 1], 1)", ExampleResult: "[2]",
		Overloads: []Overload{arrayAndElement(arrayKernel(0, firstIsList, compareElements, func(a *arrays, row uint32) {
			value, _ := a.parts[1].row(row)
			a.each(0, row, func(element int) {
				if !a.same(element, value) {
					a.w.add(element)
				}
			})
		}))},
	})
	Register(Function{
		Name: "ARRAY_CONCAT", Category: categoryCollection,
		Doc: "The elements of all ARRAYs, one after the other; NULL if any of them is.", Example: "ARRAY_CONCAT(ARRAY[1], ARRAY[], ARRAY[2, 1])", ExampleResult: "[1, 2, 1]",
		Overloads: []Overload{{
			Params: []Param{arrayParam}, Variadic: true, Convert: commonArgs, Returns: returnsArg(0), Slow: true,
			Compile: arrayKernel(0, wholeList, nil, func(a *arrays, row uint32) {
				for i := range a.parts {
					a.all(i, row)
				}
			}),
		}},
	})
	Register(Function{
		Name: "ARRAY_REVERSE", Category: categoryCollection,
		Doc: "The elements of the ARRAY from last to first.", Example: "ARRAY_REVERSE(ARRAY[1, 2, 3])", ExampleResult: "[3, 2, 1]",
		Overloads: []Overload{{
			Params: []Param{arrayParam}, Returns: returnsArg(0), Slow: true, Compile: arrayKernel(0, wholeList, nil, func(a *arrays, row uint32) {
				from, to := a.parts[0].row(row)
				for e := to - 1; e >= from; e-- {
					a.w.add(e)
				}
			}),
		}},
	})
	Register(Function{
		Name: "ARRAY_SLICE", Category: categoryCollection,
		Doc:     "The elements from one place to another, or to the end, both included and counted from 1 or, if negative, from the end; 0 is 1.",
		Example: "ARRAY_SLICE(ARRAY['a', 'b', 'c', 'd'], 2, -2)", ExampleResult: "[b, c]",
		Overloads: []Overload{{
			Params: []Param{arrayParam, named(intParam, "start"), named(intParam, "end")}, Optional: 1, Returns: returnsArg(0), Slow: true,
			Compile: arrayKernel(1, wholeList, nil, sliceRow),
		}},
	})
	Register(Function{
		Name: "FLATTEN", Category: categoryCollection,
		Doc:     "The elements of the ARRAYs in an ARRAY, one after the other; those that are NULL are left out.",
		Example: "FLATTEN(ARRAY[ARRAY[1, 2], ARRAY[3]])", ExampleResult: "[1, 2, 3]",
		Overloads: []Overload{{
			Params: []Param{nestedArrayParam}, Slow: true, Compile: flattenKernel,
			Returns: func(args []Expr) arrow.DataType { return arrow.ListOf(elementType(elementType(args[0].Type()))) },
		}},
	})
}

var nestedArrayParam = Param{
	Name: "arrays", What: "an ARRAY of ARRAYs", Accepts: func(t arrow.DataType) bool { return isList(elementType(t)) },
	Null: arrow.ListOf(arrow.ListOf(Unknown)),
}

// withElement gives an ARRAY and a value a common type of elements.
func withElement(args []arrow.DataType) []arrow.DataType {
	t, ok := CommonType(elementType(args[0]), args[1])
	if !ok {
		return nil
	}
	return []arrow.DataType{arrow.ListOf(t), t}
}

// arrayAndElement is a function of an ARRAY and a value, which may be NULL, that gives an ARRAY.
func arrayAndElement(compile func(*Site) Kernel) Overload {
	return Overload{
		Params: []Param{arrayParam, named(anyParam, "element")}, Convert: withElement, Returns: returnsArg(0), Nulls: PropagateFirst, Slow: true,
		Compile: compile,
	}
}

func compareElements(a *arrays) { a.same = sameOf(a.elements, a.elements) }

func sliceRow(a *arrays, row uint32) {
	from, to := a.parts[0].row(row)
	last := int64(math.MaxInt64)
	if len(a.args) == 3 {
		last = placeFrom(numberArg[int64](a.args[2]).row(row), to-from)
	}
	first := placeFrom(numberArg[int64](a.args[1]).row(row), to-from)
	a.w.addAll(from+int(min(max(first, 1), int64(to-from)+1))-1, from+int(max(min(last, int64(to-from)), 0)))
}

// placeFrom is a place counted from 1, of one that may be counted from the end.
func placeFrom(place int64, length int) int64 {
	switch {
	case place == 0:
		return 1
	case place < 0:
		return max(place, math.MinInt32) + int64(length) + 1
	}
	return place
}

func flattenKernel(*Site) Kernel {
	var w listWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		l := listsOf(args[0])
		inner := l.elements.(array.ListLike)
		w.start()
		for _, row := range f.Rows() {
			from, to := l.row(row)
			for i := from; i < to; i++ {
				if inner.IsValid(i) {
					start, end := inner.ValueOffsets(i)
					w.addAll(int(start), int(end))
				}
			}
			w.end(row)
		}
		return w.store(f, out, inner.ListValues())
	}
}
