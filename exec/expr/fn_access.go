package expr

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"

	"streamsql/internal/suggest"
)

// Parameters of functions of collections.
var (
	arrayParam = Param{Name: "array", What: "an ARRAY", Accepts: isList, Null: arrow.ListOf(Unknown)}
	mapParam   = Param{Name: "map", What: "a MAP", Accepts: isMap, Null: arrow.MapOf(Unknown, Unknown)}
	// fieldParam is a ROW, fieldNameParam the name of a field, as text.
	fieldParam     = Param{Name: "row", What: "a ROW", Accepts: isRow, Null: arrow.StructOf()}
	fieldNameParam = Param{Name: "field", What: "the name of a field", Accepts: is(String), Null: String, Only: func(e Expr) bool {
		_, ok := literalText(e)
		return ok
	}}
)

func init() {
	Register(Function{
		Name: "[]", Category: categoryCollection, form: indexForm,
		Doc:     "The element of an ARRAY at a place, counted from 1, or the value of a key of a MAP; NULL if there is none.",
		Example: "ARRAY['a', 'b'][2]", ExampleResult: "b",
		Overloads: []Overload{
			{
				Params: []Param{arrayParam, named(intParam, "index")}, Nulls: PropagateOrNull, Slow: true, Compile: elementKernel,
				Returns: func(args []Expr) arrow.DataType { return elementType(args[0].Type()) },
			},
			{
				Params: []Param{mapParam, named(anyParam, "key")}, Nulls: PropagateOrNull, Slow: true, Compile: itemKernel,
				Convert: func(args []arrow.DataType) []arrow.DataType {
					m := args[0].(*arrow.MapType)
					key, ok := CommonType(m.KeyType(), args[1])
					if !ok {
						return nil
					}
					return []arrow.DataType{arrow.MapOf(key, m.ItemType()), key}
				},
				Returns: func(args []Expr) arrow.DataType { return args[0].Type().(*arrow.MapType).ItemType() },
			},
		},
	})
	Register(Function{
		Name: ".", Category: categoryCollection, form: fieldForm,
		Doc:     "The field of a ROW.",
		Example: "ROW(1, 'a').f1", ExampleResult: "a",
		Overloads: []Overload{{
			Params: []Param{fieldParam, fieldNameParam}, Check: hasField, Nulls: PropagateOrNull, Compile: rowField,
			Returns: func(args []Expr) arrow.DataType {
				i, _ := fieldIndex(args)
				return args[0].Type().(*arrow.StructType).Field(i).Type
			},
		}},
	})
	Register(Function{
		Name: "ELEMENT", Category: categoryCollection,
		Doc:     "The only element of an ARRAY; NULL if it has none, an error if it has more.",
		Example: "ELEMENT(ARRAY[7])", ExampleResult: "7",
		Overloads: []Overload{{
			Params: []Param{arrayParam}, Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Compile: onlyElement,
			Returns: func(args []Expr) arrow.DataType { return elementType(args[0].Type()) },
		}},
	})
	Register(Function{
		Name: "CARDINALITY", Category: categoryCollection,
		Doc:     "The number of elements of an ARRAY, or of entries of a MAP.",
		Example: "CARDINALITY(ARRAY['a', NULL])", ExampleResult: "2",
		Overloads: []Overload{
			{Params: []Param{arrayParam}, Returns: returns(Int), Compile: only(cardinality)},
			{Params: []Param{mapParam}, Returns: returns(Int), Compile: only(cardinality)},
		},
	})
}

func indexForm(args []Expr) (string, level) {
	return operand(args[0], levelPrimary) + "[" + operand(args[1], levelOr) + "]", levelPrimary
}

func fieldForm(args []Expr) (string, level) {
	x := operand(args[0], levelPrimary)
	if _, column := args[0].(*Column); column {
		x = "(" + x + ")"
	}
	return x + "." + quoteName(wordOf(args[1])), levelPrimary
}

// NewField is the field of a ROW, by its name in this case or, if there is none, in any. An unknown one is an *UnknownNameError.
func NewField(row Expr, name string, s Settings) (Expr, error) {
	if t, ok := row.Type().(*arrow.StructType); ok {
		if _, ok := findField(t, name); !ok {
			return nil, &UnknownNameError{What: "field", Name: name, Candidates: suggest.Near(name, fieldNames(t))}
		}
	}
	return NewCall(".", []Expr{row, NewString(name)}, s)
}

func fieldNames(t *arrow.StructType) []string {
	names := make([]string, t.NumFields())
	for i, f := range t.Fields() {
		names[i] = f.Name
	}
	return names
}

func findField(t *arrow.StructType, name string) (i int, ok bool) {
	if i = slices.Index(fieldNames(t), name); i < 0 {
		i = slices.IndexFunc(fieldNames(t), func(n string) bool { return strings.EqualFold(n, name) })
	}
	return i, i >= 0
}

// fieldIndex is the place of the field that "." asks for.
func fieldIndex(args []Expr) (i int, ok bool) {
	return findField(args[0].Type().(*arrow.StructType), wordOf(args[1]))
}

func hasField(args []Expr) *ArgumentError {
	if _, ok := fieldIndex(args); !ok {
		return &ArgumentError{Arg: 1, Msg: TypeName(args[0].Type()) + " has no field " + wordOf(args[1])}
	}
	return nil
}

// elementKernel finds elements of ARRAYs by their places.
func elementKernel(*Site) Kernel {
	var p picker
	return func(f *Frame, args []*Vector, out *Vector) error {
		l, index := listsOf(args[0]), numberArg[int64](args[1])
		p.gather(f, out, l.elements, func(row uint32) int {
			from, to := l.row(row)
			i := index.row(row)
			if i < 1 || i > int64(to-from) {
				return missing
			}
			return from + int(i) - 1
		})
		return nil
	}
}

// itemKernel finds values of MAPs by their keys; of equal keys the last counts.
func itemKernel(*Site) Kernel {
	var p picker
	return func(f *Frame, args []*Vector, out *Vector) error {
		wanted := f.arrayOf(args[1])
		defer wanted.Release()
		l := listsOf(args[0])
		keys, items := l.entries()
		same := sameOf(keys, wanted)
		p.gather(f, out, items, func(row uint32) int {
			from, to := l.row(row)
			for i := to - 1; i >= from; i-- {
				if same(i, args[1].at(int(row))) {
					return i
				}
			}
			return missing
		})
		return nil
	}
}

func rowField(s *Site) Kernel {
	i, _ := fieldIndex(s.Args)
	var p picker
	return func(f *Frame, args []*Vector, out *Vector) error {
		p.gather(f, out, args[0].nested.(*array.Struct).Field(i), func(row uint32) int { return args[0].at(int(row)) })
		return nil
	}
}

func onlyElement(*Site) Kernel {
	var p picker
	return func(f *Frame, args []*Vector, out *Vector) error {
		l := listsOf(args[0])
		for _, row := range f.Rows() {
			if from, to := l.row(row); to-from > 1 {
				if err := f.Fail(row, "ELEMENT of an ARRAY with more than one element"); err != nil {
					return err
				}
			}
		}
		p.gather(f, out, l.elements, func(row uint32) int {
			from, to := l.row(row)
			if from == to {
				return missing
			}
			return from
		})
		return nil
	}
}

func cardinality(f *Frame, args []*Vector, out *Vector) error {
	o, l := values[int32](out), listsOf(args[0])
	for _, row := range f.Rows() {
		from, to := l.row(row)
		o[row] = int32(to - from)
	}
	return nil
}
