package parser

// Query is a whole query. Limit and Offset are nil if not given (LIMIT ALL is none); FETCH NEXT is
// read as a Limit.
type Query struct {
	Span
	With          []CTE
	Body          Body
	OrderBy       []Order
	Limit, Offset Expr
	Emit          *Emit // nil if not given
}

// CTE is one name [(columns)] AS (query) of WITH.
type CTE struct {
	Span
	Name    Ident
	Columns []Ident
	Query   *Query
}

// Select is SELECT … FROM … up to the named windows.
type Select struct {
	Span
	Hints    []Hint
	Distinct bool
	Items    []Item
	From     []TableRef // joined by commas; empty without FROM
	Where    Expr
	GroupBy  []Group
	Having   Expr
	Windows  []NamedWindow
}

// SetOpKind is the kind of a set operation.
type SetOpKind string

// Set operations.
const (
	Union     SetOpKind = "UNION"
	Intersect SetOpKind = "INTERSECT"
	Except    SetOpKind = "EXCEPT"
)

// SetOp is l UNION, INTERSECT or EXCEPT [ALL] r. OpPos is the place of the word.
type SetOp struct {
	Span
	Op    SetOpKind
	All   bool
	OpPos Span
	L, R  Body
}

// Values is VALUES (…), (…). A row may be written without brackets if it has one value.
type Values struct {
	Span
	Rows []ValueRow
}

// ValueRow is one row of VALUES.
type ValueRow struct {
	Span
	Exprs []Expr
}

// Paren is a query in brackets where a body may stand, with its own ORDER BY and LIMIT.
type Paren struct {
	Span
	Query *Query
}

// Item is one expression of a select list, or one MEASURES or DEFINE of MATCH_RECOGNIZE; Alias is
// nil if not given.
type Item struct {
	Span
	X     Expr
	Alias *Ident
}

// NullsOrder is where NULLs sort.
type NullsOrder uint8

// Places of NULLs; the default is for the planner to choose.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// Order is one sort key.
type Order struct {
	Span
	X     Expr
	Desc  bool
	Nulls NullsOrder
}

// GroupKind is the kind of a GROUP BY element.
type GroupKind uint8

// Kinds of GROUP BY elements.
const (
	GroupExpr   GroupKind = iota // one expression: Exprs[0]
	GroupList                    // (a, b) or (): Exprs
	GroupSets                    // GROUPING SETS (…): Elems
	GroupCube                    // CUBE (…): Elems
	GroupRollup                  // ROLLUP (…): Elems
)

// Group is one element of GROUP BY.
type Group struct {
	Span
	Kind  GroupKind
	Exprs []Expr
	Elems []Group
}

// NamedWindow is one name AS (…) of the WINDOW clause.
type NamedWindow struct {
	Span
	Name   Ident
	Window *Window
}

// Window is what stands behind OVER or a name of the WINDOW clause. OVER w has Ref alone; OVER (w
// ORDER BY …) has Ref and more; Bare tells the two apart when nothing more is given.
type Window struct {
	Span
	Ref         *Ident
	Bare        bool // OVER w, without brackets
	PartitionBy []Expr
	OrderBy     []Order
	Frame       *Frame // nil if not given
}

// FrameUnit is ROWS or RANGE.
type FrameUnit string

// Frame units.
const (
	FrameRows  FrameUnit = "ROWS"
	FrameRange FrameUnit = "RANGE"
)

// Frame is ROWS or RANGE BETWEEN start AND end; a frame with a start alone ends at CURRENT ROW
// and End is nil.
type Frame struct {
	Span
	Unit  FrameUnit
	Start Bound
	End   *Bound
}

// BoundKind is the kind of a frame bound.
type BoundKind uint8

// Kinds of frame bounds.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// Bound is one end of a frame; X is the distance of Preceding and Following and nil otherwise.
type Bound struct {
	Span
	Kind BoundKind
	X    Expr
}

// Hint is one NAME(…) of /*+ … */. A hint has either plain arguments (names, numbers, strings) or
// properties. Name is in upper case.
type Hint struct {
	Span
	Name       string
	Args       []Expr
	Properties []Property
}

func (*Select) body() {}
func (*SetOp) body()  {}
func (*Values) body() {}
func (*Paren) body()  {}
