package expr

import (
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

func init() {
	Register(Function{
		Name: "IN", Category: categoryComparison, form: inForm("IN"), notForm: inForm("NOT IN"),
		Doc:     "Whether a value equals one of a list; NULL if none does and the list has a NULL.",
		Example: "2 IN (1, 2, 3)", ExampleResult: "TRUE",
		Overloads: []Overload{{
			Params: []Param{equatableParam, equatableParam}, Variadic: true, Compares: true, Returns: returns(Boolean), Nulls: Handled, Expand: inList,
		}},
	})
	// The list of an IN whose values are constants and not NULL.
	Register(Function{
		Name: "IN SET", form: inForm("IN"),
		Overloads: []Overload{{Params: []Param{comparableParam}, Variadic: true, Returns: returns(Boolean), Listed: true, Compile: inSet}},
	})
}

func inForm(op string) form {
	return func(args []Expr) (string, level) {
		return operand(args[0], levelAdd) + " " + op + " (" + strings.Join(operands(args[1:], levelOr), ", ") + ")", levelCompare
	}
}

// inList looks up the constants of the list in a set and compares with the rest one by one.
func inList(args []Expr, s Settings) (Expr, error) {
	set := []Expr{args[0]}
	var terms []Expr
	for _, a := range args[1:] {
		if _, constant := a.(*Literal); constant && !isNull(a) && isComparable(a.Type()) {
			set = append(set, a)
			continue
		}
		equal, err := NewCall("=", []Expr{args[0], a}, s)
		if err != nil {
			return nil, err
		}
		terms = append(terms, equal)
	}
	if len(set) == 1 {
		return Or(terms...)
	}
	in, err := NewCall("IN SET", set, s)
	if err != nil {
		return nil, err
	}
	return Or(append([]Expr{in}, terms...)...)
}

// inSet compiles a search in a set of constants.
func inSet(s *Site) Kernel {
	switch s.Arg(0).ID() {
	case arrow.BOOL:
		return inBools(s)
	case arrow.INT8:
		return inFixed[int8](s)
	case arrow.INT16:
		return inFixed[int16](s)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.INTERVAL_MONTHS:
		return inFixed[int32](s)
	case arrow.INT64, arrow.TIMESTAMP, arrow.DURATION:
		return inFixed[int64](s)
	case arrow.FLOAT32:
		return inFixed[float32](s)
	case arrow.FLOAT64:
		return inFixed[float64](s)
	case arrow.DECIMAL128:
		return inFixed[decimal128.Num](s)
	}
	return inText(s)
}

// members calls add with each value of the set.
func members(s *Site, add func(v *Vector)) {
	var p pool
	for _, a := range s.Args[1:] {
		var v Vector
		v.setLiteral(&p, a.(*Literal))
		add(&v)
	}
}

func inFixed[T comparable](s *Site) Kernel {
	set := make(map[T]struct{}, len(s.Args))
	members(s, func(v *Vector) { set[values[T](v)[0]] = struct{}{} })
	return func(f *Frame, args []*Vector, out *Vector) error {
		x := values[T](args[0])
		clear(out.bits)
		for _, row := range f.Rows() {
			if _, ok := set[x[args[0].at(int(row))]]; ok {
				setBit(out.bits, int(row))
			}
		}
		return nil
	}
}

func inText(s *Site) Kernel {
	set := make(map[string]struct{}, len(s.Args))
	members(s, func(v *Vector) { set[string(v.bytes(0))] = struct{}{} })
	return func(f *Frame, args []*Vector, out *Vector) error {
		clear(out.bits)
		for _, row := range f.Rows() {
			if _, ok := set[args[0].str(row)]; ok {
				setBit(out.bits, int(row))
			}
		}
		return nil
	}
}

func inBools(s *Site) Kernel {
	var hasTrue, hasFalse uint64
	members(s, func(v *Vector) {
		if v.bits[0]&1 != 0 {
			hasTrue = ^uint64(0)
		} else {
			hasFalse = ^uint64(0)
		}
	})
	return func(f *Frame, args []*Vector, out *Vector) error {
		for k := range out.bits {
			w := args[0].word(args[0].bits, k)
			out.bits[k] = w&hasTrue | ^w&hasFalse
		}
		return nil
	}
}
