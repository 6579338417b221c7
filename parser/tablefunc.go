package parser

import (
	"fmt"
	"strings"
)

// windowFunc is the shape of a window table function: the names of its arguments in order, of which
// the last one may be left out if offset is set.
type windowFunc struct {
	args   []string
	offset bool
}

// windowFuncs are the window table functions.
var windowFuncs = map[string]windowFunc{
	"TUMBLE":   {[]string{"DATA", "TIMECOL", "SIZE", "OFFSET"}, true},
	"HOP":      {[]string{"DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"}, true},
	"CUMULATE": {[]string{"DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"}, true},
	"SESSION":  {[]string{"DATA", "TIMECOL", "GAP"}, false},
}

// tableCall reads the arguments of a table function whose name starts at token lo.
func (p *parser) tableCall(lo int, name Name) *Call {
	c := &Call{Name: name}
	args := p.pos + 1
	p.brackets("(", func() {
		if p.done() {
			return
		}
		p.commas(func() { c.Args = append(c.Args, p.tableFuncArg()) })
	})
	if p.err == nil {
		c.Span = p.spanFrom(lo)
		p.checkWindowFunc(c, lo, args)
	}
	return c
}

// tableFuncArg reads one argument of a table function: [name =>] TABLE t, DESCRIPTOR(c), a query or
// an expression.
func (p *parser) tableFuncArg() Arg {
	lo := p.pos
	var a Arg
	if t := p.tok(0); t.isName() && p.isAt(1, "=>") {
		name := p.identOf(t)
		a.Name = &name
		p.pos += 2
	}
	comma := p.find(func(i int) bool { return p.toks[i].word == "," })
	switch {
	case p.is("TABLE"):
		a.X = p.tableArg()
	case p.is("DESCRIPTOR") && p.isAt(1, "("):
		a.X = p.descriptor()
	case p.is("(") && p.holdsQuery(p.pos) && int(p.pairs[p.pos])+1 == comma:
		start := p.pos
		q := p.subquery()
		a.X = &TableArg{Span: p.spanFrom(start), Query: q}
	default:
		a.X = p.exprTo(comma)
	}
	a.Span = p.spanFrom(lo)
	return a
}

// tableArg reads TABLE t [PARTITION BY …] [ORDER BY …]; the name and the keys may be in brackets.
func (p *parser) tableArg() *TableArg {
	lo := p.pos
	p.pos++
	a := &TableArg{}
	if p.is("(") && p.holdsQuery(p.pos) {
		a.Query = p.subquery()
	} else {
		name := p.qualified()
		a.Table = &name
	}
	if p.accept("PARTITION BY") {
		a.PartitionBy = p.partitionKeys()
	}
	if p.accept("ORDER BY") {
		a.OrderBy = p.sortKeys()
	}
	a.Span = p.spanFrom(lo)
	return a
}

// partitionKeys reads k, or (k, l): commas outside of brackets end the argument.
func (p *parser) partitionKeys() []Expr {
	if p.is("(") && !p.holdsQuery(p.pos) {
		var keys []Expr
		p.brackets("(", func() { keys = p.exprsTo(p.end) })
		return keys
	}
	return []Expr{p.exprTo(p.find(func(i int) bool { return p.toks[i].word == "," || p.toks[i].word == "ORDER" }))}
}

// sortKeys reads k DESC, or (k, l DESC).
func (p *parser) sortKeys() []Order {
	if p.is("(") && !p.holdsQuery(p.pos) {
		var keys []Order
		p.brackets("(", func() { keys = p.orders(p.end) })
		return keys
	}
	return []Order{p.order()}
}

// descriptor reads DESCRIPTOR(a, b).
func (p *parser) descriptor() *Descriptor {
	lo := p.pos
	p.pos++
	d := &Descriptor{Columns: p.identList()}
	d.Span = p.spanFrom(lo)
	return d
}

// checkWindowFunc checks the shape of a window function, whose name is at token lo and whose
// first argument is at token args.
func (p *parser) checkWindowFunc(c *Call, lo, args int) {
	name := upper(c.Name.Last().Name)
	shape, ok := windowFuncs[name]
	if !ok || len(c.Name.Parts) != 1 {
		return
	}
	if n := len(c.Args); n > len(shape.args) || n < shape.least() {
		p.failSpan(lo, p.pos, fmt.Sprintf("%s takes %s, found %d", name, shape.count(), n),
			"write "+shape.example(name))
		return
	}
	for i, a := range c.Args {
		p.checkWindowArg(name, shape, i, a, args)
	}
}

// checkWindowArg checks one argument of a window function.
func (p *parser) checkWindowArg(name string, shape windowFunc, i int, a Arg, args int) {
	place := i
	if a.Name != nil {
		if place = indexFold(shape.args, a.Name.Name); place < 0 {
			hint := "its arguments are " + strings.Join(shape.args, ", ")
			if near := Nearest(a.Name.Name, shape.args); near != "" {
				hint = "did you mean " + near + "?"
			}
			p.failArg(a.Name.Span, args, fmt.Sprintf("%s has no argument '%s'", name, a.Name.Name), hint)
			return
		}
	}
	_, isTable := a.X.(*TableArg)
	_, isDescriptor := a.X.(*Descriptor)
	switch {
	case place == 0 && !isTable:
		p.failArg(a.X.At(), args, "the first argument of "+name+" must be TABLE name or a query in brackets", tableHint(a.X)...)
	case place == 1 && !isDescriptor:
		p.failArg(a.X.At(), args, "the second argument of "+name+" must be DESCRIPTOR(column), the time of the rows", descriptorHint(a.X)...)
	}
}

// failArg reports an error at the token where a span starts, looking from the token lo on.
func (p *parser) failArg(span Span, lo int, msg string, hints ...string) {
	for lo < p.pos && p.toks[lo].lo < span.Lo {
		lo++
	}
	p.failAt(lo, msg, hints...)
	p.err.Span = span
}

// tableHint is how to pass a table that was given without TABLE.
func tableHint(x Expr) []string {
	if c, ok := x.(*ColumnRef); ok {
		return []string{"write TABLE " + c.Name.String()}
	}
	return nil
}

// descriptorHint is how to pass a column that was given without DESCRIPTOR.
func descriptorHint(x Expr) []string {
	if c, ok := x.(*ColumnRef); ok {
		return []string{"write DESCRIPTOR(" + c.Name.Last().String() + ")"}
	}
	return nil
}

// least is the smallest number of arguments.
func (f windowFunc) least() int {
	if f.offset {
		return len(f.args) - 1
	}
	return len(f.args)
}

// count says how many arguments the function takes.
func (f windowFunc) count() string {
	if f.offset {
		return fmt.Sprintf("%d or %d arguments", len(f.args)-1, len(f.args))
	}
	return fmt.Sprintf("%d arguments", len(f.args))
}

// example shows a call of the function.
func (f windowFunc) example(name string) string {
	args := []string{"TABLE t", "DESCRIPTOR(ts)"}
	for i, unit := range []string{"INTERVAL '5' MINUTE", "INTERVAL '10' MINUTE"} {
		if i+2 < f.least() {
			args = append(args, unit)
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// indexFold finds a word in a list regardless of case, or returns -1.
func indexFold(list []string, word string) int {
	for i, w := range list {
		if strings.EqualFold(w, word) {
			return i
		}
	}
	return -1
}

// upper is strings.ToUpper for names of functions and hints.
func upper(s string) string { return strings.ToUpper(s) }
