package expr

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// NewCall applies the function or operator of a name to arguments. It chooses the overload, converts the arguments to its
// types and folds constants. Operators go by the names they are registered under: "+", "=", "LIKE", "IS NULL", "BETWEEN", "IN".
// Errors are *UnknownNameError or *ArgumentError.
func NewCall(name string, args []Expr, s Settings) (Expr, error) {
	fn, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	if fn.Syntax != "" {
		return nil, &ArgumentError{Arg: -1, Msg: fn.Name + " is written " + fn.Syntax}
	}
	o, err := fn.choose(args)
	if err != nil {
		return nil, err
	}
	if args, err = o.convert(fn, args, s); err != nil {
		return nil, err
	}
	if o.Check != nil {
		if err := o.Check(args); err != nil {
			return nil, err
		}
	}
	call := &Call{Fn: fn, Args: args, T: o.Returns(args), Null: o.nullable(args), overload: o}
	return fold(call, s), nil
}

// choose finds the first overload that takes the arguments.
func (f *Function) choose(args []Expr) (*Overload, error) {
	best, wants := -1, []string(nil)
	for i := range f.Overloads {
		o := &f.Overloads[i]
		if !o.fits(len(args)) {
			continue
		}
		bad := o.misfit(args)
		switch {
		case bad < 0:
			return o, nil
		case bad > best:
			best, wants = bad, []string{o.param(bad).What}
		case bad == best && !slices.Contains(wants, o.param(bad).What):
			wants = append(wants, o.param(bad).What)
		}
	}
	if best < 0 {
		return nil, &ArgumentError{Arg: -1, Msg: f.arity(len(args))}
	}
	return nil, &ArgumentError{Arg: best, Msg: f.misfit(args, best, wants)}
}

// misfit is the index of the first argument the overload does not take, or -1.
func (o *Overload) misfit(args []Expr) int {
	for i, a := range args {
		if !o.param(i).accepts(a) {
			return i
		}
	}
	return -1
}

func (f *Function) misfit(args []Expr, bad int, wants []string) string {
	if f.mismatch != nil {
		return f.mismatch(args)
	}
	subject := f.Name
	if len(args) > 1 {
		subject = fmt.Sprintf("argument %d of %s", bad+1, f.Name)
		return fmt.Sprintf("%s must be %s, got %s", subject, list(wants, "or"), describe(args[bad]))
	}
	return fmt.Sprintf("%s takes %s, got %s", subject, list(wants, "or"), describe(args[bad]))
}

func describe(e Expr) string {
	if l, ok := e.(*Literal); ok && l.Symbol {
		return "the keyword " + l.String()
	}
	return TypeName(e.Type())
}

// arity words how many arguments the function takes.
func (f *Function) arity(got int) string {
	var counts []int
	more := false
	for i := range f.Overloads {
		o := &f.Overloads[i]
		for n := len(o.Params) - o.Optional; n <= len(o.Params); n++ {
			counts = append(counts, n)
		}
		more = more || o.Variadic
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	noun := "arguments"
	if len(counts) == 1 && counts[0] == 1 {
		noun = "argument"
	}
	if more {
		return fmt.Sprintf("%s takes at least %d %s, got %d", f.Name, counts[0], noun, got)
	}
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = strconv.Itoa(n)
	}
	text := list(words, "or")
	if text == "0" {
		text = "no"
	}
	return fmt.Sprintf("%s takes %s %s, got %d", f.Name, text, noun, got)
}

// convert brings the arguments to the overload's types.
func (o *Overload) convert(f *Function, args []Expr, s Settings) ([]Expr, error) {
	args = slices.Clone(args)
	if o.Compares {
		return args, compareArgs(args, s)
	}
	types := make([]arrow.DataType, len(args))
	for i, a := range args {
		types[i] = o.param(i).target(a)
	}
	if o.Convert != nil {
		if types = o.Convert(types); types == nil {
			return nil, &ArgumentError{Arg: -1, Msg: f.disagree(args)}
		}
	}
	for i := range args {
		if l, ok := args[i].(*Literal); ok && l.Symbol {
			continue
		}
		var err error
		if o.param(i).Cast {
			args[i], err = NewCast(args[i], types[i], false, s)
		} else {
			args[i], err = Coerce(args[i], types[i], s)
		}
		if err != nil {
			return nil, &ArgumentError{Arg: i, Msg: err.Error()}
		}
	}
	return args, nil
}

func (f *Function) disagree(args []Expr) string {
	if f.mismatch != nil {
		return f.mismatch(args)
	}
	names := make([]string, len(args))
	for i, t := range typesOf(args) {
		names[i] = TypeName(t)
	}
	return fmt.Sprintf("the arguments of %s have no common type: %s; CAST them", f.Name, list(slices.Compact(names), "and"))
}

// compareArgs brings all arguments to one type: the common one of those that are not text of a literal.
func compareArgs(args []Expr, s Settings) error {
	t := arrow.DataType(Unknown)
	for i, a := range args {
		if _, text := literalText(a); text {
			continue
		}
		u, ok := CommonType(t, a.Type())
		if !ok {
			return &ArgumentError{Arg: i, Msg: fmt.Sprintf("cannot compare %s with %s; CAST one of them", TypeName(t), TypeName(a.Type()))}
		}
		t = u
	}
	if t.ID() == arrow.NULL {
		t = String
	}
	for i, a := range args {
		if _, text := literalText(a); text && t.ID() != arrow.STRING && !isSpelled(t) {
			return &ArgumentError{Arg: i, Msg: fmt.Sprintf("cannot compare %s with STRING; CAST one of them", TypeName(t))}
		}
		var err error
		if args[i], err = Coerce(a, t, s); err != nil {
			return &ArgumentError{Arg: i, Msg: err.Error()}
		}
	}
	return nil
}

// commonArgs is a Convert that brings all arguments to their common type.
func commonArgs(args []arrow.DataType) []arrow.DataType {
	t, ok := arrow.DataType(Unknown), true
	for _, a := range args {
		if t, ok = CommonType(t, a); !ok {
			return nil
		}
	}
	return slices.Repeat([]arrow.DataType{t}, len(args))
}

func typesOf(args []Expr) []arrow.DataType {
	types := make([]arrow.DataType, len(args))
	for i, a := range args {
		types[i] = a.Type()
	}
	return types
}

// Synopsis lists the ways to call the function: ROUND(number [, integer]).
func (f *Function) Synopsis() []string {
	if f.Syntax != "" {
		return []string{f.Syntax}
	}
	lines := make([]string, len(f.Overloads))
	for i := range f.Overloads {
		lines[i] = f.Name + "(" + f.Overloads[i].synopsis() + ")"
	}
	return slices.Compact(lines)
}

func (o *Overload) synopsis() string {
	var b strings.Builder
	required := len(o.Params) - o.Optional
	for i, p := range o.Params {
		switch {
		case i >= required && i > 0:
			b.WriteString(" [, " + p.Name)
		case i >= required:
			b.WriteString("[" + p.Name)
		case i > 0:
			b.WriteString(", " + p.Name)
		default:
			b.WriteString(p.Name)
		}
	}
	b.WriteString(strings.Repeat("]", o.Optional))
	if o.Variadic {
		b.WriteString(", …")
	}
	return b.String()
}
