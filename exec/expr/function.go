package expr

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/suggest"
)

// Function is a scalar function or operator: what SHOW FUNCTIONS, the documentation, overload resolution and the compiler know
// of it.
type Function struct {
	Name          string // in upper case; operators as they are written
	Aliases       []string
	Category      string // the group it is documented in
	Doc           string // one sentence
	Example       string // an expression, and
	ExampleResult string // the text of its value
	Overloads     []Overload
	// PerBatch marks functions of the moment, such as NOW(): one value for all rows of a batch.
	PerBatch bool
	// Volatile marks functions that give each row another value, such as RAND().
	Volatile bool

	form     form                     // how a call is written if not as NAME(args)
	notForm  form                     // how NOT of a call is written if not as NOT and the call
	mismatch func(args []Expr) string // the message for arguments no overload takes, if not the usual
}

// Overload is one way to call a function.
type Overload struct {
	Params   []Param
	Optional int  // how many of the last parameters may be left out
	Variadic bool // the last parameter may be repeated
	// Convert gives the types the arguments are converted to; nil leaves it to each Param.
	Convert func(args []arrow.DataType) []arrow.DataType
	// Compares brings the arguments to one type by the rules of comparisons, in which a literal takes the type of the other side.
	Compares bool
	// Returns is the type of the result by the converted arguments.
	Returns func(args []Expr) arrow.DataType
	// Nulls tells how NULL arguments are treated.
	Nulls NullRule
	// Fails tells whether the kernel may call Frame.Fail.
	Fails FailRule
	// Slow marks kernels worth keeping from rows that do not need them, by CASE, AND or OR.
	Slow bool
	// Listed marks overloads whose arguments behind the first are literals that Compile reads; the kernel gets the first alone.
	Listed bool
	// Compile chooses the kernel of a call. Exactly one of Compile and Expand is set.
	Compile func(c *Site) Kernel
	// Expand replaces the call by simpler expressions when it is compiled.
	Expand func(args []Expr, s Settings) (Expr, error)
}

// NullRule is the treatment of NULL arguments.
type NullRule int

const (
	// Propagate: the result is NULL if any argument is; the kernel need not look.
	Propagate NullRule = iota
	// PropagateOrNull: as Propagate, and the kernel may set further rows to NULL.
	PropagateOrNull
	// Handled: the kernel decides, and the result may be NULL if any argument may.
	Handled
	// HandledAll: the kernel decides, and the result may be NULL only if all arguments may.
	HandledAll
	// HandledOrNull: the kernel decides, and the result may always be NULL.
	HandledOrNull
	// NeverNull: the kernel decides, and the result is never NULL.
	NeverNull
)

// FailRule tells whether a kernel may have no value for a row.
type FailRule int

const (
	// Never: there is a value, or NULL, for every row.
	Never FailRule = iota
	// Sometimes: it may fail.
	Sometimes
	// Exact: it may fail if the result is not a floating-point number, which knows infinity.
	Exact
)

func (o *Overload) fails(result arrow.DataType) bool {
	return o.Fails == Sometimes || o.Fails == Exact && !isFloat(result)
}

func (o *Overload) nullable(args []Expr) bool {
	switch o.Nulls {
	case NeverNull:
		return false
	case PropagateOrNull, HandledOrNull:
		return true
	case HandledAll:
		return !slices.ContainsFunc(args, func(a Expr) bool { return !a.Nullable() })
	}
	return anyNullable(args)
}

func (o *Overload) propagates() bool { return o.Nulls == Propagate || o.Nulls == PropagateOrNull }

// param is the parameter the i-th argument belongs to.
func (o *Overload) param(i int) *Param { return &o.Params[min(i, len(o.Params)-1)] }

// fits reports whether the overload takes n arguments.
func (o *Overload) fits(n int) bool {
	return n >= len(o.Params)-o.Optional && (n <= len(o.Params) || o.Variadic)
}

var (
	functions []*Function
	byName    = map[string]*Function{}
)

// Register adds a function; it is called by init functions. A name taken twice is a mistake of the program and panics.
func Register(f Function) {
	functions = append(functions, &f)
	for _, name := range append([]string{f.Name}, f.Aliases...) {
		if byName[name] != nil {
			panic("function " + name + " registered twice")
		}
		byName[name] = &f
	}
}

// Functions lists all documented functions by name.
func Functions() []*Function {
	all := slices.DeleteFunc(slices.Clone(functions), func(f *Function) bool { return f.Doc == "" })
	slices.SortFunc(all, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Lookup finds a function by its name or an alias, in any case.
func Lookup(name string) (*Function, error) {
	if f := byName[strings.ToUpper(name)]; f != nil {
		return f, nil
	}
	var names []string
	for n := range byName {
		if isWord(n) {
			names = append(names, n)
		}
	}
	return nil, &UnknownNameError{What: "function", Name: name, Candidates: suggest.Near(name, names)}
}

// isWord tells the names of functions from operators.
func isWord(name string) bool {
	return name[0] >= 'A' && name[0] <= 'Z' && !strings.Contains(name, " ")
}
