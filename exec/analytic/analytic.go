// Package analytic holds the functions that have a meaning with OVER alone: which there are, what they take and what they give.
package analytic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// Function is a function over the rows around a row.
type Function struct {
	Name      string // in upper case
	Aliases   []string
	Signature string // how a call is written: LAG(value [, offset [, default]])
	Doc       string // one sentence
	Example   string // a call with OVER
	// Framed functions see the rows of the frame; the others see the partition.
	Framed bool
	// TreatsNulls is of functions that take IGNORE NULLS.
	TreatsNulls bool
	// Resolve chooses the call by the types of its arguments.
	Resolve func(args []arrow.DataType) (Call, error)
}

// Call is a resolved call.
type Call struct {
	Name     string
	Args     []arrow.DataType // the types the arguments are to be cast to
	Result   arrow.DataType
	Nullable bool // the result may be NULL
	// Constant are the arguments, by their index, that must be constants.
	Constant []int
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
			panic("function " + name + " with OVER registered twice")
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

var (
	bigint arrow.DataType = arrow.PrimitiveTypes.Int64
	double arrow.DataType = arrow.PrimitiveTypes.Float64
)

// takes checks the number of arguments.
func takes(name string, args []arrow.DataType, least, most int) error {
	n := len(args)
	switch {
	case n >= least && n <= most:
		return nil
	case most == 0:
		return fmt.Errorf("%s takes no arguments, got %d", name, n)
	case least == most:
		return fmt.Errorf("%s takes %s, got %d", name, arguments(least), n)
	}
	return fmt.Errorf("%s takes %d to %s, got %d", name, least, arguments(most), n)
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// isInteger tells whether values of the type are whole numbers.
func isInteger(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		return true
	}
	return false
}
