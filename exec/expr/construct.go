package expr

import (
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
)

// NewCast is CAST(x AS to), or TRY_CAST with try. A pair of types that no value converts between is an *ArgumentError.
func NewCast(x Expr, to arrow.DataType, try bool, s Settings) (Expr, error) {
	from := x.Type()
	if arrow.TypeEqual(from, to) {
		return x, nil
	}
	if isNull(x) {
		return NewNull(to), nil
	}
	if !canCast(from, to) {
		return nil, &ArgumentError{Arg: 0, Msg: fmt.Sprintf("cannot cast %s to %s", TypeName(from), TypeName(to))}
	}
	return fold(&Cast{X: x, To: to, Try: try}, s), nil
}

// NewCase is CASE [operand] WHEN … THEN … [ELSE …] END. With an operand each Cond is a value it is compared with. els may be nil.
// An *ArgumentError counts: the operand as -1, the conditions and results in turn from 0, els last.
func NewCase(operand Expr, whens []When, els Expr, s Settings) (Expr, error) {
	if els == nil {
		els = NewNull(Unknown)
	}
	c := &Case{Whens: make([]When, len(whens)), Else: els}
	results := make([]Expr, 0, len(whens)+1)
	for i, w := range whens {
		cond, err := caseCondition(operand, w.Cond, s)
		if err != nil {
			return nil, &ArgumentError{Arg: 2 * i, Msg: err.Error()}
		}
		c.Whens[i].Cond = cond
		results = append(results, w.Then)
	}
	results = append(results, els)
	t, misfit, ok := CommonTypeOf(results)
	if !ok {
		first, _, _ := CommonTypeOf(results[:misfit])
		return nil, &ArgumentError{Arg: resultArg(misfit, len(whens)), Msg: fmt.Sprintf(
			"the results of CASE are %s and %s; CAST one of them", TypeName(first), TypeName(results[misfit].Type()))}
	}
	for i, r := range results {
		r, err := Coerce(r, t, s)
		if err != nil {
			return nil, &ArgumentError{Arg: resultArg(i, len(whens)), Msg: err.Error()}
		}
		if i < len(whens) {
			c.Whens[i].Then = r
		} else {
			c.Else = r
		}
	}
	return foldCase(c), nil
}

// resultArg is the position of the i-th result among conditions and results.
func resultArg(i, whens int) int {
	if i == whens {
		return 2 * i
	}
	return 2*i + 1
}

func caseCondition(operand, cond Expr, s Settings) (Expr, error) {
	if operand != nil {
		return NewCall("=", []Expr{operand, cond}, s)
	}
	return asCondition(cond, "WHEN")
}

// asCondition checks that e is a BOOLEAN.
func asCondition(e Expr, place string) (Expr, error) {
	switch {
	case e.Type().ID() == arrow.BOOL:
		return e, nil
	case isNull(e):
		return NewNull(Boolean), nil
	}
	return nil, &ArgumentError{Arg: 0, Msg: fmt.Sprintf("%s takes a BOOLEAN, got %s", place, TypeName(e.Type()))}
}

// And is the conjunction of the terms; without terms it is TRUE.
func And(terms ...Expr) (Expr, error) { return logic(false, "AND", terms) }

// Or is the disjunction of the terms; without terms it is FALSE.
func Or(terms ...Expr) (Expr, error) { return logic(true, "OR", terms) }

// Not is NOT x.
func Not(x Expr, s Settings) (Expr, error) { return NewCall("NOT", []Expr{x}, s) }

// logic flattens nested terms of the same kind and drops those that do not matter.
func logic(or bool, word string, terms []Expr) (Expr, error) {
	var flat []Expr
	hasNull := false
	for i, t := range terms {
		t, err := asCondition(t, word)
		if err != nil {
			return nil, &ArgumentError{Arg: i, Msg: err.(*ArgumentError).Msg}
		}
		if l, ok := t.(*Logic); ok && l.Or == or {
			flat = append(flat, l.Args...)
			continue
		}
		l, ok := t.(*Literal)
		switch {
		case !ok:
			flat = append(flat, t)
		case l.V == nil && hasNull, l.V == !or: // a second NULL, or one that decides nothing
		case l.V == or && !anyFails(flat):
			return l, nil
		default:
			flat = append(flat, t)
			hasNull = hasNull || l.V == nil
		}
	}
	switch len(flat) {
	case 0:
		return NewBool(!or), nil
	case 1:
		return flat[0], nil
	}
	return &Logic{Or: or, Args: flat}, nil
}

func anyFails(terms []Expr) bool {
	for _, t := range terms {
		if CanFail(t) {
			return true
		}
	}
	return false
}

// Conjuncts lists the terms of a conjunction, or e alone.
func Conjuncts(e Expr) []Expr {
	if l, ok := e.(*Logic); ok && !l.Or {
		return l.Args
	}
	return []Expr{e}
}
