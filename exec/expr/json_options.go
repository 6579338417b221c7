package expr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// JSONOptions is what stands behind the arguments of a JSON function. The zero value is a call without them.
type JSONOptions struct {
	Returning arrow.DataType // RETURNING type; nil is STRING
	Wrapper   string         // of JSON_QUERY: WITHOUT, WITH CONDITIONAL or WITH UNCONDITIONAL, and ARRAY WRAPPER; "" is the first
	OnEmpty   JSONBehavior
	OnError   JSONBehavior
	OnNull    string // of JSON_OBJECT and JSON_ARRAY: NULL ON NULL or ABSENT ON NULL; "" is the function's usual
}

// JSONBehavior is what a JSON function gives where there is nothing, or an error: NULL, ERROR, DEFAULT with an expression,
// EMPTY ARRAY, EMPTY OBJECT, TRUE, FALSE or UNKNOWN. The empty Kind is the function's usual, NULL or FALSE.
type JSONBehavior struct {
	Kind    string
	Default Expr
}

// NewJSONCall is a call of JSON_VALUE, JSON_QUERY, JSON_EXISTS, JSON_OBJECT or JSON_ARRAY with options. Errors are as those of
// NewCall; options the function does not take are an *ArgumentError for the call as a whole.
func NewJSONCall(name string, args []Expr, o JSONOptions, s Settings) (Expr, error) {
	name = strings.ToUpper(name)
	if err := o.check(name); err != nil {
		return nil, err
	}
	args = args[:len(args):len(args)]
	switch {
	case o == JSONOptions{}:
	case name == "JSON_VALUE":
		args = append(args, NewNull(orString(o.Returning)), o.OnEmpty.symbol("NULL"), o.OnEmpty.value(), o.OnError.symbol("NULL"), o.OnError.value())
	case name == "JSON_QUERY":
		args = append(args, NewNull(orString(o.Returning)), NewSymbol(orElse(o.Wrapper, withoutWrapper)), o.OnEmpty.symbol("NULL"), o.OnError.symbol("NULL"))
	case name == "JSON_EXISTS":
		args = append(args, o.OnError.symbol("FALSE"))
	case o.OnNull != "":
		e, err := NewCall(name, append([]Expr{NewSymbol(o.OnNull)}, args...), s)
		var argument *ArgumentError
		if errors.As(err, &argument) && argument.Arg > 0 {
			return nil, &ArgumentError{Arg: argument.Arg - 1, Msg: argument.Msg}
		}
		return e, err
	}
	return NewCall(name, args, s)
}

func orString(t arrow.DataType) arrow.DataType {
	if t == nil {
		return String
	}
	return t
}

func orElse(word, otherwise string) string {
	if word == "" {
		return otherwise
	}
	return word
}

func (b JSONBehavior) symbol(otherwise string) Expr { return NewSymbol(orElse(b.Kind, otherwise)) }

func (b JSONBehavior) value() Expr {
	if b.Default == nil {
		return NewNull(Unknown)
	}
	return b.Default
}

// jsonOptionsOf are the options each function takes, and its behaviors.
var jsonOptionsOf = map[string]struct {
	returning, wrapper, nulls bool
	onEmpty, onError          string
}{
	"JSON_VALUE":  {returning: true, onEmpty: "NULL, ERROR, DEFAULT", onError: "NULL, ERROR, DEFAULT"},
	"JSON_QUERY":  {returning: true, wrapper: true, onEmpty: "NULL, ERROR, EMPTY ARRAY, EMPTY OBJECT", onError: "NULL, ERROR, EMPTY ARRAY, EMPTY OBJECT"},
	"JSON_EXISTS": {onError: "TRUE, FALSE, UNKNOWN, ERROR"},
	"JSON_OBJECT": {nulls: true},
	"JSON_ARRAY":  {nulls: true},
}

func (o JSONOptions) check(name string) error {
	takes := jsonOptionsOf[name]
	wrong := ""
	switch {
	case o.Returning != nil && !takes.returning:
		wrong = "RETURNING"
	case o.Wrapper != "" && !takes.wrapper:
		wrong = o.Wrapper
	case o.OnNull != "" && !takes.nulls:
		wrong = o.OnNull
	case !o.OnEmpty.among(takes.onEmpty):
		wrong = o.OnEmpty.Kind + " ON EMPTY"
	case !o.OnError.among(takes.onError):
		wrong = o.OnError.Kind + " ON ERROR"
	}
	if wrong == "" {
		return nil
	}
	return &ArgumentError{Arg: -1, Msg: fmt.Sprintf("%s takes no %s", name, wrong)}
}

func (b JSONBehavior) among(kinds string) bool {
	if b.Kind == "" {
		return true
	}
	for _, kind := range strings.Split(kinds, ", ") {
		if kind == b.Kind {
			return true
		}
	}
	return false
}
