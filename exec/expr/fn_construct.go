package expr

import (
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/exec/vec"
)

const categoryCollection = "collection"

func init() {
	Register(Function{
		Name: "ARRAY", Category: categoryCollection, form: bracketForm("ARRAY"),
		Doc:     "An ARRAY of the values, which get a common type.",
		Example: "ARRAY[1, 2, 3]", ExampleResult: "[1, 2, 3]",
		Overloads: []Overload{{
			Params: []Param{anyParam}, Optional: 1, Variadic: true, Convert: commonArgs, Nulls: NeverNull, Slow: true, Compile: only(makeArray),
			Returns: func(args []Expr) arrow.DataType {
				if len(args) == 0 {
					return arrow.ListOf(Unknown)
				}
				return arrow.ListOf(args[0].Type())
			},
		}},
	})
	Register(Function{
		Name: "MAP", Category: categoryCollection, form: bracketForm("MAP"),
		Doc:     "A MAP of keys and values in turn, which get a common type each; of equal keys the last counts.",
		Example: "MAP['a', 1, 'b', 2]", ExampleResult: "{a=1, b=2}",
		Overloads: []Overload{{
			Params: []Param{named(anyParam, "key"), anyParam}, Optional: 2, Variadic: true, Convert: commonEntries, Check: evenArgs, Nulls: Handled,
			Fails: Sometimes, Slow: true, Compile: makeMap,
			Returns: func(args []Expr) arrow.DataType {
				if len(args) == 0 {
					return arrow.MapOf(Unknown, Unknown)
				}
				return arrow.MapOf(args[0].Type(), args[1].Type())
			},
		}},
	})
	Register(Function{
		Name: "ROW", Category: categoryCollection,
		Doc:     "A ROW of the values, whose fields are called f0, f1 and so on.",
		Example: "ROW(1, 'a')", ExampleResult: "(1, a)",
		Overloads: []Overload{{
			Params: []Param{anyParam}, Optional: 1, Variadic: true, Nulls: NeverNull, Slow: true, Compile: only(makeRow),
			Returns: func(args []Expr) arrow.DataType {
				fields := make([]arrow.Field, len(args))
				for i, a := range args {
					fields[i] = arrow.Field{Name: "f" + strconv.Itoa(i), Type: a.Type(), Nullable: true}
				}
				return arrow.StructOf(fields...)
			},
		}},
	})
}

// bracketForm is NAME[a, b].
func bracketForm(name string) form {
	return func(args []Expr) (string, level) {
		return name + "[" + strings.Join(operands(args, levelOr), ", ") + "]", levelPrimary
	}
}

// commonEntries brings the keys of a MAP to a common type, and the values to another.
func commonEntries(args []arrow.DataType) []arrow.DataType {
	types := make([]arrow.DataType, len(args))
	for side := range 2 {
		var of []arrow.DataType
		for i := side; i < len(args); i += 2 {
			of = append(of, args[i])
		}
		for i, t := range commonArgs(of) {
			types[2*i+side] = t
		}
	}
	for _, t := range types {
		if t == nil {
			return nil
		}
	}
	return types
}

func evenArgs(args []Expr) *ArgumentError {
	if len(args)%2 != 0 {
		return &ArgumentError{Arg: len(args) - 1, Msg: "MAP takes keys and values in turn, and this key has no value"}
	}
	return nil
}

func wholeList(int) bool     { return true }
func singleValue(int) bool   { return false }
func firstIsList(i int) bool { return i == 0 }

func makeArray(f *Frame, args []*Vector, out *Vector) error {
	offsets := make([]int32, f.n+1)
	if len(args) == 0 {
		f.setLists(out, offsets, array.NewNull(0))
		return nil
	}
	elements, parts := f.layOut(args, singleValue)
	defer elements.Release()
	picks := make([]uint32, 0, f.n*len(args))
	for row := range f.n {
		for i := range parts {
			from, _ := parts[i].row(uint32(row))
			picks = append(picks, uint32(from))
		}
		offsets[row+1] = int32(len(picks))
	}
	f.setLists(out, offsets, vec.Take(f.mem, elements, picks))
	return nil
}

func makeRow(f *Frame, args []*Vector, out *Vector) error {
	fields := make([]arrow.Array, len(args))
	for i, a := range args {
		fields[i] = a.store(f.mem, a.t, f.n)
	}
	f.setNested(out, nil, fields...)
	return nil
}

func makeMap(s *Site) Kernel {
	t := s.Result.(*arrow.MapType)
	var w mapWriter
	return func(f *Frame, args []*Vector, out *Vector) error {
		if len(args) == 0 {
			f.setLists(out, make([]int32, f.n+1), newEntries(t, array.NewNull(0), array.NewNull(0)))
			return nil
		}
		keys, keyParts := f.layOut(everySecond(args, 0), singleValue)
		defer keys.Release()
		items, itemParts := f.layOut(everySecond(args, 1), singleValue)
		defer items.Release()
		w.start(keys)
		for _, row := range f.Rows() {
			for i := range keyParts {
				key, _ := keyParts[i].row(row)
				item, _ := itemParts[i].row(row)
				w.put(key, item)
			}
			if err := w.end(f, row); err != nil {
				return err
			}
		}
		w.store(f, out, items)
		return nil
	}
}

func everySecond(args []*Vector, first int) []*Vector {
	var some []*Vector
	for i := first; i < len(args); i += 2 {
		some = append(some, args[i])
	}
	return some
}
