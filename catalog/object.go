// Package catalog holds what the names of a session stand for: tables, views and functions. Names are found whatever the case
// of their letters and keep the spelling they were created with. A temporary object hides a persistent one of its name; the
// persistent ones outlive the session as SQL text in a Store.
package catalog

import (
	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/connector"
	"streamsql/exec/expr"
	"streamsql/parser"
)

// Object is a *Table, a *View or a *Function. Objects are immutable once created.
type Object interface {
	// ObjectName is the name as it was written when the object was created.
	ObjectName() string
	Kind() parser.ObjectKind
	IsTemporary() bool
	// Definition is the statement that creates the object; parser.Format of it is what SHOW CREATE prints.
	Definition() parser.Stmt
}

// Script is a text that was parsed, with the name it goes by in messages: the spans of the trees read from it lie in Text.
type Script struct{ Name, Text string }

// Table is a table made by CREATE TABLE.
type Table struct {
	Name      string
	Temporary bool
	Columns   []Column // in declaration order
	// Physical is the table as its connector sees it.
	Physical connector.Table
	// Metadata are what the connector is asked for beside the physical columns.
	Metadata      []Metadata
	PrimaryKey    []int      // positions in Columns; nil without a key
	PartitionedBy []int      // positions in Columns; nil if the table has no partitions
	Watermark     *Watermark // nil without one
	OnError       connector.ErrorPolicy
	DDL           *parser.CreateTable
}

// Metadata is something the connector knows of a row, such as its offset.
type Metadata struct {
	Key  string // as the connector calls it
	Type arrow.DataType
}

// Column is a column of a table.
type Column struct {
	Name     string
	Type     arrow.DataType
	Nullable bool
	// Physical is the column's position in Table.Physical.Schema, -1 for a computed or metadata column.
	Physical int
	// Computed is the value of a computed or metadata column, over the columns of Table.Physical.Schema and the Table.Metadata behind
	// them; nil for a physical one.
	Computed expr.Expr
	// Default is what an INSERT that does not name the column gives it; nil is NULL.
	Default expr.Expr
}

// Watermark is a WATERMARK FOR clause.
type Watermark struct {
	Column int       // position in Table.Columns of the event time
	Expr   expr.Expr // over Table.Columns; of the column's type
}

// View is a query with a name.
type View struct {
	Name      string
	Temporary bool
	Columns   []string // names given to the columns; nil keeps the query's
	Query     *parser.Query
	Script    Script   // where Query was read from
	Reads     []string // the tables and views Query reads directly
	DDL       *parser.CreateView
}

// Function is a SQL macro made by CREATE FUNCTION … RETURN.
type Function struct {
	Name      string
	Temporary bool
	Script    Script // where DDL was read from
	DDL       *parser.CreateFunction
}

// ObjectName returns the table's name.
func (t *Table) ObjectName() string { return t.Name }

// ObjectName returns the view's name.
func (v *View) ObjectName() string { return v.Name }

// ObjectName returns the function's name.
func (f *Function) ObjectName() string { return f.Name }

// Kind is TABLE.
func (t *Table) Kind() parser.ObjectKind { return parser.ObjectTable }

// Kind is VIEW.
func (v *View) Kind() parser.ObjectKind { return parser.ObjectView }

// Kind is FUNCTION.
func (f *Function) Kind() parser.ObjectKind { return parser.ObjectFunction }

// IsTemporary tells whether the table ends with the session.
func (t *Table) IsTemporary() bool { return t.Temporary }

// IsTemporary tells whether the view ends with the session.
func (v *View) IsTemporary() bool { return v.Temporary }

// IsTemporary tells whether the function ends with the session.
func (f *Function) IsTemporary() bool { return f.Temporary }

// Definition returns the CREATE TABLE statement.
func (t *Table) Definition() parser.Stmt { return t.DDL }

// Definition returns the CREATE VIEW statement.
func (v *View) Definition() parser.Stmt { return v.DDL }

// Definition returns the CREATE FUNCTION statement.
func (f *Function) Definition() parser.Stmt { return f.DDL }
