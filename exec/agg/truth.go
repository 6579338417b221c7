package agg

import (
	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/bitutil"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"streamsql/exec/state"
	"streamsql/exec/vec"
)

func init() {
	registerTruth(Function{
		Name: "BOOL_AND", Aliases: []string{"EVERY", "LOGICAL_AND"},
		Doc:     "Whether all values that are not NULL are TRUE.",
		Example: "SELECT BOOL_AND(x > 1) FROM (VALUES (1), (2), (NULL)) AS t (x)", ExampleResult: "FALSE",
	}, func(t truth) bool { return t.falses <= 0 })
	registerTruth(Function{
		Name: "BOOL_OR", Aliases: []string{"SOME", "LOGICAL_OR"},
		Doc:     "Whether one of the values that are not NULL is TRUE.",
		Example: "SELECT BOOL_OR(x > 1) FROM (VALUES (1), (2), (NULL)) AS t (x)", ExampleResult: "TRUE",
	}, func(t truth) bool { return t.trues > 0 })
	Register(Function{
		Name: "COUNT_IF", Aliases: []string{"COUNTIF"}, Signature: "COUNT_IF([DISTINCT] condition)",
		Doc:     "The number of rows in which the condition is TRUE.",
		Example: "SELECT COUNT_IF(x > 1) FROM (VALUES (1), (2), (3), (NULL)) AS t (x)", ExampleResult: "2",
		Resolve: func(args []arrow.DataType, _ Options) (Call, error) {
			return resolveTruth("COUNT_IF", args, Call{
				Result: bigint,
				New:    func(mem memory.Allocator) Accumulator { return &truthCount{truths{mem: mem}} },
			})
		},
	})
}

func registerTruth(f Function, test func(truth) bool) {
	f.Signature = f.Name + "(condition)"
	f.Idempotent = true
	f.Resolve = func(args []arrow.DataType, _ Options) (Call, error) {
		return resolveTruth(f.Name, args, Call{
			Result: boolean, Nullable: true,
			New: func(mem memory.Allocator) Accumulator { return &truths{mem: mem, test: test} },
		})
	}
	Register(f)
}

// resolveTruth completes the call of a function of one BOOLEAN.
func resolveTruth(name string, args []arrow.DataType, call Call) (Call, error) {
	if err := oneArg(name, args); err != nil {
		return Call{}, err
	}
	if args[0].ID() != arrow.BOOL {
		return Call{}, wrongType(name, "a BOOLEAN", args)
	}
	call.Args, call.StateTypes, call.Mergeable = args, []arrow.DataType{bigint, bigint}, true
	return call, nil
}

// truth is how many values of each kind there are.
type truth struct{ trues, falses int64 }

const falsesAt = 8

// truths counts the values of BOOLEANs. Its state columns are the numbers of TRUE and of FALSE.
type truths struct {
	mem  memory.Allocator
	test func(truth) bool
	selection
}

func (a *truths) Width() int { return 16 }

func (a *truths) Update(rows state.Rows, groups []uint32, in Input) error {
	sel, groups := a.notNull(in, groups)
	arg := in.Args[0].(*array.Boolean)
	for i, row := range a.all(sel, len(groups)) {
		t, sign := state.At[truth](rows, groups[i]), int64(signOf(in.Kinds, row))
		if arg.Value(int(row)) {
			t.trues += sign
		} else {
			t.falses += sign
		}
	}
	return nil
}

func (a *truths) Merge(rows state.Rows, groups []uint32, columns []arrow.Array) error {
	trues, falses := vec.Values[int64](columns[0]), vec.Values[int64](columns[1])
	for i, g := range groups {
		t := state.At[truth](rows, g)
		t.trues += trues[i]
		t.falses += falses[i]
	}
	return nil
}

func (a *truths) State(rows state.Rows, groups []uint32) ([]arrow.Array, error) {
	return []arrow.Array{
		column[int64](a.mem, bigint, rows, groups),
		column[int64](a.mem, bigint, rows.Field(falsesAt), groups),
	}, nil
}

func (a *truths) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	buf, bits := vec.NewBitmap(a.mem, len(groups))
	for i, g := range groups {
		bitutil.SetBitTo(bits, i, a.test(*state.At[truth](rows, g)))
	}
	valid, nulls := validity(a.mem, len(groups), func(i int) bool {
		t := state.At[truth](rows, groups[i])
		return t.trues+t.falses > 0
	})
	return vec.MakeArray(boolean, len(groups), nulls, valid, buf), nil
}

type truthCount struct{ truths }

func (a *truthCount) Result(rows state.Rows, groups []uint32) (arrow.Array, error) {
	return column[int64](a.mem, bigint, rows, groups), nil
}
