package expr

import "github.com/apache/arrow/go/v17/arrow"

func init() {
	registerSet("ARRAY_DISTINCT", 1, "The elements of the ARRAY, each once, in the order they first come.", "ARRAY_DISTINCT(ARRAY[2, 1, 2, NULL, NULL])", "[2, 1, NULL]",
		func(a *arrays, row uint32) { a.addNew(0, row) })
	registerSet("ARRAY_UNION", 2, "The elements that are in one of two ARRAYs, each once; NULL if either ARRAY is.", "ARRAY_UNION(ARRAY[1, 2], ARRAY[2, 3])", "[1, 2, 3]",
		func(a *arrays, row uint32) {
			a.addNew(0, row)
			a.addNew(1, row)
		})
	registerSet("ARRAY_EXCEPT", 2, "The elements of the first ARRAY that are not in the second, each once; NULL if either ARRAY is.", "ARRAY_EXCEPT(ARRAY[1, 2, 1, 3], ARRAY[2])", "[1, 3]",
		func(a *arrays, row uint32) {
			a.each(1, row, func(element int) { a.set.add(element) })
			a.addNew(0, row)
		})
	registerSet("ARRAY_INTERSECT", 2, "The elements that are in both ARRAYs, each once; NULL if either ARRAY is.", "ARRAY_INTERSECT(ARRAY[3, 1, 2, 1], ARRAY[1, 3, 4])", "[3, 1]",
		intersectRow)
}

// setParam is an ARRAY whose elements can be told apart by a hash.
var setParam = Param{Name: "array", What: "an ARRAY, not of MAPs", Null: arrow.ListOf(Unknown), Accepts: func(t arrow.DataType) bool {
	return isList(t) && !isMap(elementType(t))
}}

func registerSet(name string, params int, doc, example, result string, pick func(a *arrays, row uint32)) {
	Register(Function{
		Name: name, Category: categoryCollection, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{
			Params: []Param{setParam, setParam}[:params], Convert: commonArgs, Returns: returnsArg(0), Slow: true, Compile: setKernel(pick),
		}},
	})
}

// addNew adds those elements of the i-th argument that are not in the set, to the result and to the set.
func (a *arrays) addNew(i int, row uint32) {
	a.each(i, row, func(element int) {
		if _, added := a.set.add(element); added {
			a.w.add(element)
		}
	})
}

// intersectRow adds the elements of the first ARRAY that are in the set, which is that of the second, once each.
func intersectRow(a *arrays, row uint32) {
	a.each(1, row, func(element int) { a.set.add(element) })
	a.each(0, row, func(element int) {
		if place, ok := a.set.find(element); ok && a.set.take(place) {
			a.w.add(element)
		}
	})
}
