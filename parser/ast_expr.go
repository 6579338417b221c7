package parser

// ColumnRef is a name in an expression: a column, a column of a table, or a path into a row.
type ColumnRef struct {
	Span
	Name Name
}

// LitKind is the kind of a Literal.
type LitKind uint8

// Kinds of literals, and what Literal.Text holds for each.
const (
	LitNull         LitKind = iota // NULL: ""
	LitBool                        // TRUE or FALSE: "TRUE" or "FALSE"
	LitUnknown                     // UNKNOWN, the NULL of type BOOLEAN: ""
	LitInt                         // 42: the digits; it may not fit 64 bits
	LitDecimal                     // 1.5: digits with a point
	LitFloat                       // 1e10: as written, with an exponent
	LitString                      // 'a', N'a', U&'\4E2D': the characters meant
	LitBytes                       // X'CAFE': hexadecimal digits in upper case, an even number
	LitDate                        // DATE '2020-01-01': the characters between the quotes
	LitTime                        // TIME '12:30:00'
	LitTimestamp                   // TIMESTAMP '2020-01-01 00:00:00'
	LitTimestampLTZ                // TIMESTAMP WITH LOCAL TIME ZONE '…', TIMESTAMP_LTZ '…'
)

// Literal is a constant. Numbers carry no sign: -1 is a Unary over 1.
type Literal struct {
	Span
	Kind LitKind
	Text string
}

// TimeUnit is a unit of time in upper case and singular.
type TimeUnit string

// Units of time. Intervals take YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND and the smaller ones;
// EXTRACT, FLOOR, CEIL, TIMESTAMPADD and TIMESTAMPDIFF take others too, which the binder checks.
const (
	Millennium  TimeUnit = "MILLENNIUM"
	Century     TimeUnit = "CENTURY"
	Decade      TimeUnit = "DECADE"
	Year        TimeUnit = "YEAR"
	ISOYear     TimeUnit = "ISOYEAR"
	Quarter     TimeUnit = "QUARTER"
	Month       TimeUnit = "MONTH"
	Week        TimeUnit = "WEEK"
	Day         TimeUnit = "DAY"
	DOW         TimeUnit = "DOW"
	ISODOW      TimeUnit = "ISODOW"
	DOY         TimeUnit = "DOY"
	Hour        TimeUnit = "HOUR"
	Minute      TimeUnit = "MINUTE"
	Second      TimeUnit = "SECOND"
	Millisecond TimeUnit = "MILLISECOND"
	Microsecond TimeUnit = "MICROSECOND"
	Nanosecond  TimeUnit = "NANOSECOND"
	Epoch       TimeUnit = "EPOCH"
)

// Interval is INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH and the like. Text is the quantity as
// written between the quotes, without the sign before them (Neg). To is empty for a single unit.
// Precisions are -1 where none is given.
type Interval struct {
	Span
	Neg              bool
	Text             string
	From, To         TimeUnit
	FromPrec, ToPrec int
}

// Op is an operator as Format prints it.
type Op string

// Operators of Unary, Binary and Quantified.
const (
	OpNot             Op = "NOT"
	OpNeg             Op = "-"
	OpPos             Op = "+"
	OpOr              Op = "OR"
	OpAnd             Op = "AND"
	OpEq              Op = "="
	OpNe              Op = "<>"
	OpLt              Op = "<"
	OpLe              Op = "<="
	OpGt              Op = ">"
	OpGe              Op = ">="
	OpDistinctFrom    Op = "IS DISTINCT FROM"
	OpNotDistinctFrom Op = "IS NOT DISTINCT FROM"
	OpOverlaps        Op = "OVERLAPS"
	OpConcat          Op = "||"
	OpAdd             Op = "+"
	OpSub             Op = "-"
	OpMul             Op = "*"
	OpDiv             Op = "/"
	OpMod             Op = "%"
)

// Unary is NOT x, -x or +x.
type Unary struct {
	Span
	Op    Op
	OpPos Span
	X     Expr
}

// Binary is l op r. OpPos is the place of the operator.
type Binary struct {
	Span
	Op    Op
	OpPos Span
	L, R  Expr
}

// IsTest is what an Is asks.
type IsTest string

// Tests of Is.
const (
	IsNull       IsTest = "NULL"
	IsTrue       IsTest = "TRUE"
	IsFalse      IsTest = "FALSE"
	IsUnknown    IsTest = "UNKNOWN"
	IsJSON       IsTest = "JSON"
	IsJSONValue  IsTest = "JSON VALUE"
	IsJSONObject IsTest = "JSON OBJECT"
	IsJSONArray  IsTest = "JSON ARRAY"
	IsJSONScalar IsTest = "JSON SCALAR"
)

// Is is x IS [NOT] NULL, TRUE, FALSE, UNKNOWN or JSON. IS DISTINCT FROM is a Binary.
type Is struct {
	Span
	X    Expr
	Not  bool
	Test IsTest
}

// Between is x [NOT] BETWEEN [SYMMETRIC] low AND high.
type Between struct {
	Span
	X              Expr
	Not, Symmetric bool
	Low, High      Expr
}

// LikeKind is the pattern language of a Like.
type LikeKind string

// Pattern languages.
const (
	LikePlain   LikeKind = "LIKE"
	LikeNoCase  LikeKind = "ILIKE"
	LikeRegexp  LikeKind = "RLIKE"
	LikeSimilar LikeKind = "SIMILAR TO"
)

// Like is x [NOT] LIKE pattern [ESCAPE escape]; Escape is nil if not given.
type Like struct {
	Span
	Kind               LikeKind
	Not                bool
	X, Pattern, Escape Expr
}

// In is x [NOT] IN (list) or x [NOT] IN (query): Query is nil for a list. x is a Row for
// (a, b) IN (…).
type In struct {
	Span
	X     Expr
	Not   bool
	List  []Expr
	Query *Query
}

// Exists is EXISTS (query).
type Exists struct {
	Span
	Query *Query
}

// Subquery is a query in brackets used as a value.
type Subquery struct {
	Span
	Query *Query
}

// Quantified is x op ALL (query), or ANY (query) if All is not set (SOME is ANY).
type Quantified struct {
	Span
	X     Expr
	Op    Op
	OpPos Span
	All   bool
	Query *Query
}

// Case is CASE [operand] WHEN … THEN … [ELSE …] END; Operand and Else are nil if not given.
type Case struct {
	Span
	Operand Expr
	Whens   []When
	Else    Expr
}

// When is one WHEN cond THEN then.
type When struct {
	Span
	Cond, Then Expr
}

// Cast is CAST(x AS type), TRY_CAST(x AS type) if Try is set, or x::type.
type Cast struct {
	Span
	X    Expr
	Type *Type
	Try  bool
}

// Arg is one argument of a function; Name is nil unless it was given as name => x.
type Arg struct {
	Span
	Name *Ident
	X    Expr
}

// NullTreatment is RESPECT NULLS or IGNORE NULLS behind a function.
type NullTreatment uint8

// Null treatments.
const (
	NullsUnspecified NullTreatment = iota
	RespectNulls
	IgnoreNulls
)

// Call is a function with all that may follow it. The special spellings of SQL are calls too:
//
//	EXTRACT(u FROM x)               EXTRACT(Symbol u, x)
//	FLOOR(x TO u), CEIL(x TO u)     FLOOR(x, Symbol u)
//	TIMESTAMPADD(u, n, x)           TIMESTAMPADD(Symbol u, n, x), TIMESTAMPDIFF likewise
//	POSITION(a IN b)                POSITION(a, b)
//	SUBSTRING(x FROM a FOR n)       SUBSTRING(x, a, n)
//	TRIM(BOTH c FROM x)             TRIM(Symbol BOTH, c, x); without c it has two arguments
//	OVERLAY(x PLACING y FROM a FOR n)  OVERLAY(x, y, a, n)
//	JSON_OBJECT(KEY k VALUE v, …)   JSON_OBJECT(k, v, …), JSON_OBJECTAGG likewise
//	CURRENT_DATE                    CURRENT_DATE with NoParens
//	COUNT(*)                        COUNT(Star)
type Call struct {
	Span
	Name     Name
	NoParens bool
	Distinct bool
	Args     []Arg
	OrderBy  []Order // inside the brackets: ARRAY_AGG(a ORDER BY b)
	Within   []Order // WITHIN GROUP (ORDER BY …)
	Filter   Expr    // FILTER (WHERE …), nil if not given
	Nulls    NullTreatment
	Over     *Window      // OVER w or OVER (…), nil if not given
	JSON     *JSONOptions // the tail of a JSON function, nil if not given
}

// JSONOptions is what stands behind the arguments of a JSON function.
type JSONOptions struct {
	Span
	Returning *Type         // RETURNING type, nil if not given
	Wrapper   JSONWrapper   // of JSON_QUERY
	OnEmpty   *JSONBehavior // … ON EMPTY, nil if not given
	OnError   *JSONBehavior // … ON ERROR, nil if not given
	OnNull    JSONNulls     // of the constructors
}

// JSONBehavior is what a JSON function yields on an empty result or an error. Default is the
// expression of DEFAULT x and nil for all other kinds.
type JSONBehavior struct {
	Span
	Kind    JSONYield
	Default Expr
}

// JSONYield is the kind of a JSONBehavior.
type JSONYield string

// What a JSON function may yield.
const (
	YieldNull        JSONYield = "NULL"
	YieldError       JSONYield = "ERROR"
	YieldDefault     JSONYield = "DEFAULT"
	YieldEmptyArray  JSONYield = "EMPTY ARRAY"
	YieldEmptyObject JSONYield = "EMPTY OBJECT"
	YieldTrue        JSONYield = "TRUE"
	YieldFalse       JSONYield = "FALSE"
	YieldUnknown     JSONYield = "UNKNOWN"
)

// JSONWrapper is the array wrapper of JSON_QUERY.
type JSONWrapper string

// Array wrappers; the empty one is none given.
const (
	WithoutWrapper     JSONWrapper = "WITHOUT ARRAY WRAPPER"
	ConditionalWrapper JSONWrapper = "WITH CONDITIONAL ARRAY WRAPPER"
	WithWrapper        JSONWrapper = "WITH UNCONDITIONAL ARRAY WRAPPER"
)

// JSONNulls is what JSON constructors do with NULL values.
type JSONNulls string

// Treatments of NULL in JSON constructors; the empty one is none given.
const (
	NullOnNull   JSONNulls = "NULL ON NULL"
	AbsentOnNull JSONNulls = "ABSENT ON NULL"
)

// Symbol is a word a function takes as an argument: a TimeUnit, or BOTH, LEADING, TRAILING of TRIM.
// It is in upper case and units are singular.
type Symbol struct {
	Span
	Word string
}

// Star is * or t.* in a select list, or the argument of COUNT(*). Table is nil for a bare star.
type Star struct {
	Span
	Table *Name
}

// Row is ROW(a, b), or (a, b) if Explicit is not set. An implicit row has two elements or more.
type Row struct {
	Span
	Explicit bool
	Elems    []Expr
}

// Array is ARRAY[a, b].
type Array struct {
	Span
	Elems []Expr
}

// Map is MAP[k, v, …]; Keys and Values have the same length.
type Map struct {
	Span
	Keys, Values []Expr
}

// Index is x[i]: an element of an array (from 1), the value of a key of a map.
type Index struct {
	Span
	X, I Expr
}

// Field is (x).name: a field of a row that is not a plain path of names.
type Field struct {
	Span
	X    Expr
	Name Ident
}

// AtZone is x AT TIME ZONE zone, or x AT LOCAL if Zone is nil.
type AtZone struct {
	Span
	X, Zone Expr
}

// TableArg is TABLE t [PARTITION BY …] [ORDER BY …], or a query in brackets, as the argument of a
// table function. Exactly one of Table and Query is set.
type TableArg struct {
	Span
	Table       *Name
	Query       *Query
	PartitionBy []Expr
	OrderBy     []Order
}

// Descriptor is DESCRIPTOR(a, b): columns named to a table function.
type Descriptor struct {
	Span
	Columns []Ident
}

func (*ColumnRef) expr()  {}
func (*Literal) expr()    {}
func (*Interval) expr()   {}
func (*Unary) expr()      {}
func (*Binary) expr()     {}
func (*Is) expr()         {}
func (*Between) expr()    {}
func (*Like) expr()       {}
func (*In) expr()         {}
func (*Exists) expr()     {}
func (*Subquery) expr()   {}
func (*Quantified) expr() {}
func (*Case) expr()       {}
func (*Cast) expr()       {}
func (*Call) expr()       {}
func (*Symbol) expr()     {}
func (*Star) expr()       {}
func (*Row) expr()        {}
func (*Array) expr()      {}
func (*Map) expr()        {}
func (*Index) expr()      {}
func (*Field) expr()      {}
func (*AtZone) expr()     {}
func (*TableArg) expr()   {}
func (*Descriptor) expr() {}
