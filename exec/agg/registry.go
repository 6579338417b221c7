package agg

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// Function is an aggregate function: what the planner, SHOW FUNCTIONS and the documentation know of it.
type Function struct {
	Name          string // in upper case
	Aliases       []string
	Signature     string // how a call is written: SUM([DISTINCT] number)
	Doc           string // one sentence
	Example       string // a query, and
	ExampleResult string // the text of its value
	// Resolve chooses the call by the types of its arguments. opt.Distinct is left to the caller.
	Resolve func(args []arrow.DataType, opt Options) (Call, error)
	// Idempotent functions give the same result whether or not DISTINCT is said, like MIN.
	Idempotent bool
	// Sortable functions take ORDER BY inside their brackets, or WITHIN GROUP (ORDER BY …).
	Sortable bool
	// TreatsNulls is of functions that take RESPECT NULLS and IGNORE NULLS or, as they are written for JSON, NULL ON NULL and
	// ABSENT ON NULL.
	TreatsNulls bool
}

// Options is what else determines a call.
type Options struct {
	Distinct bool // equal arguments count once
	Retract  bool // the input carries retractions
	// Order is how the sort keys sort, which are the last arguments: ARRAY_AGG(x ORDER BY a, b DESC) is a call of the arguments
	// x, a, b, and so is PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) one of 0.5, x. With Distinct, sort keys are to be equal
	// to arguments before them.
	Order []SortKey
	Nulls NullTreatment
	// Zone is where a TIMESTAMP_LTZ has the wall clock that JSON shows; nil: UTC.
	Zone *time.Location
	// JSON is the arguments, by their index, that are JSON already and are to be part of JSON as they are.
	JSON []int
}

// SortKey is the direction of one sort key.
type SortKey struct {
	Descending bool
	NullsFirst bool
}

// NullTreatment tells whether rows count whose first argument, of JSON_OBJECTAGG the second, is NULL.
type NullTreatment uint8

const (
	NullsAsUsual NullTreatment = iota // each function has a treatment of its own
	RespectNulls                      // NULL ON NULL
	IgnoreNulls                       // ABSENT ON NULL
)

// Call is a resolved call.
type Call struct {
	Name       string
	Args       []arrow.DataType // the types the arguments are to be cast to
	Result     arrow.DataType
	Nullable   bool // the result may be NULL
	StateTypes []arrow.DataType
	// Parameters are the arguments, by their index, whose value has to be the same in every row of a group.
	Parameters []int
	// Mergeable calls may be accumulated in parts, each where its rows are, and the parts' states merged.
	Mergeable bool
	// Ordered calls depend on the order of their rows, or of rows whose sort keys are equal. Merging a state puts its rows behind
	// those that are there.
	Ordered bool
	New     func(mem memory.Allocator) Accumulator
}

// ArgumentError says that an argument of a call is of a wrong type.
type ArgumentError struct {
	Arg int // from 0
	Msg string
}

func (e *ArgumentError) Error() string { return e.Msg }

var (
	functions []*Function
	byName    = map[string]*Function{}
)

// Register adds a function; it is called by init functions. A name taken twice is a mistake of the program and panics.
func Register(f Function) {
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		if byName[name] != nil {
			panic("aggregate " + name + " registered twice")
		}
		byName[name] = &f
	}
	functions = append(functions, &f)
}

// Lookup finds a function by its name or an alias, in any case.
func Lookup(name string) (*Function, bool) {
	f, ok := byName[strings.ToUpper(name)]
	return f, ok
}

// Functions is every function, by name.
func Functions() []*Function {
	sorted := slices.Clone(functions)
	slices.SortFunc(sorted, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return sorted
}

// Names is the names and aliases of every function, sorted.
func Names() []string {
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Resolve resolves a call of the function of that name. Errors about an argument are *ArgumentError.
func Resolve(name string, args []arrow.DataType, opt Options) (Call, error) {
	f, ok := Lookup(name)
	if !ok {
		return Call{}, fmt.Errorf("unknown aggregate function %s", strings.ToUpper(name))
	}
	if err := f.check(args, opt); err != nil {
		return Call{}, err
	}
	distinct := opt.Distinct
	opt.Distinct = false
	call, err := f.Resolve(args, opt)
	if err != nil {
		return Call{}, err
	}
	call.Name = f.Name
	if distinct && !f.Idempotent {
		return distinctCall(call, opt)
	}
	return call, nil
}

// check refuses options that the function does not take.
func (f *Function) check(args []arrow.DataType, opt Options) error {
	switch {
	case len(opt.Order) > len(args):
		return fmt.Errorf("%s has %d sort keys and only %d arguments", f.Name, len(opt.Order), len(args))
	case len(opt.Order) > 0 && !f.Sortable:
		return fmt.Errorf("%s takes no ORDER BY: its result does not depend on an order", f.Name)
	case opt.Nulls != NullsAsUsual && !f.TreatsNulls:
		return fmt.Errorf("%s takes neither RESPECT NULLS nor IGNORE NULLS", f.Name)
	}
	return nil
}
