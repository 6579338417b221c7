package parser

// TypeName is the canonical name of a type; other spellings (INTEGER, NUMERIC, TEXT,
// TIMESTAMP WITH LOCAL TIME ZONE, …) are read as these.
type TypeName string

// Type names.
const (
	TypeBoolean      TypeName = "BOOLEAN"
	TypeTinyint      TypeName = "TINYINT"
	TypeSmallint     TypeName = "SMALLINT"
	TypeInt          TypeName = "INT"
	TypeBigint       TypeName = "BIGINT"
	TypeFloat        TypeName = "FLOAT"
	TypeDouble       TypeName = "DOUBLE"
	TypeDecimal      TypeName = "DECIMAL"
	TypeString       TypeName = "STRING"
	TypeVarchar      TypeName = "VARCHAR"
	TypeChar         TypeName = "CHAR"
	TypeBytes        TypeName = "BYTES"
	TypeVarbinary    TypeName = "VARBINARY"
	TypeBinary       TypeName = "BINARY"
	TypeDate         TypeName = "DATE"
	TypeTime         TypeName = "TIME"
	TypeTimestamp    TypeName = "TIMESTAMP"
	TypeTimestampLTZ TypeName = "TIMESTAMP_LTZ"
	TypeInterval     TypeName = "INTERVAL"
	TypeArray        TypeName = "ARRAY"
	TypeMap          TypeName = "MAP"
	TypeRow          TypeName = "ROW"
)

// Type is a type as written. Args are the numbers in brackets: precision and scale of a DECIMAL,
// length of a string, precision of a time; none if not given. The ranges of the numbers are
// for the binder to check.
type Type struct {
	Span
	Name     TypeName
	Args     []int
	Elem     *Type       // of ARRAY, and the value of a MAP
	Key      *Type       // of MAP
	Fields   []TypeField // of ROW
	NotNull  bool
	From, To TimeUnit // of INTERVAL; To is empty for a single unit
	FromPrec int      // of INTERVAL, -1 if not given
	ToPrec   int      // of INTERVAL, -1 if not given
}

// TypeField is one field of a ROW type; Comment is empty if not given.
type TypeField struct {
	Span
	Name    Ident
	Type    *Type
	Comment string
}
