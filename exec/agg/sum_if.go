package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
)

func init() {
	Register(Function{
		Name:      "SUM_IF",
		Aliases:   []string{"SUMIF"},
		Signature: "SUM_IF([DISTINCT] number, condition)",
		Doc:       "The SUM of the values that are not NULL in rows in which the condition is TRUE; NULL if there are none.",
		Example:   "SELECT SUM_IF(x, x > 1) FROM (VALUES (1), (2), (3), (NULL)) AS t (x)", ExampleResult: "5",
		Resolve: resolveSumIf,
	})
}

func resolveSumIf(args []arrow.DataType, opt Options) (Call, error) {
	const name = "SUM_IF"
	if err := argCount(name, 2, args); err != nil {
		return Call{}, err
	}
	if args[1].ID() != arrow.BOOL {
		return Call{}, wrongArg(name, 1, "a BOOLEAN", args)
	}
	call, err := resolveSum(args[:1], opt)
	if err != nil {
		return Call{}, wrongArg(name, 0, "a number", args)
	}
	newSum := call.New
	call.Args = args
	call.New = func(mem memory.Allocator) Accumulator { return &conditional{Accumulator: newSum(mem)} }
	return call, nil
}

// conditional passes the rows on whose last argument, a condition, is TRUE.
type conditional struct {
	Accumulator
	selection
}

func (a *conditional) Update(rows state.Rows, groups []uint32, in Input) error {
	last := len(in.Args) - 1
	condition := in.Args[last].(*array.Boolean)
	sel, groups := a.notNull(Input{Args: in.Args[last:], Rows: in.Rows, Sel: in.Sel}, groups)
	if condition.Len() > 0 {
		sel, groups = a.narrow(condition.Data().Buffers()[1].Bytes(), condition.Data().Offset(), sel, groups)
	}
	return a.Accumulator.Update(rows, groups, Input{Args: in.Args[:last], Rows: in.Rows, Sel: sel, Kinds: in.Kinds})
}
