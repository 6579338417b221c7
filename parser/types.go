package parser

// typeNames gives the canonical type of each spelling of one word.
var typeNames = map[string]TypeName{
	"BOOLEAN": TypeBoolean, "BOOL": TypeBoolean, "TINYINT": TypeTinyint, "SMALLINT": TypeSmallint,
	"INT": TypeInt, "INTEGER": TypeInt, "BIGINT": TypeBigint, "FLOAT": TypeFloat, "REAL": TypeFloat,
	"DOUBLE": TypeDouble, "DECIMAL": TypeDecimal, "DEC": TypeDecimal, "NUMERIC": TypeDecimal,
	"STRING": TypeString, "TEXT": TypeString, "VARCHAR": TypeVarchar, "CHAR": TypeChar,
	"CHARACTER": TypeChar, "BYTES": TypeBytes, "VARBINARY": TypeVarbinary, "BINARY": TypeBinary,
	"DATE": TypeDate, "TIME": TypeTime, "TIMESTAMP": TypeTimestamp, "TIMESTAMP_LTZ": TypeTimestampLTZ,
	"INTERVAL": TypeInterval, "ARRAY": TypeArray, "MAP": TypeMap, "ROW": TypeRow,
}

// typeArity is how many numbers in brackets a type may have.
var typeArity = map[TypeName]int{
	TypeDecimal: 2, TypeVarchar: 1, TypeChar: 1, TypeVarbinary: 1, TypeBinary: 1,
	TypeTime: 1, TypeTimestamp: 1, TypeTimestampLTZ: 1,
}

// nullableType reads a type and NOT NULL or NULL behind it.
func (p *parser) nullableType() *Type {
	lo := p.pos
	t := p.typ()
	if p.accept("NOT NULL") {
		t.NotNull = true
		t.Span = p.spanFrom(lo)
	} else {
		p.accept("NULL")
	}
	return t
}

// typ reads a type without NOT NULL. It never returns nil.
func (p *parser) typ() *Type {
	lo := p.pos
	name, ok := typeNames[p.tok(0).word]
	if !ok {
		p.unknownType()
		return &Type{}
	}
	p.pos++
	t := &Type{Name: name}
	switch name {
	case TypeArray:
		t.Elem = p.element()
	case TypeMap:
		p.mapType(t)
	case TypeRow:
		p.rowType(t)
	case TypeInterval:
		t.From, t.FromPrec, t.To, t.ToPrec = p.units()
	default:
		p.scalarType(t)
	}
	return p.arraySuffix(lo, t)
}

// unknownType reports that the current token is no type.
func (p *parser) unknownType() {
	if t := p.tok(0); t.isName() {
		p.failAt(p.pos, "unknown type '"+clip(p.identOf(t).Name)+"'")
		return
	}
	p.wantWord(p.pos, "a type")
	p.unexpected()
}

// arraySuffix reads the older spelling INT ARRAY and sets the span of the type.
func (p *parser) arraySuffix(lo int, t *Type) *Type {
	for p.err == nil {
		t.Span = p.spanFrom(lo)
		if !p.is("ARRAY") {
			return t
		}
		p.pos++
		t = &Type{Name: TypeArray, Elem: t}
	}
	return t
}

// scalarType reads what may follow the first word of a scalar type.
func (p *parser) scalarType(t *Type) {
	switch t.Name {
	case TypeDouble:
		p.accept("PRECISION")
	case TypeChar:
		if p.accept("VARYING") {
			t.Name = TypeVarchar
		}
	}
	most := typeArity[t.Name]
	if most > 0 && p.is("(") {
		p.brackets("(", func() { t.Args = p.typeArgs(most) })
	}
	switch t.Name {
	case TypeTimestamp:
		p.timeZone(t)
	case TypeTime:
		p.accept("WITHOUT TIME ZONE")
	}
}

// typeArgs reads at most so many numbers.
func (p *parser) typeArgs(most int) []int {
	args := []int{p.smallInteger()}
	for len(args) < most && p.accept(",") {
		args = append(args, p.smallInteger())
	}
	return args
}

// timeZone reads WITH LOCAL TIME ZONE or WITHOUT TIME ZONE behind TIMESTAMP.
func (p *parser) timeZone(t *Type) {
	switch {
	case p.accept("WITHOUT TIME ZONE"):
	case p.accept("WITH LOCAL TIME ZONE"):
		t.Name = TypeTimestampLTZ
	case p.looksAt("WITH TIME ZONE"):
		p.failSpan(p.pos, p.pos+3, "TIMESTAMP WITH TIME ZONE is not supported",
			"TIMESTAMP WITH LOCAL TIME ZONE holds a point in time")
	}
}

// element reads <type> or (type).
func (p *parser) element() *Type {
	var t *Type
	p.angles(func() { t = p.nullableType() })
	return t
}

// mapType reads <key, value>.
func (p *parser) mapType(t *Type) {
	p.angles(func() {
		t.Key = p.nullableType()
		p.expect(",")
		t.Elem = p.nullableType()
	})
}

// rowType reads <a INT, b STRING>.
func (p *parser) rowType(t *Type) {
	p.angles(func() {
		p.commas(func() { t.Fields = append(t.Fields, p.typeField()) })
	})
}

// typeField reads one field of a ROW type.
func (p *parser) typeField() TypeField {
	lo := p.pos
	f := TypeField{Name: p.ident()}
	f.Type = p.nullableType()
	f.Comment = p.comment(p.acceptStr)
	f.Span = p.spanFrom(lo)
	return f
}

// angles reads < … > or ( … ). The brackets < and > are not paired beforehand, because they are
// operators elsewhere.
func (p *parser) angles(read func()) {
	if p.is("(") {
		p.brackets("(", read)
		return
	}
	if p.err != nil || !p.expect("<") {
		return
	}
	if p.nesting++; p.nesting > maxBrackets {
		p.failAt(p.pos-1, "the type is nested too deeply, at most 100 brackets may be open")
		return
	}
	read()
	p.nesting--
	p.expect(">")
}

// comment reads a comment: COMMENT 'text', or what bare accepts.
func (p *parser) comment(bare func() *Text) string {
	if p.accept("COMMENT") {
		return p.str().Value
	}
	if bare != nil {
		if s := bare(); s != nil {
			return s.Value
		}
	}
	return ""
}

// units reads DAY, DAY(2), DAY TO SECOND(3). Precisions are -1 where none is given.
func (p *parser) units() (from TimeUnit, fromPrec int, to TimeUnit, toPrec int) {
	from, fromPrec = p.unit()
	toPrec = -1
	if p.is("TO") && unitOf[p.tok(1).word] != "" {
		p.pos++
		to, toPrec = p.unit()
	}
	return from, fromPrec, to, toPrec
}

// unit reads a unit of an interval with its precision.
func (p *parser) unit() (TimeUnit, int) {
	u := unitOf[p.tok(0).word]
	if !intervalUnits[u] {
		p.wantWord(p.pos, "a unit such as SECOND, MINUTE, HOUR or DAY")
		p.unexpected()
		return "", -1
	}
	p.pos++
	prec := -1
	if p.is("(") && p.tok(1).kind == tokNumber {
		p.brackets("(", func() { prec = p.smallInteger() })
	}
	return u, prec
}
