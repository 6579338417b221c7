package parser

// Span is a range of bytes of the source text: Lo is the first byte, Hi the one after the last.
// It is embedded in every node. Nodes that were not read from a text have the zero Span.
type Span struct{ Lo, Hi int32 }

// At returns the span itself; by embedding it makes every syntax tree node a Node.
func (s Span) At() Span { return s }

// Slice returns the bytes of src the span covers, or "" if it does not lie inside src.
func (s Span) Slice(src string) string {
	if s.Lo < 0 || s.Hi < s.Lo || int(s.Hi) > len(src) {
		return ""
	}
	return src[s.Lo:s.Hi]
}

// To returns the span from the start of s to the end of end.
func (s Span) To(end Span) Span { return Span{s.Lo, end.Hi} }

// IsZero tells whether the span covers nothing, as in nodes built by hand.
func (s Span) IsZero() bool { return s == Span{} }

// Node is anything in the syntax tree that covers a part of the source.
type Node interface{ At() Span }

// Stmt is one statement. Its span runs from the first to the last word, without the closing
// semicolon, so stmt.At().Slice(src) is the statement as the user wrote it.
type Stmt interface {
	Node
	stmt()
}

// Expr is a scalar expression, or one of the things only a function takes as an argument
// (Star, Symbol, TableArg, Descriptor). Brackets leave no node: the span of an expression lies
// inside the brackets around it, and Format writes brackets where precedence asks for them.
type Expr interface {
	Node
	expr()
}

// Body is the part of a query that yields rows: Select, SetOp, Values or Paren.
type Body interface {
	Node
	body()
}

// TableRef is one source of rows in FROM: Table, PathTable, Derived, TableFunc, Unnest or Join.
type TableRef interface {
	Node
	tableRef()
}

// Ident is one name, unquoted in Name; Quoted tells whether it was written in quotes.
// The case of letters is kept as written.
type Ident struct {
	Span
	Name   string
	Quoted bool
}

// Name is a dotted path a.b.c with at least one part. What of it is catalog, table, column or
// field of a row is for the binder to find out.
type Name struct {
	Span
	Parts []Ident
}

// Last returns the last part of the name, or the zero Ident if it has none.
func (n Name) Last() Ident {
	if len(n.Parts) == 0 {
		return Ident{}
	}
	return n.Parts[len(n.Parts)-1]
}

// Text is a piece of text with its place: a property key, a path, the name of a job.
type Text struct {
	Span
	Value string
}

// Property is one 'key' = 'value' of WITH (…), SET (…) or a hint.
type Property struct {
	Span
	Key, Value Text
}
