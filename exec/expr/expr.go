package expr

import "github.com/apache/arrow/go/v17/arrow"

// Expr is a bound expression: every name is a column index, every function chosen, every coercion explicit. The types are
// *Column, *Literal, *Call, *Cast, *Case and *Logic. Expressions are immutable.
type Expr interface {
	Type() arrow.DataType
	// Nullable reports whether the value may be NULL.
	Nullable() bool
	// String is canonical SQL text, used in plans, messages and fingerprints.
	String() string
	expr()
}

// Column is a column of the input batch.
type Column struct {
	Index int
	Name  string
	T     arrow.DataType
	Null  bool
}

// Literal is a constant. V is nil for NULL and else, by T: bool, int8 to int64, float32, float64, decimal128.Num, string (also
// for BYTES), arrow.Date32, arrow.Time32, arrow.Timestamp, arrow.Duration or arrow.MonthInterval; for ARRAY, MAP and ROW an
// arrow.Array of one row, in memory of the garbage collector.
type Literal struct {
	T arrow.DataType
	V any
	// Symbol marks a word of the grammar, such as the unit of EXTRACT, that is handed to a function as text.
	Symbol bool
}

// Call is a function or an operator applied to arguments of exactly the types its overload takes.
type Call struct {
	Fn   *Function
	Args []Expr
	T    arrow.DataType
	Null bool

	overload *Overload
}

// Cast converts a value to another type; with Try, what cannot be converted becomes NULL instead of an error.
type Cast struct {
	X   Expr
	To  arrow.DataType
	Try bool
}

// Case is CASE WHEN … THEN … ELSE … END. The conditions are BOOLEAN, the results and Else all of one type.
type Case struct {
	Whens []When
	Else  Expr // never nil
}

// When is one branch of a Case.
type When struct{ Cond, Then Expr }

// Logic is a conjunction or disjunction of two or more BOOLEAN terms, in three-valued logic, from left to right.
type Logic struct {
	Or   bool // AND if not set
	Args []Expr
}

func (e *Column) Type() arrow.DataType  { return e.T }
func (e *Literal) Type() arrow.DataType { return e.T }
func (e *Call) Type() arrow.DataType    { return e.T }
func (e *Cast) Type() arrow.DataType    { return e.To }
func (e *Case) Type() arrow.DataType    { return e.Else.Type() }
func (e *Logic) Type() arrow.DataType   { return arrow.FixedWidthTypes.Boolean }

func (e *Column) Nullable() bool  { return e.Null }
func (e *Literal) Nullable() bool { return e.V == nil }
func (e *Call) Nullable() bool    { return e.Null }
func (e *Cast) Nullable() bool    { return e.Try || e.X.Nullable() }

func (e *Case) Nullable() bool {
	for _, w := range e.Whens {
		if w.Then.Nullable() {
			return true
		}
	}
	return e.Else.Nullable()
}

func (e *Logic) Nullable() bool { return anyNullable(e.Args) }

func anyNullable(args []Expr) bool {
	for _, a := range args {
		if a.Nullable() {
			return true
		}
	}
	return false
}

func (*Column) expr()  {}
func (*Literal) expr() {}
func (*Call) expr()    {}
func (*Cast) expr()    {}
func (*Case) expr()    {}
func (*Logic) expr()   {}
