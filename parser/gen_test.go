package parser

import (
	"testing"

	"pgregory.net/rapid"
)

// gen draws syntax trees of any shape the grammar can produce.
type gen struct{ *rapid.T }

func (g gen) n(most int) int { return rapid.IntRange(0, most).Draw(g.T, "n") }

func (g gen) yes() bool { return g.n(3) == 0 }

// trickyNames read as something else in some place unless they are quoted.
var trickyNames = []string{
	"a", "b", "Select", "order", "value", "KEY", "rows", "range", "array", "map", "row", "first", "LAST", "desc", "nulls",
	"filter", "within", "at", "to", "hour", "Days", "both", "current_date", "ilike", "symmetric", "escape", "cube",
	"any", "date", "timestamp", "interval", "a b", `q"q`, "`", "用户", "é", "x1$", "1x", "metadata", "primary", "over",
	"default", "on", "empty", "error", "partition", "placing", "json_object", "trim", "extract", "descriptor", "left",
	"try_cast", "unknown", "similar", "overlaps", "match_recognize", "local", "n", "X", "grouping", "unbounded",
}

func (g gen) ident() Ident {
	return Ident{Name: rapid.SampledFrom(trickyNames).Draw(g.T, "name")}
}

func (g gen) idents(least int) []Ident {
	list := make([]Ident, least+g.n(2))
	for i := range list {
		list[i] = g.ident()
	}
	return list
}

func (g gen) name() Name { return Name{Parts: g.idents(1)} }

func (g gen) text() string {
	return rapid.SampledFrom([]string{"", "x", "it's", "a\nb", `\d+`, "--", "/*", "5 seconds", "中", `"`}).Draw(g.T, "text")
}

func (g gen) unit() TimeUnit {
	return rapid.SampledFrom([]TimeUnit{Year, Month, Day, Hour, Minute, Second, Week, Millisecond}).Draw(g.T, "unit")
}

func (g gen) prec() int { return g.n(4) - 1 }

func (g gen) interval() *Interval {
	i := &Interval{Neg: g.yes(), Text: g.text(), From: g.unit(), FromPrec: g.prec(), ToPrec: -1}
	if g.yes() {
		i.To, i.ToPrec = g.unit(), g.prec()
	}
	return i
}

func (g gen) literal() Expr {
	return rapid.SampledFrom([]Expr{
		&Literal{Kind: LitNull}, &Literal{Kind: LitUnknown}, &Literal{Kind: LitBool, Text: "TRUE"},
		&Literal{Kind: LitInt, Text: "7"}, &Literal{Kind: LitDecimal, Text: ".5"}, &Literal{Kind: LitDecimal, Text: "1."},
		&Literal{Kind: LitFloat, Text: "1E-3"}, &Literal{Kind: LitString, Text: g.text()}, &Literal{Kind: LitBytes, Text: "CAFE"},
		&Literal{Kind: LitDate, Text: g.text()}, &Literal{Kind: LitTime, Text: "x"}, &Literal{Kind: LitTimestamp, Text: "x"},
		&Literal{Kind: LitTimestampLTZ, Text: "x"},
	}).Draw(g.T, "literal")
}

func (g gen) exprs(depth, least int) []Expr {
	list := make([]Expr, least+g.n(2))
	for i := range list {
		list[i] = g.expr(depth)
	}
	return list
}

// expr draws an expression.
func (g gen) expr(depth int) Expr {
	if depth <= 0 {
		switch g.n(3) {
		case 0:
			return g.literal()
		case 1:
			return g.interval()
		}
		return &ColumnRef{Name: g.name()}
	}
	depth--
	x := func() Expr { return g.expr(depth - g.n(1)) }
	switch g.n(23) {
	case 0, 1:
		return &Unary{Op: rapid.SampledFrom([]Op{OpNot, OpNeg, OpPos}).Draw(g.T, "op"), X: x()}
	case 2, 3, 4, 5:
		ops := []Op{OpOr, OpAnd, OpEq, OpNe, OpLe, OpDistinctFrom, OpNotDistinctFrom, OpOverlaps, OpConcat, OpAdd, OpSub, OpMul, OpMod}
		return &Binary{Op: rapid.SampledFrom(ops).Draw(g.T, "op"), L: x(), R: x()}
	case 6:
		return &Is{X: x(), Not: g.yes(), Test: rapid.SampledFrom([]IsTest{IsNull, IsTrue, IsUnknown, IsJSON, IsJSONArray}).Draw(g.T, "test")}
	case 7:
		return &Between{X: x(), Not: g.yes(), Symmetric: g.yes(), Low: x(), High: x()}
	case 8:
		l := &Like{Kind: rapid.SampledFrom([]LikeKind{LikePlain, LikeNoCase, LikeSimilar, LikeRegexp}).Draw(g.T, "like"), Not: g.yes(), X: x(), Pattern: x()}
		if l.Kind != LikeRegexp && g.yes() {
			l.Escape = x()
		}
		return l
	case 9:
		return &In{X: x(), Not: g.yes(), List: g.exprs(depth-1, 2)}
	case 10:
		return &In{X: x(), Not: g.yes(), Query: g.query(depth - 1)}
	case 11:
		return &Exists{Query: g.query(depth - 1)}
	case 12:
		return &Subquery{Query: g.query(depth - 1)}
	case 13:
		return &Quantified{X: x(), Op: OpLe, All: g.yes(), Query: g.query(depth - 1)}
	case 14:
		return g.caseExpr(depth)
	case 15:
		return &Cast{X: x(), Type: g.typ(2), Try: g.yes()}
	case 16:
		return g.row(depth)
	case 17:
		return &Array{Elems: g.exprs(depth-1, 0)}
	case 18:
		return &Map{Keys: []Expr{x()}, Values: []Expr{x()}}
	case 19:
		return &Index{X: x(), I: x()}
	case 20:
		return &Field{X: x(), Name: g.ident()}
	case 21:
		z := &AtZone{X: x()}
		if !g.yes() {
			z.Zone = x()
		}
		return z
	default:
		return g.call(depth)
	}
}

func (g gen) row(depth int) Expr {
	if g.yes() {
		return &Row{Explicit: true, Elems: g.exprs(depth-1, 0)}
	}
	return &Row{Elems: g.exprs(depth-1, 2)}
}

func (g gen) caseExpr(depth int) Expr {
	c := &Case{}
	if g.yes() {
		c.Operand = g.expr(depth - 1)
	}
	for range 1 + g.n(1) {
		c.Whens = append(c.Whens, When{Cond: g.expr(depth - 1), Then: g.expr(depth - 1)})
	}
	if g.yes() {
		c.Else = g.expr(depth - 1)
	}
	return c
}

// call draws a call. Its name may be that of a special form, with or without the arguments of the form.
func (g gen) call(depth int) Expr {
	symbol := func(words ...string) Arg {
		return Arg{X: &Symbol{Word: rapid.SampledFrom(words).Draw(g.T, "symbol")}}
	}
	arg := func() Arg { return Arg{X: g.expr(depth - 1)} }
	args := func(least int) []Arg {
		var list []Arg
		for range least + g.n(2) {
			list = append(list, arg())
		}
		return list
	}
	c := &Call{Name: Name{Parts: []Ident{{Name: "f"}}}}
	named := func(name string, args ...Arg) *Call {
		c.Name.Parts[0].Name, c.Args = name, args
		return c
	}
	switch g.n(13) {
	case 0:
		return named("EXTRACT", symbol("HOUR", "EPOCH"), arg())
	case 1:
		return named("floor", arg(), symbol("DAY", "YEAR"))
	case 2:
		return named("POSITION", arg(), arg())
	case 3:
		return named("TRIM", symbol("BOTH", "LEADING"), arg(), arg())
	case 4:
		return named("TRIM", symbol("BOTH", "TRAILING"), arg())
	case 5:
		return named("OVERLAY", args(1)...)
	case 6:
		return named("TIMESTAMPADD", append([]Arg{symbol("HOUR", "WEEK")}, args(1)...)...)
	case 7:
		return named("DATE_DIFF", Arg{X: &ColumnRef{Name: Name{Parts: []Ident{{Name: "a"}}}}}, arg(), symbol("MONTH"))
	case 8:
		named("JSON_OBJECT", arg(), arg())
		c.JSON = g.jsonOptions(depth)
		return c
	case 9:
		named("JSON_VALUE", args(1)...)
		c.JSON = g.jsonOptions(depth)
		return c
	case 10:
		name := rapid.SampledFrom([]string{"EXTRACT", "FLOOR", "POSITION", "TRIM", "OVERLAY", "SUBSTRING", "DATE_TRUNC", "LAST_DAY", "TIMESTAMPDIFF", "JSON_OBJECTAGG", "JSON_ARRAY"}).Draw(g.T, "form")
		return named(name, args(0)...)
	case 11:
		return &Call{Name: Name{Parts: []Ident{{Name: "CURRENT_DATE"}}}, NoParens: true}
	case 12:
		return named("COUNT", Arg{X: &Star{}})
	}
	return g.aggregate(depth, args)
}

// aggregate draws a call with all that may follow it.
func (g gen) aggregate(depth int, args func(int) []Arg) Expr {
	c := &Call{Name: g.name(), Args: args(0)}
	if argShapes[upper(c.Name.Parts[0].Name)] == shapePlain {
		for i := range c.Args {
			if g.yes() {
				name := g.ident()
				c.Args[i].Name = &name
			}
		}
	}
	if len(c.Args) > 0 {
		c.Distinct = g.yes() && c.Args[0].Name == nil
		c.OrderBy = g.orders(depth)
	}
	if g.yes() {
		c.Within = append(g.orders(depth), Order{X: g.expr(0)})
	}
	if g.yes() {
		c.Filter = g.expr(depth - 1)
	}
	c.Nulls = NullTreatment(g.n(2))
	if g.yes() {
		c.Over = g.window(depth)
	}
	return c
}

func (g gen) jsonOptions(depth int) *JSONOptions {
	o := &JSONOptions{OnNull: rapid.SampledFrom([]JSONNulls{NullOnNull, AbsentOnNull}).Draw(g.T, "nulls")}
	if g.yes() {
		o.Returning = g.typ(1)
	}
	if g.yes() {
		o.Wrapper = ConditionalWrapper
	}
	if g.yes() {
		o.OnEmpty = &JSONBehavior{Kind: YieldDefault, Default: g.expr(depth - 1)}
	}
	if g.yes() {
		o.OnError = &JSONBehavior{Kind: YieldEmptyObject}
	}
	return o
}

func (g gen) window(depth int) *Window {
	w := &Window{}
	if g.yes() {
		ref := g.ident()
		if w.Ref = &ref; g.yes() {
			w.Bare = true
			return w
		}
	}
	if g.yes() {
		w.PartitionBy = g.exprs(depth-1, 1)
	}
	w.OrderBy = g.orders(depth)
	if g.yes() {
		w.Frame = &Frame{Unit: FrameRange, Start: Bound{Kind: Preceding, X: g.expr(depth - 1)}}
		if g.yes() {
			w.Frame.End = &Bound{Kind: Following, X: g.expr(depth - 1)}
		}
	}
	return w
}

func (g gen) orders(depth int) []Order {
	var list []Order
	for range g.n(2) {
		list = append(list, Order{X: g.expr(depth - 1), Desc: g.yes(), Nulls: NullsOrder(g.n(2))})
	}
	return list
}

func (g gen) typ(depth int) *Type {
	t := &Type{NotNull: false}
	switch kind := g.n(5); {
	case kind == 0 && depth > 0:
		t.Name, t.Elem = TypeArray, g.typ(depth-1)
		t.Elem.NotNull = g.yes()
	case kind == 1 && depth > 0:
		t.Name, t.Key, t.Elem = TypeMap, g.typ(depth-1), g.typ(depth-1)
	case kind == 2 && depth > 0:
		t.Name = TypeRow
		for range 1 + g.n(1) {
			t.Fields = append(t.Fields, TypeField{Name: g.ident(), Type: g.typ(depth - 1), Comment: g.text()})
		}
	case kind == 3:
		t.Name, t.From, t.FromPrec, t.To, t.ToPrec = TypeInterval, Day, g.prec(), Second, g.prec()
	case kind == 4:
		t.Name, t.Args = TypeDecimal, []int{10, 2}
	default:
		t.Name = rapid.SampledFrom([]TypeName{TypeBigint, TypeString, TypeTimestamp, TypeTimestampLTZ, TypeDouble}).Draw(g.T, "type")
	}
	return t
}

// TestGeneratedExpr checks that any expression prints to a text that parses to it.
func TestGeneratedExpr(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := gen{t}.expr(rapid.IntRange(0, 4).Draw(t, "depth"))
		text := FormatExpr(x)
		got, err := ParseExpr("", text)
		if err != nil {
			t.Fatalf("%s\nin %s", details(err), text)
		}
		if a, b := dump(x), dump(got); a != b {
			t.Fatalf("%s\nwas    %s\nparses %s", text, a, b)
		}
	})
}

// TestGeneratedQuery checks that any query prints to a text that parses to it.
func TestGeneratedQuery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &QueryStmt{Query: gen{t}.query(rapid.IntRange(0, 3).Draw(t, "depth"))}
		text := Format(s)
		got, err := Parse("", text)
		if err != nil || len(got) != 1 {
			t.Fatalf("%s\nin %s", details(err), text)
		}
		if a, b := dump(s), dump(got[0]); a != b {
			t.Fatalf("%s\nwas    %s\nparses %s", text, a, b)
		}
	})
}
