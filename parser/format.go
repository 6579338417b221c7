package parser

import (
	"strconv"
	"strings"
)

// Format returns the canonical text of a statement, without a semicolon. Parsing it yields the same
// tree, up to spans and the quoting of names.
func Format(s Stmt) string {
	var p printer
	p.stmt(s)
	return p.String()
}

// FormatExpr returns the canonical text of an expression.
func FormatExpr(x Expr) string {
	var p printer
	p.expr(x, levelAny)
	return p.String()
}

// FormatQuery returns the canonical text of a query.
func FormatQuery(q *Query) string {
	var p printer
	p.query(q)
	return p.String()
}

// FormatType returns the canonical text of a type.
func FormatType(t *Type) string {
	var p printer
	p.typ(t)
	return p.String()
}

// String returns the name as it is written in SQL, with quotes where they are needed.
func (n Name) String() string {
	var p printer
	p.name(n)
	return p.String()
}

// String returns the name as it is written in SQL, with quotes if they are needed.
func (i Ident) String() string {
	var p printer
	p.ident(i)
	return p.String()
}

// printer writes canonical text.
type printer struct {
	strings.Builder
	// wary is not 0 inside forms whose words could be mistaken for names, so that these are quoted.
	wary int
}

// put writes texts one after the other.
func (p *printer) put(texts ...string) {
	for _, s := range texts {
		p.WriteString(s)
	}
}

// when writes a text if a condition holds.
func (p *printer) when(cond bool, text string) {
	if cond {
		p.WriteString(text)
	}
}

// brackets writes what f writes in brackets.
func (p *printer) brackets(f func()) {
	p.put("(")
	f()
	p.put(")")
}

// careful writes what f writes, with all names quoted that are words of some form.
func (p *printer) careful(f func()) {
	p.wary++
	f()
	p.wary--
}

// commaList writes elements separated by commas.
func commaList[T any](p *printer, list []T, write func(T)) {
	for i, x := range list {
		p.when(i > 0, ", ")
		write(x)
	}
}

// idents writes (a, b).
func (p *printer) idents(list []Ident) {
	p.brackets(func() { commaList(p, list, p.ident) })
}

// name writes a dotted name. Words behind a dot need no quotes.
func (p *printer) name(n Name) {
	for i, part := range n.Parts {
		switch {
		case i == 0:
			p.ident(part)
		case isPlainWord(part.Name):
			p.put(".", part.Name)
		default:
			p.put(".", quoteName(part.Name))
		}
	}
}

// ident writes a name.
func (p *printer) ident(i Ident) {
	if p.needsQuotes(i.Name) {
		p.put(quoteName(i.Name))
		return
	}
	p.put(i.Name)
}

// needsQuotes tells whether a name reads as something else without quotes.
func (p *printer) needsQuotes(name string) bool {
	if !isPlainWord(name) {
		return true
	}
	w, known := lookupWord(name)
	return known && (w.reserved || neverBare[w.text] || p.wary > 0 && formWords[w.text])
}

// wordSet makes a set of the words of a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// neverBare are words that start or join expressions though they are not reserved.
var neverBare = wordSet(`ARRAY ASYMMETRIC CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP ESCAPE ILIKE LOCALTIME
	LOCALTIMESTAMP MAP OVERLAPS RLIKE ROW SIMILAR SYMMETRIC`)

// formWords are words that have a meaning inside the special forms of functions, in windows, sort keys
// and columns of tables.
var formWords = func() map[string]bool {
	set := wordSet(`ABSENT AFTER ASC AT BOTH COMMENT CURRENT DEFAULT DEFINE DESC EMPTY ERROR FILTER FIRST FOLLOWING
		IGNORE KEY LAST LEADING MEASURES METADATA NULLS ONE PARTITION PATTERN PERMUTE PLACING PRECEDING PRIMARY
		RANGE RESPECT RETURNING ROWS SUBSET TO TRAILING UNBOUNDED UNIQUE VALUE WITHIN WITHOUT`)
	for word := range unitOf {
		set[word] = true
	}
	return set
}()

// label writes the name of a job or a type: a word if it is one, and a string otherwise.
func (p *printer) label(t Text) {
	if isPlainWord(t.Value) && !isReserved(t.Value) {
		p.put(t.Value)
		return
	}
	p.put(quoteString(t.Value))
}

// properties writes ('key' = 'value', …).
func (p *printer) properties(list []Property) {
	p.brackets(func() { commaList(p, list, p.property) })
}

// property writes 'key' = 'value'.
func (p *printer) property(x Property) {
	p.put(quoteString(x.Key.Value), " = ", quoteString(x.Value.Value))
}

// comment writes COMMENT 'text' if there is one.
func (p *printer) comment(text string) {
	if text != "" {
		p.put(" COMMENT ", quoteString(text))
	}
}

// typ writes a type.
func (p *printer) typ(t *Type) {
	p.put(string(t.Name))
	switch t.Name {
	case TypeArray:
		p.put("<")
		p.typ(t.Elem)
		p.put(">")
	case TypeMap:
		p.put("<")
		p.typ(t.Key)
		p.put(", ")
		p.typ(t.Elem)
		p.put(">")
	case TypeRow:
		p.put("<")
		commaList(p, t.Fields, p.typeField)
		p.put(">")
	case TypeInterval:
		p.put(" ")
		p.units(t.From, t.FromPrec, t.To, t.ToPrec)
	}
	if len(t.Args) > 0 {
		p.brackets(func() { commaList(p, t.Args, func(n int) { p.put(strconv.Itoa(n)) }) })
	}
	p.when(t.NotNull, " NOT NULL")
}

// typeField writes a field of a ROW type.
func (p *printer) typeField(f TypeField) {
	p.ident(f.Name)
	p.put(" ")
	p.typ(f.Type)
	if f.Comment != "" {
		p.put(" ", quoteString(f.Comment))
	}
}

// units writes DAY(2) TO SECOND(3).
func (p *printer) units(from TimeUnit, fromPrec int, to TimeUnit, toPrec int) {
	p.unit(from, fromPrec)
	if to != "" {
		p.put(" TO ")
		p.unit(to, toPrec)
	}
}

// unit writes DAY(2).
func (p *printer) unit(u TimeUnit, prec int) {
	p.put(string(u))
	if prec >= 0 {
		p.put("(", strconv.Itoa(prec), ")")
	}
}
