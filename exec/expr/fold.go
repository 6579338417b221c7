package expr

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/vec"
)

// fold replaces an expression over literals by its value, and a call that a NULL argument makes NULL by NULL. What cannot be
// computed stays as it is, to fail when a row comes to it.
func fold(e Expr, s Settings) Expr {
	parts := children(e)
	if c, ok := e.(*Call); ok {
		if v := foldCall(c, s); v != nil {
			return v
		}
	}
	for _, p := range parts {
		if _, ok := p.(*Literal); !ok {
			return e
		}
	}
	if !IsDeterministic(e) {
		return e
	}
	if c, ok := e.(*Call); ok && c.overload.Unfolded {
		return e
	}
	if v, err := Evaluate(e, s); err == nil && v.values() <= mostFolded {
		return v
	}
	return e
}

// mostFolded is the largest number of values in an ARRAY, MAP or ROW that is kept as a literal.
const mostFolded = 100

// values counts the values in the literal, those inside of nested ones too.
func (e *Literal) values() int {
	arr, ok := e.V.(arrow.Array)
	if !ok {
		return 1
	}
	return leaves(arr.Data())
}

func leaves(data arrow.ArrayData) int {
	if len(data.Children()) == 0 {
		return data.Len()
	}
	n := 0
	for _, c := range data.Children() {
		n += leaves(c)
	}
	return n
}

// foldCall finds the value of a call that does not depend on all of its arguments; nil if there is none.
func foldCall(c *Call, s Settings) Expr {
	switch o := c.overload; {
	case hasNull(c.Args[:o.strict(len(c.Args))]):
		return NewNull(c.T)
	case o.Expand != nil:
		if e, err := o.Expand(c.Args, s); err == nil {
			if l, ok := e.(*Literal); ok {
				return l
			}
		}
	}
	return nil
}

func hasNull(parts []Expr) bool {
	for _, p := range parts {
		if isNull(p) {
			return true
		}
	}
	return false
}

// Evaluate computes an expression that uses no columns, such as an option or a value of VALUES.
func Evaluate(e Expr, s Settings) (*Literal, error) {
	s.EvalErrors = Fail
	p, err := Compile(memory.DefaultAllocator, []Expr{e}, s)
	if err != nil {
		return nil, err
	}
	out, err := p.Eval(vec.Batch{Rows: 1})
	if err != nil {
		return nil, err
	}
	v, ok := literalAt(out[0], 0)
	if !ok {
		return nil, &ArgumentError{Arg: -1, Msg: "there are no literals of type " + TypeName(e.Type())}
	}
	v.T = e.Type()
	return v, nil
}

// foldCast converts a literal.
func foldCast(l *Literal, t arrow.DataType, s Settings) (*Literal, error) {
	if !canCast(l.T, t) {
		return nil, &ArgumentError{Arg: 0, Msg: "cannot cast " + TypeName(l.T) + " to " + TypeName(t)}
	}
	return Evaluate(&Cast{X: l, To: t}, s)
}

// foldCase drops the branches that are never taken, and those behind one that always is.
func foldCase(c *Case) Expr {
	kept := &Case{Else: c.Else}
	for _, w := range c.Whens {
		cond, ok := w.Cond.(*Literal)
		switch {
		case !ok:
			kept.Whens = append(kept.Whens, w)
		case cond.V == true:
			kept.Else = w.Then
			return foldCaseRest(kept)
		}
	}
	return foldCaseRest(kept)
}

func foldCaseRest(c *Case) Expr {
	if len(c.Whens) == 0 {
		return c.Else
	}
	return c
}
