package expr

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Compile makes the program of the expressions; the arrays it returns are allocated from mem.
//
// Equal subexpressions become one step. A branch of CASE, AND or OR that may fail, or is slow, gets a guard: a bitmap of the
// rows that reach it. The kernels of the branch run over the whole batch, but look at, and fail for, rows of the guard only, so
// nothing is gathered before a branch or scattered behind it; a branch no row reaches is left out.
func Compile(mem memory.Allocator, exprs []Expr, s Settings) (*Program, error) {
	c := compiler{
		p: &Program{mem: mem}, settings: s, memo: map[stepKey]int{}, parents: map[int]int{}, columns: map[int]int{},
		expander: expander{settings: s, done: map[Expr]Expr{}},
	}
	c.p.frame.settings = s
	for _, e := range exprs {
		if err := c.result(e); err != nil {
			return nil, err
		}
	}
	c.findLastUses()
	return c.p, nil
}

type compiler struct {
	p        *Program
	settings Settings
	memo     map[stepKey]int
	parents  map[int]int // of a guard: the guard around it
	columns  map[int]int // column index to its place in Program.columns
	expander expander
}

// stepKey identifies what a step computes.
type stepKey struct {
	op    any
	t     string
	args  string // slots and types
	guard int
}

func (c *compiler) result(e Expr) error {
	e, err := c.expander.expand(e)
	if err != nil {
		return err
	}
	slot, err := c.compile(e, none)
	if err != nil {
		return err
	}
	r := result{expr: e, t: e.Type(), slot: slot, column: -1}
	if col, ok := e.(*Column); ok {
		r.column = c.columns[col.Index]
	}
	c.p.results = append(c.p.results, r)
	return nil
}

// compile returns the slot that has the values of e, at least for the rows of the guard.
func (c *compiler) compile(e Expr, guard int) (int, error) {
	switch e := e.(type) {
	case *Column:
		return c.column(e), nil
	case *Literal:
		return c.literal(e), nil
	case *Call:
		return c.call(e, guard)
	case *Cast:
		return c.cast(e, guard)
	case *Logic:
		return c.logic(e, guard)
	case *Case:
		return c.caseOf(e, guard)
	}
	return 0, fmt.Errorf("cannot compile %s", e)
}

func (c *compiler) slot(isFixed bool) int {
	c.p.slots = append(c.p.slots, Vector{})
	c.p.fixed = append(c.p.fixed, isFixed)
	return len(c.p.slots) - 1
}

func (c *compiler) column(e *Column) int {
	i, ok := c.columns[e.Index]
	if !ok {
		i = len(c.p.columns)
		c.columns[e.Index] = i
		c.p.columns = append(c.p.columns, loadedColumn{index: e.Index, slot: c.slot(false)})
	}
	return c.p.columns[i].slot
}

func (c *compiler) literal(e *Literal) int {
	key := stepKey{op: "literal", t: literalKey(e), guard: none}
	if slot, ok := c.memo[key]; ok {
		return slot
	}
	slot := c.slot(true)
	c.p.slots[slot].setLiteral(&c.p.pool, e)
	c.memo[key] = slot
	return slot
}

func (c *compiler) call(e *Call, guard int) (int, error) {
	if e.Fn.Stateful {
		return 0, fmt.Errorf("%s looks at earlier rows, which nothing here keeps: it is not executable yet", e)
	}
	o, exprs := e.overload, e.Args
	if o.Listed {
		exprs = exprs[:1]
	}
	args, err := c.compileAll(exprs, guard)
	if err != nil {
		return 0, err
	}
	s := step{expr: e, t: e.T, args: args, guard: none, strict: o.strict(len(args)), volatile: e.Fn.Volatile}
	if o.fails(e.T) || o.Slow {
		s.guard = guard
	}
	var op any = o
	switch {
	case e.Fn.Volatile:
		op = e
	case o.Listed:
		op = e.String()
	}
	return c.step(op, typesOf(e.Args), s, func() Kernel {
		return o.Compile(&Site{Args: e.Args, Result: e.T, Settings: c.settings})
	}), nil
}

func (c *compiler) compileAll(exprs []Expr, guard int) ([]int, error) {
	slots := make([]int, len(exprs))
	for i, e := range exprs {
		var err error
		if slots[i], err = c.compile(e, guard); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

func (c *compiler) cast(e *Cast, guard int) (int, error) {
	x, err := c.compile(e.X, guard)
	if err != nil {
		return 0, err
	}
	rule := castRule(e.X.Type(), e.To, c.settings)
	if rule.kernel == nil {
		return x, nil
	}
	s := step{expr: e, t: e.To, args: []int{x}, guard: none, strict: 1, try: e.Try}
	if rule.fails || rule.slow {
		s.guard = guard
	}
	op := "cast"
	if e.Try {
		op = "try_cast"
	}
	return c.step(op, []arrow.DataType{e.X.Type()}, s, func() Kernel { return rule.kernel }), nil
}

// step adds the step, unless one computes the same already, for the same rows or more.
func (c *compiler) step(op any, types []arrow.DataType, s step, kernel func() Kernel) int {
	key := stepKey{op: op, t: TypeName(s.t), args: argsKey(s.args, types), guard: s.guard}
	for {
		if slot, ok := c.memo[key]; ok {
			return slot
		}
		if key.guard == none {
			break
		}
		key.guard = c.parents[key.guard]
	}
	key.guard = s.guard
	s.out, s.kernel = c.slot(false), kernel()
	c.memo[key] = s.out
	c.p.steps = append(c.p.steps, s)
	return s.out
}

func argsKey(args []int, types []arrow.DataType) string {
	var key []byte
	for i, a := range args {
		key = fmt.Append(key, a, " ")
		if i < len(types) {
			key = append(key, TypeName(types[i])...)
		}
	}
	return string(key)
}

// findLastUses tells each step which slots die with it, and which steps make results.
func (c *compiler) findLastUses() {
	p := c.p
	last := make([]int, len(p.slots))
	for i := range last {
		last[i] = none
	}
	for i, s := range p.steps {
		last[s.out] = i
		for _, a := range append(slices.Clone(s.args), s.guard) {
			if a != none {
				last[a] = i
			}
		}
	}
	for _, r := range p.results {
		if r.column < 0 {
			last[r.slot] = len(p.steps)
		}
	}
	for slot, i := range last {
		if i >= 0 && i < len(p.steps) && !p.fixed[slot] {
			p.steps[i].dead = append(p.steps[i].dead, slot)
		}
	}
	for i := range p.steps {
		p.steps[i].result = last[p.steps[i].out] == len(p.steps)
	}
	for i := range p.columns {
		p.columns[i].dead = last[p.columns[i].slot] == none
	}
}

// expander replaces calls that are defined by simpler expressions.
type expander struct {
	settings Settings
	done     map[Expr]Expr // so that an argument used twice stays one expression
}

func (x *expander) expand(e Expr) (Expr, error) {
	if to, ok := x.done[e]; ok {
		return to, nil
	}
	old := children(e)
	parts := make([]Expr, len(old))
	for i, child := range old {
		var err error
		if parts[i], err = x.expand(child); err != nil {
			return nil, err
		}
	}
	to := e
	if !slices.Equal(old, parts) {
		to = withChildren(e, parts)
	}
	if call, ok := to.(*Call); ok && call.overload.Expand != nil {
		simpler, err := call.overload.Expand(call.Args, x.settings)
		if err != nil {
			return nil, err
		}
		if to, err = x.expand(simpler); err != nil {
			return nil, err
		}
	}
	x.done[e] = to
	return to, nil
}
