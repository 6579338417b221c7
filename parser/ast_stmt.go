package parser

// QueryStmt is a query as a statement.
type QueryStmt struct {
	Span
	Query *Query
}

// Insert is INSERT INTO or INSERT OVERWRITE. VALUES is a query too.
type Insert struct {
	Span
	Overwrite bool
	Table     Name
	Hints     []Hint
	Partition []PartitionValue
	Columns   []Ident
	Query     *Query
}

// PartitionValue is one column [= value] of INSERT … PARTITION (…); X is nil if not given.
type PartitionValue struct {
	Span
	Column Ident
	X      Expr
}

// StatementSet is EXECUTE STATEMENT SET BEGIN …; END or BEGIN STATEMENT SET; …; END: several inserts
// that run as one job.
type StatementSet struct {
	Span
	Inserts []*Insert
}

// ExplainDetail is one picture of a plan.
type ExplainDetail string

// Pictures of a plan. Flink's CHANGELOG_MODE, JSON_EXECUTION_PLAN, ESTIMATED_COST and PLAN_ADVICE
// are read as CHANGELOG, JSON, COST and ADVICE.
const (
	ExplainLogical   ExplainDetail = "LOGICAL"
	ExplainPhysical  ExplainDetail = "PHYSICAL"
	ExplainState     ExplainDetail = "STATE"
	ExplainChangelog ExplainDetail = "CHANGELOG"
	ExplainGuarantee ExplainDetail = "GUARANTEE"
	ExplainJSON      ExplainDetail = "JSON"
	ExplainCost      ExplainDetail = "COST"
	ExplainAdvice    ExplainDetail = "ADVICE"
)

// Explain is EXPLAIN [(details)] statement. The statement is a query, an insert, a statement set or
// a CREATE with a query.
type Explain struct {
	Span
	Details []ExplainDetail
	Stmt    Stmt
}

// ExplainAnalyze is EXPLAIN ANALYZE JOB job [FOR 10 SECONDS]; For is nil if not given.
type ExplainAnalyze struct {
	Span
	Job Text
	For *Interval
}

// Describe is DESCRIBE [EXTENDED] x, DESCRIBE 'clicks.json' or DESCRIBE FUNCTION f; Kind is ObjectTable for tables and
// views alike. A file has a Path, nil otherwise, and no name.
type Describe struct {
	Span
	Kind     ObjectKind
	Extended bool
	Name     Name
	Path     *PathTable
}

// ShowKind is what SHOW lists.
type ShowKind string

// What SHOW lists.
const (
	ShowTables      ShowKind = "TABLES"
	ShowViews       ShowKind = "VIEWS"
	ShowFunctions   ShowKind = "FUNCTIONS"
	ShowConnectors  ShowKind = "CONNECTORS"
	ShowFormats     ShowKind = "FORMATS"
	ShowJobs        ShowKind = "JOBS"
	ShowCheckpoints ShowKind = "CHECKPOINTS"
	ShowSavepoints  ShowKind = "SAVEPOINTS"
	ShowWatermarks  ShowKind = "WATERMARKS"
	ShowSettings    ShowKind = "SETTINGS"
)

// Show is SHOW kind [FOR JOB job] [[NOT] LIKE 'pattern']. Job is set for CHECKPOINTS and WATERMARKS,
// may be for SAVEPOINTS, and is nil otherwise; Like is nil if not given.
type Show struct {
	Span
	Kind ShowKind
	Job  *Text
	Not  bool
	Like *Text
}

// ShowCreate is SHOW CREATE TABLE, VIEW, MATERIALIZED VIEW or FUNCTION.
type ShowCreate struct {
	Span
	Kind ObjectKind
	Name Name
}

// Set is SET 'key' = 'value'. Key and Value are nil for a bare SET, which lists the settings.
type Set struct {
	Span
	Key, Value *Text
}

// Reset is RESET ['key']; Key is nil to reset all settings.
type Reset struct {
	Span
	Key *Text
}

// Use is USE [CATALOG] name.
type Use struct {
	Span
	Catalog bool
	Name    Name
}

func (*QueryStmt) stmt()      {}
func (*Insert) stmt()         {}
func (*StatementSet) stmt()   {}
func (*Explain) stmt()        {}
func (*ExplainAnalyze) stmt() {}
func (*Describe) stmt()       {}
func (*Show) stmt()           {}
func (*ShowCreate) stmt()     {}
func (*Set) stmt()            {}
func (*Reset) stmt()          {}
func (*Use) stmt()            {}
