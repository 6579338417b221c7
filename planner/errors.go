package planner

import (
	"errors"
	"fmt"

	"streamsql/catalog"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// place is a part of a text that a message can point at.
type place struct {
	script catalog.Script
	span   parser.Span
}

func (p place) error(msg string, hints ...string) error {
	var given []string
	for _, h := range hints {
		if h != "" {
			given = append(given, h)
		}
	}
	return parser.ErrorAt(p.script.Name, p.script.Text, p.span, msg, given...)
}

// at is the place of a tree of the text being bound.
func (b *binder) at(n parser.Node) place { return place{b.script, n.At()} }

// errorf is an error about a tree of the text being bound.
func (b *binder) errorf(n parser.Node, format string, args ...any) error {
	return b.at(n).error(fmt.Sprintf(format, args...))
}

// notYet is the error about what can be planned and has no operator.
func (p place) notYet(what string) error { return p.error(what + " cannot be executed yet") }

// misfit places an error of the expression package: about an argument, or about the whole.
func (b *binder) misfit(whole parser.Node, args []parser.Node, err error) error {
	var argument *expr.ArgumentError
	if errors.As(err, &argument) && argument.Arg >= 0 && argument.Arg < len(args) {
		return b.at(args[argument.Arg]).error(argument.Msg)
	}
	return b.at(whole).error(err.Error())
}

// missing places an error of the catalog.
func (b *binder) missing(n parser.Node, err error) error {
	var none *catalog.NotFoundError
	if errors.As(err, &none) {
		return b.at(n).error(none.Error(), none.Hint)
	}
	return b.at(n).error(err.Error())
}
