package parser

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// oracle reads expressions by precedence climbing, as a second opinion on what the lowering to sqlparser
// yields: the same tree with the same places.
type oracle struct{ *parser }

// node sets the span of a node from the token lo to the last one read.
func (o oracle) node(lo int) Span { return o.spanFrom(lo) }

// climb reads an expression whose operators bind at least as tight as level. It returns the token
// where the operand starts, brackets included.
func (o oracle) climb(level int) Expr {
	lo := o.pos
	var x Expr
	switch {
	case level <= levelNot && o.is("NOT"):
		op := o.tok(0).span()
		o.pos++
		inner := o.climb(levelNot)
		x = &Unary{o.node(lo), OpNot, op, inner}
		return o.rest(lo, x, level, levelAnd)
	case o.is("-") || o.is("+"):
		t := o.tok(0)
		o.pos++
		inner := o.climb(levelSign)
		x = &Unary{o.node(lo), Op(t.word), t.span(), inner}
		return o.rest(lo, x, level, levelPrimary)
	}
	x = o.postfixes(lo, o.primary())
	return o.rest(lo, x, level, levelPrimary)
}

// rest reads the operators behind an operand that bind at least as tight as level and no tighter
// than most.
func (o oracle) rest(lo int, x Expr, level, most int) Expr {
	for {
		op, opLevel := o.operator()
		if op == "" || opLevel < level || opLevel > most {
			return x
		}
		at := o.tok(0).span()
		if opLevel == levelCompare {
			x = o.comparison(lo, x, op, at)
			most = levelCompare
			if _, isTest := x.(*Is); !isTest {
				most = levelCompare - 1
				if o.is("IS") && !o.distinct() {
					most = levelCompare
				}
			}
			continue
		}
		o.pos++
		y := o.climb(opLevel + 1)
		x = &Binary{o.node(lo), op, at, x, y}
	}
}

// distinct tells whether IS [NOT] DISTINCT FROM follows.
func (o oracle) distinct() bool {
	return o.looksAt("IS DISTINCT FROM") || o.looksAt("IS NOT DISTINCT FROM")
}

// operator returns the operator at the current token and its level.
func (o oracle) operator() (Op, int) {
	word := o.tok(0).word
	switch word {
	case "IS", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "IN":
		return Op(word), levelCompare
	case "NOT":
		return "NOT", levelCompare
	}
	if level, ok := binaryLevels[Op(word)]; ok {
		return Op(word), level
	}
	return "", 0
}

// comparison reads what follows the left side of a comparison.
func (o oracle) comparison(lo int, x Expr, op Op, at Span) Expr {
	if o.is("IS") {
		return o.isTests(lo, x)
	}
	not := false
	if op == "NOT" {
		not = true
		o.pos++
		op = Op(o.tok(0).word)
	}
	o.pos++
	switch op {
	case "BETWEEN":
		symmetric := o.accept("SYMMETRIC")
		low := o.climb(levelConcat)
		o.pos++
		high := o.climb(levelConcat)
		return &Between{o.node(lo), x, not, symmetric, low, high}
	case "LIKE", "ILIKE", "RLIKE":
		pattern := o.climb(levelConcat)
		var escape Expr
		if o.accept("ESCAPE") {
			escape = o.climb(levelConcat)
		}
		return &Like{o.node(lo), LikeKind(op), not, x, pattern, escape}
	case "IN":
		list := o.elems("(", ")")
		return &In{Span: o.node(lo), X: x, Not: not, List: list}
	}
	y := o.climb(levelConcat)
	return &Binary{o.node(lo), op, at, x, y}
}

// isTests reads IS and what follows.
func (o oracle) isTests(lo int, x Expr) Expr {
	start := o.tok(0).span()
	o.pos++
	not := o.accept("NOT")
	if o.accept("DISTINCT FROM") {
		op := OpDistinctFrom
		if not {
			op = OpNotDistinctFrom
		}
		opPos := start.To(o.tok(-1).span())
		y := o.climb(levelConcat)
		return &Binary{o.node(lo), op, opPos, x, y}
	}
	test := IsTest(o.tok(0).word)
	o.pos++
	return &Is{o.node(lo), x, not, test}
}

// elems reads a list in brackets.
func (o oracle) elems(open, closes string) []Expr {
	o.pos++
	list := []Expr{}
	for !o.accept(closes) {
		list = append(list, o.climb(levelAny))
		o.accept(",")
	}
	return list
}

// postfixes reads casts, indexes, fields and time zones.
func (o oracle) postfixes(lo int, x Expr) Expr {
	for {
		switch {
		case o.accept("::"):
			typ := o.typ()
			x = &Cast{Span: o.node(lo), X: x, Type: typ}
		case o.accept("["):
			i := o.climb(levelAny)
			o.accept("]")
			x = &Index{o.node(lo), x, i}
		case o.accept("."):
			name := o.identOf(o.tok(0))
			o.pos++
			x = &Field{o.node(lo), x, name}
		case o.accept("AT TIME ZONE"):
			zone := o.literal()
			x = &AtZone{o.node(lo), x, zone}
		default:
			return x
		}
	}
}

// primary reads an operand without postfixes.
func (o oracle) primary() Expr {
	lo := o.pos
	if x := o.literal(); x != nil {
		return x
	}
	switch {
	case o.is("CASE"):
		return o.caseExpr()
	case o.is("ARRAY") && o.isAt(1, "["):
		o.pos++
		list := o.elems("[", "]")
		return &Array{o.node(lo), list}
	case o.is("("):
		list := o.elems("(", ")")
		if len(list) == 1 {
			return list[0]
		}
		return &Row{o.node(lo), false, list}
	}
	first := o.identOf(o.tok(0))
	o.pos++
	name := o.dotted(lo, first)
	if !o.is("(") {
		return &ColumnRef{name.Span, name}
	}
	c := &Call{Name: name}
	o.pos++
	for !o.accept(")") {
		x := o.climb(levelAny)
		c.Args = append(c.Args, Arg{X: x})
		o.accept(",")
	}
	c.Span = o.node(lo)
	return c
}

// caseExpr reads CASE … END.
func (o oracle) caseExpr() Expr {
	lo := o.pos
	o.pos++
	c := &Case{Whens: []When{}}
	if !o.is("WHEN") {
		c.Operand = o.climb(levelAny)
	}
	for o.is("WHEN") {
		start := o.pos
		o.pos++
		cond := o.climb(levelAny)
		o.pos++
		then := o.climb(levelAny)
		c.Whens = append(c.Whens, When{o.node(start), cond, then})
	}
	if o.accept("ELSE") {
		c.Else = o.climb(levelAny)
	}
	o.accept("END")
	c.Span = o.node(lo)
	return c
}

// withSpans writes the tree with the places of expressions.
func withSpans(x Expr) string {
	var b strings.Builder
	Inspect(x, func(n Node) bool {
		if e, ok := n.(Expr); ok {
			b.WriteString(dump(e.At()))
			if op, ok := e.(*Binary); ok {
				b.WriteString(dump(op.OpPos))
			}
		}
		return true
	})
	return dump(x) + b.String()
}

// exprText draws the text of an expression with few brackets, so that precedence decides.
func exprText(t *rapid.T, depth int) string {
	if depth <= 0 {
		return rapid.SampledFrom([]string{"a", "b.c", `"x y"`, "1", "2.5", "'s'", "NULL", "TRUE", "f()", "INTERVAL '1' DAY", "DATE '2020-01-01'"}).Draw(t, "leaf")
	}
	sub := func() string { return exprText(t, depth-1-rapid.IntRange(0, 1).Draw(t, "less")) }
	value := func() string { return valueText(t, depth-1) }
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return sub() + " AND " + sub()
	case 1:
		return sub() + " OR " + sub()
	case 2:
		return "NOT " + sub()
	case 3:
		return value() + rapid.SampledFrom([]string{" = ", " <> ", " < ", " >= ", " LIKE ", " NOT ILIKE ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM "}).Draw(t, "op") + value()
	case 4:
		return value() + rapid.SampledFrom([]string{" BETWEEN ", " NOT BETWEEN ", " BETWEEN SYMMETRIC "}).Draw(t, "op") + value() + " AND " + value()
	case 5:
		return value() + rapid.SampledFrom([]string{" IN (", " NOT IN ("}).Draw(t, "op") + sub() + ", " + sub() + ")"
	case 6:
		return value() + rapid.SampledFrom([]string{" IS NULL", " IS NOT TRUE", " IS UNKNOWN", " = b IS NULL", " LIKE 'x' ESCAPE '!'"}).Draw(t, "op")
	case 7:
		return "(" + sub() + ")"
	default:
		return value()
	}
}

// valueText draws the text of an expression that may stand beside an operator.
func valueText(t *rapid.T, depth int) string {
	if depth <= 0 {
		return exprText(t, 0)
	}
	sub := func() string { return exprText(t, depth-1) }
	value := func() string { return valueText(t, depth-1) }
	switch rapid.IntRange(0, 11).Draw(t, "value") {
	case 0, 1, 2, 3:
		return value() + rapid.SampledFrom([]string{" + ", " - ", " * ", " / ", " % ", " || "}).Draw(t, "op") + value()
	case 4:
		return rapid.SampledFrom([]string{"- ", "+ "}).Draw(t, "sign") + value()
	case 5:
		return "(" + sub() + ", " + sub() + ")"
	case 6:
		return "f(" + sub() + ", " + sub() + ")"
	case 7:
		return "CASE WHEN " + sub() + " THEN " + sub() + " ELSE " + sub() + " END"
	case 8:
		return "CASE " + sub() + " WHEN " + sub() + " THEN " + sub() + " END"
	case 9:
		return "(" + sub() + ")" + rapid.SampledFrom([]string{"::INT", "[1]", ".f", " AT TIME ZONE 'UTC'", "::VARCHAR(3)[2].g"}).Draw(t, "postfix")
	case 10:
		return "ARRAY[" + sub() + "]" + rapid.SampledFrom([]string{"", "[2]", "::STRING"}).Draw(t, "postfix")
	default:
		return "(" + sub() + ")"
	}
}

// TestOracle checks that lowering to sqlparser and precedence climbing read the same trees with the
// same places.
func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := exprText(t, rapid.IntRange(1, 5).Draw(t, "depth"))
		got, err := ParseExpr("", text)
		if err != nil {
			t.Fatalf("%s\nin %s", details(err), text)
		}
		toks := lex(text)
		p := &parser{src: text, toks: toks, end: len(toks) - 1}
		p.pairBrackets()
		want := oracle{p}.climb(levelAny)
		if p.err != nil || !p.done() {
			t.Fatalf("the oracle stops at token %d of %s", p.pos, text)
		}
		if a, b := withSpans(got), withSpans(want); a != b {
			t.Fatalf("%s\nis read as     %s\nthe oracle says %s", text, a, b)
		}
	})
}
