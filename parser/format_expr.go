package parser

// Levels of precedence, from the loosest to the tightest.
const (
	levelAny = iota
	levelOr
	levelAnd
	levelNot
	levelCompare
	levelConcat
	levelAdd
	levelMul
	levelSign
	levelZone
	levelPrimary
)

// binaryLevels are the levels of binary operators.
var binaryLevels = map[Op]int{
	OpOr: levelOr, OpAnd: levelAnd, OpEq: levelCompare, OpNe: levelCompare, OpLt: levelCompare,
	OpLe: levelCompare, OpGt: levelCompare, OpGe: levelCompare, OpDistinctFrom: levelCompare,
	OpNotDistinctFrom: levelCompare, OpOverlaps: levelCompare, OpConcat: levelConcat, OpAdd: levelAdd,
	OpSub: levelAdd, OpMul: levelMul, OpDiv: levelMul, OpMod: levelMul,
}

// levelOf is the level of an expression as it is written.
func levelOf(x Expr) int {
	switch x := x.(type) {
	case *Binary:
		return binaryLevels[x.Op]
	case *Unary:
		if x.Op == OpNot {
			return levelNot
		}
		return levelSign
	case *Is, *Between, *Like, *In, *Quantified:
		return levelCompare
	case *AtZone:
		return levelZone
	}
	return levelPrimary
}

// expr writes an expression, in brackets if it binds looser than level.
func (p *printer) expr(x Expr, level int) {
	if levelOf(x) < level || p.wary > 0 && isUnitRange(x) {
		p.brackets(func() { p.bare(x) })
		return
	}
	p.bare(x)
}

// isUnitRange tells whether an expression is an interval that ends with TO unit, which FLOOR would take
// for its own.
func isUnitRange(x Expr) bool {
	i, ok := x.(*Interval)
	return ok && i.To != ""
}

// exprs writes expressions separated by commas.
func (p *printer) exprs(list []Expr) {
	commaList(p, list, func(x Expr) { p.expr(x, levelAny) })
}

// bare writes an expression without brackets.
func (p *printer) bare(x Expr) {
	switch x := x.(type) {
	case *ColumnRef:
		p.name(x.Name)
	case *Literal:
		p.literal(x)
	case *Interval:
		p.interval(x)
	case *Unary:
		p.unary(x)
	case *Binary:
		p.binary(x)
	case *Is:
		p.expr(x.X, levelConcat)
		p.put(" IS ")
		p.when(x.Not, "NOT ")
		p.put(string(x.Test))
	case *Between:
		p.between(x)
	case *Like:
		p.like(x)
	case *In:
		p.in(x)
	case *Exists:
		p.put("EXISTS ")
		p.subquery(x.Query)
	case *Subquery:
		p.subquery(x.Query)
	case *Quantified:
		p.quantified(x)
	case *Case:
		p.caseExpr(x)
	case *Cast:
		p.cast(x)
	default:
		p.compound(x)
	}
}

// compound writes calls, constructors and access to parts of values.
func (p *printer) compound(x Expr) {
	switch x := x.(type) {
	case *Call:
		p.call(x)
	case *Symbol:
		p.put(x.Word)
	case *Star:
		if x.Table != nil {
			p.name(*x.Table)
			p.put(".")
		}
		p.put("*")
	case *Row:
		p.when(x.Explicit, "ROW")
		p.brackets(func() { p.exprs(x.Elems) })
	case *Array:
		p.put("ARRAY[")
		p.exprs(x.Elems)
		p.put("]")
	case *Map:
		p.mapExpr(x)
	case *Index:
		p.expr(x.X, levelPrimary)
		p.put("[")
		p.expr(x.I, levelAny)
		p.put("]")
	case *Field:
		p.field(x)
	case *AtZone:
		p.atZone(x)
	case *TableArg:
		p.tableArg(x)
	case *Descriptor:
		p.put("DESCRIPTOR")
		p.idents(x.Columns)
	}
}

// literalPrefix is what stands before the quotes of a literal.
var literalPrefix = map[LitKind]string{
	LitBytes: "X", LitDate: "DATE ", LitTime: "TIME ", LitTimestamp: "TIMESTAMP ", LitTimestampLTZ: "TIMESTAMP_LTZ ",
}

// literal writes a literal.
func (p *printer) literal(x *Literal) {
	switch x.Kind {
	case LitNull:
		p.put("NULL")
	case LitUnknown:
		p.put("UNKNOWN")
	case LitBool, LitInt, LitDecimal, LitFloat:
		p.put(x.Text)
	default:
		p.put(literalPrefix[x.Kind], quoteString(x.Text))
	}
}

// interval writes INTERVAL '1' DAY.
func (p *printer) interval(x *Interval) {
	p.put("INTERVAL ")
	p.when(x.Neg, "-")
	p.put(quoteString(x.Text), " ")
	p.units(x.From, x.FromPrec, x.To, x.ToPrec)
}

// unary writes NOT x, -x or +x. Two signs are kept apart, because -- starts a comment.
func (p *printer) unary(x *Unary) {
	p.put(string(x.Op))
	if x.Op == OpNot {
		p.put(" ")
		p.expr(x.X, levelNot)
		return
	}
	if inner, ok := x.X.(*Unary); ok && inner.Op != OpNot {
		p.put(" ")
	}
	p.expr(x.X, levelSign)
}

// binary writes l op r. Operators of one level group from the left, and comparisons do not group.
func (p *printer) binary(x *Binary) {
	level := binaryLevels[x.Op]
	left := level
	if level == levelCompare {
		left = levelConcat
	}
	p.expr(x.L, left)
	p.put(" ", string(x.Op), " ")
	p.expr(x.R, level+1)
}

// between writes x BETWEEN y AND z.
func (p *printer) between(x *Between) {
	p.expr(x.X, levelConcat)
	p.when(x.Not, " NOT")
	p.put(" BETWEEN ")
	p.when(x.Symmetric, "SYMMETRIC ")
	p.expr(x.Low, levelConcat)
	p.put(" AND ")
	p.expr(x.High, levelConcat)
}

// like writes x LIKE y.
func (p *printer) like(x *Like) {
	p.expr(x.X, levelConcat)
	p.when(x.Not, " NOT")
	p.put(" ", string(x.Kind), " ")
	p.expr(x.Pattern, levelConcat)
	if x.Escape != nil {
		p.put(" ESCAPE ")
		p.expr(x.Escape, levelConcat)
	}
}

// in writes x IN (…).
func (p *printer) in(x *In) {
	p.expr(x.X, levelConcat)
	p.when(x.Not, " NOT")
	p.put(" IN ")
	if x.Query != nil {
		p.subquery(x.Query)
		return
	}
	p.brackets(func() { p.exprs(x.List) })
}

// subquery writes a query in brackets. Words of forms around it mean nothing inside.
func (p *printer) subquery(q *Query) {
	outer := p.wary
	p.wary = 0
	p.brackets(func() { p.query(q) })
	p.wary = outer
}

// quantified writes x op ANY (query).
func (p *printer) quantified(x *Quantified) {
	p.expr(x.X, levelConcat)
	p.put(" ", string(x.Op))
	if x.All {
		p.put(" ALL ")
	} else {
		p.put(" ANY ")
	}
	p.subquery(x.Query)
}

// caseExpr writes CASE … END.
func (p *printer) caseExpr(x *Case) {
	p.put("CASE")
	if x.Operand != nil {
		p.put(" ")
		p.expr(x.Operand, levelAny)
	}
	for _, w := range x.Whens {
		p.put(" WHEN ")
		p.expr(w.Cond, levelAny)
		p.put(" THEN ")
		p.expr(w.Then, levelAny)
	}
	if x.Else != nil {
		p.put(" ELSE ")
		p.expr(x.Else, levelAny)
	}
	p.put(" END")
}

// cast writes CAST(x AS type).
func (p *printer) cast(x *Cast) {
	p.when(x.Try, "TRY_")
	p.put("CAST(")
	p.expr(x.X, levelAny)
	p.put(" AS ")
	p.typ(x.Type)
	p.put(")")
}

// mapExpr writes MAP[k, v].
func (p *printer) mapExpr(x *Map) {
	p.put("MAP[")
	for i := range x.Keys {
		p.when(i > 0, ", ")
		p.expr(x.Keys[i], levelAny)
		p.put(", ")
		p.expr(x.Values[i], levelAny)
	}
	p.put("]")
}

// field writes (x).name; brackets are left out where x cannot be taken for a path of names.
func (p *printer) field(x *Field) {
	switch inner := x.X.(type) {
	case *Index, *Field, *Cast, *Subquery:
		p.expr(inner, levelPrimary)
	case *Call:
		p.callField(inner)
	default:
		p.brackets(func() { p.expr(inner, levelAny) })
	}
	if isPlainWord(x.Name.Name) {
		p.put(".", x.Name.Name)
		return
	}
	p.put(".", quoteName(x.Name.Name))
}

// callField writes a call of which a field is taken.
func (p *printer) callField(c *Call) {
	if c.NoParens || c.Over != nil || c.Nulls != NullsUnspecified {
		p.brackets(func() { p.call(c) })
		return
	}
	p.call(c)
}

// atZone writes x AT TIME ZONE zone.
func (p *printer) atZone(x *AtZone) {
	p.expr(x.X, levelZone)
	switch zone := x.Zone.(type) {
	case nil:
		p.put(" AT LOCAL")
	case *ColumnRef, *Literal:
		p.put(" AT TIME ZONE ")
		p.expr(zone, levelPrimary)
	default:
		p.put(" AT TIME ZONE ")
		p.brackets(func() { p.expr(zone, levelAny) })
	}
}
