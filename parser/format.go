package parser

// Format returns the canonical text of a statement, without a semicolon. Parsing it yields the same
// tree, up to spans and quoting of names.
func Format(s Stmt) string { return "" }

// FormatExpr returns the canonical text of an expression.
func FormatExpr(x Expr) string { return "" }

// FormatQuery returns the canonical text of a query.
func FormatQuery(q *Query) string { return "" }

// FormatType returns the canonical text of a type.
func FormatType(t *Type) string { return "" }

// String returns the name as it is written in SQL, with quotes where they are needed.
func (n Name) String() string { return "" }

// String returns the name as it is written in SQL, with quotes if they are needed.
func (i Ident) String() string { return "" }
