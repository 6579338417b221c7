package session

import (
	"cmp"
	"slices"
	"strings"

	"streamsql/exec/agg"
	"streamsql/exec/analytic"
	"streamsql/exec/expr"
	"streamsql/planner"
)

// Function documents a built-in function.
type Function struct {
	Name     string
	Aliases  []string
	Kind     string // scalar, aggregate, over, window, table or grouping
	Category string // the group of scalar functions it belongs to; for the others, the kind
	Syntax   []string
	Doc      string
	Example  string
	Result   string // of the example, if it has one
}

// Functions lists the built-in functions by name. A function that aggregates differently with OVER is there twice.
func Functions() []Function {
	var all []Function
	for _, f := range expr.Functions() {
		all = append(all, Function{f.Name, f.Aliases, "scalar", f.Category, f.Synopsis(), f.Doc, f.Example, f.ExampleResult})
	}
	for _, f := range agg.Functions() {
		all = append(all, Function{f.Name, f.Aliases, "aggregate", "aggregate", ways(f.Signature), f.Doc, f.Example, f.ExampleResult})
	}
	for _, f := range analytic.Functions() {
		all = append(all, Function{f.Name, f.Aliases, "over", "over", []string{f.Signature + " OVER (…)"}, f.Doc, f.Example, ""})
	}
	for _, f := range planner.Functions() {
		all = append(all, Function{f.Name, nil, f.Kind, f.Kind, ways(f.Syntax), f.Doc, f.Example, ""})
	}
	slices.SortStableFunc(all, func(a, b Function) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// ways takes a syntax apart that is written in several ways, with | between them. Inside of brackets that has another meaning.
func ways(syntax string) (all []string) {
	depth, start := 0, 0
	for i, c := range syntax {
		switch {
		case strings.ContainsRune("([", c):
			depth++
		case strings.ContainsRune(")]", c):
			depth--
		case c == '|' && depth == 0:
			all = append(all, strings.TrimSpace(syntax[start:i]))
			start = i + 1
		}
	}
	return append(all, strings.TrimSpace(syntax[start:]))
}

// names is the name and the aliases.
func (f *Function) names() []string { return append([]string{f.Name}, f.Aliases...) }

// functionsNamed lists the built-in functions of a name, in any case.
func functionsNamed(name string) []Function {
	return slices.DeleteFunc(Functions(), func(f Function) bool {
		return !slices.ContainsFunc(f.names(), func(n string) bool { return strings.EqualFold(n, name) })
	})
}
