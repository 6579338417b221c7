package expr

import "github.com/apache/arrow/go/v17/arrow"

// lazy reports whether e is kept from rows that do not need it.
func lazy(e Expr, s Settings) bool {
	return contains(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Call:
			return e.overload.fails(e.T) || e.overload.Slow
		case *Cast:
			rule := castRule(e.X.Type(), e.To, s)
			return rule.fails || rule.slow
		}
		return false
	})
}

// logic evaluates the terms from left to right; a lazy one sees only the rows that those before it have not decided.
func (c *compiler) logic(e *Logic, guard int) (int, error) {
	op, kernel, undecided, compile := "and", Kernel(andKernel), guardNotFalse, c.term
	if e.Or {
		op, kernel, undecided, compile = "or", orKernel, guardNotTrue, c.single
	}
	acc, n, err := compile(e.Args, guard)
	if err != nil {
		return 0, err
	}
	for terms := e.Args[n:]; len(terms) > 0; terms = terms[n:] {
		reached := guard
		if lazy(terms[0], c.settings) {
			reached = c.guard(guard, acc, undecided)
		}
		var slot int
		if slot, n, err = compile(terms, reached); err != nil {
			return 0, err
		}
		acc = c.plain(op, e, Boolean, kernel, acc, slot)
	}
	return acc, nil
}

// single compiles the first of the terms of an OR.
func (c *compiler) single(terms []Expr, guard int) (slot, n int, err error) {
	slot, err = c.compile(terms[0], guard)
	return slot, 1, err
}

// caseOf evaluates all branches and chooses; a lazy part sees only the rows that come to it.
func (c *compiler) caseOf(e *Case, guard int) (int, error) {
	slots := make([]int, 0, 2*len(e.Whens)+1)
	rest := guard // the rows no condition so far was true for, as long as a lazy part needs them
	for i, w := range e.Whens {
		cond, err := c.compileLazy(w.Cond, guard, rest)
		if err != nil {
			return 0, err
		}
		taken := guard
		if lazy(w.Then, c.settings) {
			taken = c.guard(rest, cond, guardTrue)
		}
		then, err := c.compile(w.Then, taken)
		if err != nil {
			return 0, err
		}
		slots = append(slots, cond, then)
		if c.lazyAfter(e, i) {
			rest = c.guard(rest, cond, guardNotTrue)
		}
	}
	els, err := c.compileLazy(e.Else, guard, rest)
	if err != nil {
		return 0, err
	}
	return c.plain("case", e, e.Type(), chooseKernel(e.Type()), append(slots, els)...), nil
}

// lazyAfter reports whether a part behind the i-th branch is lazy.
func (c *compiler) lazyAfter(e *Case, i int) bool {
	for _, w := range e.Whens[i+1:] {
		if lazy(w.Cond, c.settings) || lazy(w.Then, c.settings) {
			return true
		}
	}
	return lazy(e.Else, c.settings)
}

// compileLazy compiles e for the rows of rest if it is lazy, else for those of guard.
func (c *compiler) compileLazy(e Expr, guard, rest int) (int, error) {
	if lazy(e, c.settings) {
		return c.compile(e, rest)
	}
	return c.compile(e, guard)
}

// plain adds a step that handles NULLs itself, for all rows.
func (c *compiler) plain(op any, e Expr, t arrow.DataType, kernel Kernel, args ...int) int {
	s := step{expr: e, t: t, args: args, guard: none}
	return c.step(op, nil, s, func() Kernel { return kernel })
}

// guardKind says which rows of a condition a guard keeps.
type guardKind string

const (
	guardTrue     guardKind = "rows where TRUE"
	guardNotTrue  guardKind = "rows where not TRUE"
	guardNotFalse guardKind = "rows where not FALSE"
)

// guard is the slot of the rows of parent that the condition in slot cond keeps.
func (c *compiler) guard(parent, cond int, kind guardKind) int {
	args := []int{cond}
	if parent != none {
		args = append(args, parent)
	}
	slot := c.plain(kind, nil, Boolean, guardKernel(kind), args...)
	c.parents[slot] = parent
	return slot
}
