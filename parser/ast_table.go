package parser

// Alias is AS name (columns); Columns is empty if not given.
type Alias struct {
	Span
	Name    Ident
	Columns []Ident
}

// Table is a named table or view in FROM. AsOf is the expression of FOR SYSTEM_TIME AS OF and nil
// if not given; Match is nil without MATCH_RECOGNIZE, whose own alias is Match.Alias.
type Table struct {
	Span
	Name  Name
	Hints []Hint
	AsOf  Expr
	Match *Match
	Alias *Alias
}

// PathTable is a file as a table: FROM 'clicks.json'.
type PathTable struct {
	Span
	Path  Text
	Hints []Hint
	Match *Match
	Alias *Alias
}

// Derived is a query in brackets in FROM. (VALUES …) is a query too.
type Derived struct {
	Span
	Lateral bool
	Query   *Query
	Match   *Match
	Alias   *Alias
}

// TableFunc is a table function: TABLE(f(…)), f(…), LATERAL TABLE(f(…)).
type TableFunc struct {
	Span
	Lateral bool
	Call    *Call
	Match   *Match
	Alias   *Alias
}

// Unnest is UNNEST(x, …) [WITH ORDINALITY].
type Unnest struct {
	Span
	Exprs      []Expr
	Ordinality bool
	Alias      *Alias
}

// JoinKind is the kind of a join.
type JoinKind string

// Kinds of joins. The commas of FROM are not joins but elements of Select.From.
const (
	InnerJoin JoinKind = "INNER"
	LeftJoin  JoinKind = "LEFT"
	RightJoin JoinKind = "RIGHT"
	FullJoin  JoinKind = "FULL"
	CrossJoin JoinKind = "CROSS"
	SemiJoin  JoinKind = "LEFT SEMI"
	AntiJoin  JoinKind = "LEFT ANTI"
)

// Join is l JOIN r. On and Using are both empty for a cross or natural join, and may be for an
// inner join with UNNEST or LATERAL on the right. KindPos is the place of the join words.
type Join struct {
	Span
	Kind    JoinKind
	Natural bool
	KindPos Span
	L, R    TableRef
	On      Expr
	Using   []Ident
}

func (*Table) tableRef()     {}
func (*PathTable) tableRef() {}
func (*Derived) tableRef()   {}
func (*TableFunc) tableRef() {}
func (*Unnest) tableRef()    {}
func (*Join) tableRef()      {}

// Match is MATCH_RECOGNIZE (…).
type Match struct {
	Span
	PartitionBy []Expr
	OrderBy     []Order
	Measures    []Item
	AllRows     bool       // ALL ROWS PER MATCH
	After       *MatchSkip // nil if not given
	Pattern     *Pattern
	Within      *Interval // nil if not given
	Subsets     []MatchSubset
	Define      []Item // the alias is the variable
	Alias       *Alias
}

// SkipKind is where matching goes on after a match.
type SkipKind uint8

// Kinds of AFTER MATCH SKIP.
const (
	SkipPastLastRow SkipKind = iota
	SkipToNextRow
	SkipToFirst // SKIP TO FIRST v
	SkipToLast  // SKIP TO LAST v, SKIP TO v
)

// MatchSkip is AFTER MATCH SKIP …; Var is set for SkipToFirst and SkipToLast.
type MatchSkip struct {
	Span
	Kind SkipKind
	Var  Ident
}

// MatchSubset is one name = (a, b) of SUBSET.
type MatchSubset struct {
	Span
	Name Ident
	Vars []Ident
}

// PatternKind is the kind of a Pattern.
type PatternKind uint8

// Kinds of patterns.
const (
	PatternVar     PatternKind = iota // A
	PatternSeq                        // A B: Elems
	PatternAlt                        // A | B: Elems
	PatternRepeat                     // A*, A+, A?, A{2,3}: Elems[0], Min, Max, Reluctant
	PatternExclude                    // {- A -}: Elems[0]
	PatternPermute                    // PERMUTE(A, B): Elems
	PatternStart                      // ^
	PatternEnd                        // $
)

// Pattern is a row pattern. Max is -1 for no limit.
type Pattern struct {
	Span
	Kind      PatternKind
	Var       Ident
	Elems     []*Pattern
	Min, Max  int
	Reluctant bool
}
