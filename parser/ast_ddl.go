package parser

// CreateTable is CREATE [TEMPORARY] TABLE with columns, LIKE or AS, and CREATE EXTERNAL TABLE,
// which has External set and With empty. A key given behind a column is read as the table's.
type CreateTable struct {
	Span
	Temporary, IfNotExists bool
	Name                   Name
	Columns                []Column
	PrimaryKey             *Key // nil if not given
	Unique                 []Key
	Watermark              *Watermark // nil if not given
	Comment                string
	PartitionedBy          []Ident
	With                   []Property
	External               *External
	Like                   *LikeTable
	As                     *Query
}

// Column is one column of a table: physical (Type), computed (Computed) or metadata (Type and
// Metadata). Computed, Metadata and Default are nil if not given.
type Column struct {
	Span
	Name     Ident
	Type     *Type
	Computed Expr
	Metadata *Metadata
	Default  Expr
	Comment  string
}

// Metadata is METADATA [FROM 'key'] [VIRTUAL]; Key is nil if not given and is then the column's name.
type Metadata struct {
	Span
	Key     *Text
	Virtual bool
}

// Key is a PRIMARY KEY or UNIQUE constraint; Name is nil without CONSTRAINT name.
type Key struct {
	Span
	Name        *Ident
	Columns     []Ident
	NotEnforced bool
}

// Watermark is WATERMARK FOR column AS x; the column may be a path into a row.
type Watermark struct {
	Span
	Column Name
	X      Expr
}

// External is the tail of CREATE EXTERNAL TABLE: TYPE type [LOCATION '…'] [TBLPROPERTIES '{…}'].
// Location and Properties are nil if not given; Properties is JSON text.
type External struct {
	Span
	Type                 Text
	Location, Properties *Text
}

// LikeTable is LIKE table [(options)].
type LikeTable struct {
	Span
	Table   Name
	Options []LikeOption
}

// LikeOption is one INCLUDING, EXCLUDING or OVERWRITING feature of LIKE. Feature is ALL, CONSTRAINTS,
// GENERATED, METADATA, OPTIONS, PARTITIONS or WATERMARKS.
type LikeOption struct {
	Span
	Mode, Feature string
}

// CreateView is CREATE [OR REPLACE] [TEMPORARY] VIEW.
type CreateView struct {
	Span
	OrReplace, Temporary, IfNotExists bool
	Name                              Name
	Columns                           []ViewColumn
	Comment                           string
	Query                             *Query
}

// ViewColumn is a name given to a column of a view.
type ViewColumn struct {
	Span
	Name    Ident
	Comment string
}

// CreateMaterializedView is CREATE MATERIALIZED VIEW.
type CreateMaterializedView struct {
	Span
	OrReplace, IfNotExists bool
	Name                   Name
	Columns                []ViewColumn
	Comment                string
	With                   []Property
	Query                  *Query
}

// CreateFunction is CREATE FUNCTION, either f AS 'class' (Class is set) or the SQL macro
// f(params) RETURNS type RETURN x (Body is set).
type CreateFunction struct {
	Span
	OrReplace, Temporary, IfNotExists bool
	Name                              Name
	Class                             *Text
	Language                          string // in upper case, empty if not given
	Jars                              []Text // USING JAR '…'
	Params                            []Param
	Returns                           *Type // nil if not given
	Body                              Expr
}

// Param is one parameter of a SQL macro.
type Param struct {
	Span
	Name Ident
	Type *Type
}

// ObjectKind is what DROP, DESCRIBE and SHOW CREATE speak of.
type ObjectKind string

// Kinds of catalog objects.
const (
	ObjectTable            ObjectKind = "TABLE"
	ObjectView             ObjectKind = "VIEW"
	ObjectMaterializedView ObjectKind = "MATERIALIZED VIEW"
	ObjectFunction         ObjectKind = "FUNCTION"
)

// Drop is DROP TABLE, VIEW, MATERIALIZED VIEW or FUNCTION.
type Drop struct {
	Span
	Kind                ObjectKind
	Temporary, IfExists bool
	Name                Name
}

// AlterTable is ALTER TABLE with exactly one of RENAME TO, SET (…) and RESET (…).
type AlterTable struct {
	Span
	IfExists bool
	Name     Name
	RenameTo *Name
	Set      []Property
	Reset    []Text
}

func (*CreateTable) stmt()            {}
func (*CreateView) stmt()             {}
func (*CreateMaterializedView) stmt() {}
func (*CreateFunction) stmt()         {}
func (*Drop) stmt()                   {}
func (*AlterTable) stmt()             {}
