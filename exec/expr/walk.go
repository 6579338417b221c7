package expr

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

// children lists the direct subexpressions of e.
func children(e Expr) []Expr {
	switch e := e.(type) {
	case *Call:
		return e.Args
	case *Cast:
		return []Expr{e.X}
	case *Logic:
		return e.Args
	case *Case:
		parts := make([]Expr, 0, 2*len(e.Whens)+1)
		for _, w := range e.Whens {
			parts = append(parts, w.Cond, w.Then)
		}
		return append(parts, e.Else)
	}
	return nil
}

// withChildren is e with other subexpressions of the same types.
func withChildren(e Expr, parts []Expr) Expr {
	switch e := e.(type) {
	case *Call:
		c := *e
		c.Args = parts
		c.Null = c.overload.nullable(parts)
		return &c
	case *Cast:
		return &Cast{X: parts[0], To: e.To, Try: e.Try}
	case *Logic:
		return &Logic{Or: e.Or, Args: parts}
	case *Case:
		c := &Case{Whens: make([]When, len(e.Whens)), Else: parts[len(parts)-1]}
		for i := range c.Whens {
			c.Whens[i] = When{Cond: parts[2*i], Then: parts[2*i+1]}
		}
		return c
	}
	return e
}

// Walk calls visit for e and its subexpressions, parents first; below an expression for which visit returns false it does not go.
func Walk(e Expr, visit func(Expr) bool) {
	if !visit(e) {
		return
	}
	for _, c := range children(e) {
		Walk(c, visit)
	}
}

// Rewrite replaces each subexpression, children first, by what f returns for it; f must keep the type. What does not change is
// shared with e.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	return f(mapChildren(e, func(c Expr) Expr { return Rewrite(c, f) }))
}

// Replace puts what f returns in place of the subexpressions for which it returns something, of the same type. It does not go below
// those, so that the largest ones are replaced. What does not change is shared with e.
func Replace(e Expr, f func(Expr) Expr) Expr {
	if r := f(e); r != nil {
		return r
	}
	return mapChildren(e, func(c Expr) Expr { return Replace(c, f) })
}

func mapChildren(e Expr, f func(Expr) Expr) Expr {
	old := children(e)
	parts := make([]Expr, len(old))
	for i, c := range old {
		parts[i] = f(c)
	}
	if slices.Equal(old, parts) {
		return e
	}
	return withChildren(e, parts)
}

// Columns lists the indexes of the columns that the expressions use, ascending, each once.
func Columns(exprs ...Expr) []int {
	var used []int
	for _, e := range exprs {
		Walk(e, func(e Expr) bool {
			if c, ok := e.(*Column); ok {
				used = append(used, c.Index)
			}
			return true
		})
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// Remap is e with each column's index i replaced by to[i]; to must hold every column used.
func Remap(e Expr, to map[int]int) Expr {
	return Rewrite(e, func(e Expr) Expr {
		c, ok := e.(*Column)
		if !ok || to[c.Index] == c.Index {
			return e
		}
		moved := *c
		moved.Index = to[c.Index]
		return &moved
	})
}

// Equal reports whether the expressions are the same: of the same shape over the same columns. Names of columns do not matter.
// A volatile expression, such as RAND(), equals only itself.
func Equal(a, b Expr) bool {
	if a == b {
		return true
	}
	if !arrow.TypeEqual(a.Type(), b.Type()) || !sameNode(a, b) {
		return false
	}
	return slices.EqualFunc(children(a), children(b), Equal)
}

// sameNode compares the expressions without their children.
func sameNode(a, b Expr) bool {
	switch a := a.(type) {
	case *Column:
		b, ok := b.(*Column)
		return ok && a.Index == b.Index
	case *Literal:
		b, ok := b.(*Literal)
		return ok && literalKey(a) == literalKey(b)
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Fn == b.Fn && a.overload == b.overload && !a.Fn.Volatile
	case *Cast:
		b, ok := b.(*Cast)
		return ok && a.Try == b.Try
	case *Case:
		_, ok := b.(*Case)
		return ok
	case *Logic:
		b, ok := b.(*Logic)
		return ok && a.Or == b.Or
	}
	return false
}

// IsConstant reports whether e has no columns and gives the same value whenever it is evaluated.
func IsConstant(e Expr) bool { return len(Columns(e)) == 0 && IsDeterministic(e) }

// IsDeterministic reports whether e gives the same value for the same row whenever it is evaluated.
func IsDeterministic(e Expr) bool {
	return !contains(e, func(e Expr) bool {
		c, ok := e.(*Call)
		return ok && (c.Fn.Volatile || c.Fn.Stateful || c.Fn.PerBatch || c.overload.PerBatch)
	})
}

// CanFail reports whether evaluating e may end in an *EvalError.
func CanFail(e Expr) bool {
	return contains(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Call:
			return e.overload.fails(e.T)
		case *Cast:
			return !e.Try && castFails(e.X.Type(), e.To)
		}
		return false
	})
}

// contains reports whether is holds for e or a subexpression.
func contains(e Expr, is func(Expr) bool) bool {
	found := false
	Walk(e, func(e Expr) bool {
		found = found || is(e)
		return !found
	})
	return found
}
