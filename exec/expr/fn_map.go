package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

func init() {
	Register(Function{
		Name: "MAP_KEYS", Category: categoryCollection,
		Doc: "An ARRAY of the keys of the MAP.", Example: "MAP_KEYS(MAP['a', 1, 'b', 2])", ExampleResult: "[a, b]",
		Overloads: []Overload{partOfMap(0)},
	})
	Register(Function{
		Name: "MAP_VALUES", Category: categoryCollection,
		Doc: "An ARRAY of the values of the MAP.", Example: "MAP_VALUES(MAP['a', 1, 'b', 2])", ExampleResult: "[1, 2]",
		Overloads: []Overload{partOfMap(1)},
	})
	Register(Function{
		Name: "MAP_ENTRIES", Category: categoryCollection,
		Doc: "An ARRAY of the entries of the MAP, which are ROWs of key and value.", Example: "MAP_ENTRIES(MAP['a', 1, 'b', 2])", ExampleResult: "[(a, 1), (b, 2)]",
		Overloads: []Overload{{
			Params: []Param{mapParam}, Slow: true, Compile: only(mapEntries), Returns: func(args []Expr) arrow.DataType {
				m := args[0].Type().(*arrow.MapType)
				return arrow.ListOf(arrow.StructOf(arrow.Field{Name: "key", Type: m.KeyType(), Nullable: true}, arrow.Field{Name: "value", Type: m.ItemType(), Nullable: true}))
			},
		}},
	})
	Register(Function{
		Name: "MAP_FROM_ARRAYS", Category: categoryCollection,
		Doc:     "The MAP of an ARRAY of keys and an ARRAY of as many values; of equal keys the last counts.",
		Example: "MAP_FROM_ARRAYS(ARRAY['a', 'b'], ARRAY[1, 2])", ExampleResult: "{a=1, b=2}",
		Overloads: []Overload{{
			Params: []Param{named(arrayParam, "keys"), named(arrayParam, "values")}, Fails: Sometimes, Slow: true, Compile: mapFromArrays,
			Returns: func(args []Expr) arrow.DataType {
				return arrow.MapOf(elementType(args[0].Type()), elementType(args[1].Type()))
			},
		}},
	})
	Register(Function{
		Name: "MAP_UNION", Category: categoryCollection,
		Doc:     "The entries of all MAPs; of equal keys the last counts. NULL if any of them is.",
		Example: "MAP_UNION(MAP['a', 1, 'b', 2], MAP['b', 3])", ExampleResult: "{a=1, b=3}",
		Overloads: []Overload{{
			Params: []Param{mapParam}, Variadic: true, Convert: commonArgs, Returns: returnsArg(0), Fails: Sometimes, Slow: true, Compile: mapUnion,
		}},
	})
}

// partOfMap is a function that gives the keys, 0, or the values, 1, of a MAP.
func partOfMap(side int) Overload {
	return Overload{
		Params: []Param{mapParam}, Slow: true,
		Returns: func(args []Expr) arrow.DataType { return arrow.ListOf(inside(args[0].Type())[side]) },
		Compile: only(func(f *Frame, args []*Vector, out *Vector) error {
			l := listsOf(args[0])
			keys, items := l.entries()
			part := []arrow.Array{keys, items}[side]
			part.Retain()
			f.setLists(out, l.offsets[:f.n+1], part)
			return nil
		}),
	}
}

func mapEntries(f *Frame, args []*Vector, out *Vector) error {
	l := listsOf(args[0])
	keys, items := l.entries()
	keys.Retain()
	items.Retain()
	entries := newNested(elementType(out.t), keys.Len(), 0, []*memory.Buffer{nil}, []arrow.Array{keys, items})
	f.setLists(out, l.offsets[:f.n+1], entries)
	return nil
}

func mapFromArrays(*Site) Kernel {
	var w mapWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		keys, items := listsOf(args[0]), listsOf(args[1])
		w.start(keys.elements)
		for _, row := range f.Rows() {
			key, end := keys.row(row)
			item, itemEnd := items.row(row)
			if end-key != itemEnd-item {
				if err := f.Fail(row, "MAP_FROM_ARRAYS needs as many values as keys"); err != nil {
					return err
				}
				continue
			}
			for ; key < end; key, item = key+1, item+1 {
				w.put(key, item)
			}
			if err := w.end(f, row); err != nil {
				return err
			}
		}
		w.store(f, out, items.elements)
		return nil
	}
}

func mapUnion(*Site) Kernel {
	var w mapWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		entries, parts := f.layOut(args, wholeList)
		defer entries.Release()
		keys, items := (&lists{elements: entries}).entries()
		w.start(keys)
		for _, row := range f.Rows() {
			for i := range parts {
				from, to := parts[i].row(row)
				for entry := from; entry < to; entry++ {
					w.put(entry, entry)
				}
			}
			if err := w.end(f, row); err != nil {
				return err
			}
		}
		w.store(f, out, items)
		return nil
	}
}
