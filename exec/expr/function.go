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
	// Syntax is how a form that is no call is written: CASE WHEN … END. It is documented only and has no overloads.
	Syntax string
	// PerBatch marks functions of the moment, such as NOW(): one value for all rows of a batch.
	PerBatch bool
	// Volatile marks functions that give each row another value, such as RAND().
	Volatile bool
	// Stateful marks functions of earlier rows. Their calls can be bound, and an operator that keeps those rows has to take them
	// out of an expression before it is compiled.
	Stateful bool

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
	// PerBatch is Function.PerBatch for this overload alone.
	PerBatch bool
	// Unfolded keeps calls of constants as they are, where the reader of a result asks how it was made.
	Unfolded bool
	// Check, if set, finds what is wrong with the arguments beyond their types.
	Check func(args []Expr) *ArgumentError
	// Slow marks kernels worth keeping from rows that do not need them, by CASE, AND or OR.
	Slow bool
	// Listed marks overloads whose arguments behind the first are literals that Compile reads; the kernel gets the first alone.
	Listed bool
	// Compile chooses the kernel of a call. Exactly one of Compile and Expand is set, none for a Stateful function.
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
	// PropagateFirst: as Propagate for the first argument; the kernel decides about the others.
	PropagateFirst
	// PropagateFirstOrNull: as PropagateFirst, and the kernel may set further rows to NULL.
	PropagateFirstOrNull
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
	case PropagateOrNull, PropagateFirstOrNull, HandledOrNull:
		return true
	case PropagateFirst:
		return args[0].Nullable()
	case HandledAll:
		return !slices.ContainsFunc(args, func(a Expr) bool { return !a.Nullable() })
	}
	return anyNullable(args)
}

// strict is how many of n arguments, from the first on, make the result NULL by being NULL.
func (o *Overload) strict(n int) int {
	switch o.Nulls {
	case Propagate, PropagateOrNull:
		return n
	case PropagateFirst, PropagateFirstOrNull:
		return min(1, n)
	}
	return 0
}

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

// Register adds a function; it is called by init functions. A name taken twice is a mistake of the program and panics. The name
// of a documented operator that has blanks gets an alias without them, so that DESCRIBE FUNCTION can name it: IS_NULL.
func Register(f Function) {
	if strings.Contains(f.Name, " ") && f.Doc != "" {
		f.Aliases = append(f.Aliases, strings.ReplaceAll(f.Name, " ", "_"))
	}
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
