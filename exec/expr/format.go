package expr

import (
	"encoding/hex"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// level is how tightly an operator binds; an operand of a lower level needs brackets.
type level int

const (
	levelOr level = iota
	levelAnd
	levelNot
	levelCompare
	levelAdd
	levelMultiply
	levelUnary
	levelPrimary
)

// form writes a call with its arguments as SQL.
type form func(args []Expr) (string, level)

func (e *Column) String() string { return quoteName(e.Name) }

func (e *Call) String() string { s, _ := e.format(); return s }

func (e *Call) format() (string, level) {
	if e.Fn.form != nil {
		return e.Fn.form(e.Args)
	}
	return callForm(e.Fn.Name)(e.Args)
}

func (e *Cast) String() string {
	name := "CAST("
	if e.Try {
		name = "TRY_CAST("
	}
	return name + e.X.String() + " AS " + TypeName(e.To) + ")"
}

func (e *Case) String() string {
	var b strings.Builder
	b.WriteString("CASE")
	for _, w := range e.Whens {
		b.WriteString(" WHEN " + w.Cond.String() + " THEN " + w.Then.String())
	}
	if !isNull(e.Else) {
		b.WriteString(" ELSE " + e.Else.String())
	}
	return b.String() + " END"
}

func (e *Logic) String() string { s, _ := e.format(); return s }

func (e *Logic) format() (string, level) {
	word, l := " AND ", levelAnd
	if e.Or {
		word, l = " OR ", levelOr
	}
	return strings.Join(operands(e.Args, l+1), word), l
}

// operand is e as an operand of an operator, in brackets if it binds less tightly than least.
func operand(e Expr, least level) string {
	text, l := e.String(), levelPrimary
	switch e := e.(type) {
	case *Call:
		text, l = e.format()
	case *Logic:
		text, l = e.format()
	case *Literal:
		if strings.HasPrefix(text, "-") {
			l = levelUnary
		}
	}
	if l < least {
		return "(" + text + ")"
	}
	return text
}

func operands(args []Expr, least level) []string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = operand(a, least)
	}
	return texts
}

// infix is a op b; op groups to the left.
func infix(op string, l level) form {
	return func(args []Expr) (string, level) {
		return operand(args[0], l) + " " + op + " " + operand(args[1], l+1), l
	}
}

// comparing is a op b for operators that do not chain.
func comparing(op string) form {
	return func(args []Expr) (string, level) {
		x := operands(args, levelCompare+1)
		return x[0] + " " + op + " " + x[1], levelCompare
	}
}

// prefix is op a.
func prefix(op string, l level) form {
	return func(args []Expr) (string, level) { return op + operand(args[0], l+1), l }
}

// postfix is a op.
func postfix(op string, l level) form {
	return func(args []Expr) (string, level) { return operand(args[0], l+1) + " " + op, l }
}

// callForm is NAME(a, b).
func callForm(name string) form {
	return func(args []Expr) (string, level) {
		return name + "(" + strings.Join(operands(args, levelOr), ", ") + ")", levelPrimary
	}
}

// wordForm is a function without brackets, such as CURRENT_DATE.
func wordForm(name string) form { return func([]Expr) (string, level) { return name, levelPrimary } }

func (e *Literal) String() string {
	if e.V == nil {
		return "NULL"
	}
	switch v := e.V.(type) {
	case string:
		return stringText(e, v)
	case arrow.Array:
		return nestedText(v)
	}
	switch e.T.ID() {
	case arrow.FLOAT32, arrow.FLOAT64:
		return doubleText(e.text(nil))
	case arrow.DATE32:
		return "DATE " + quote(e.text(nil))
	case arrow.TIME32:
		return "TIME " + quote(e.text(nil))
	case arrow.TIMESTAMP:
		if isLTZ(e.T) {
			return "TIMESTAMP_LTZ " + quote(e.text(nil)+"Z")
		}
		return "TIMESTAMP " + quote(e.text(nil))
	case arrow.DURATION, arrow.INTERVAL_MONTHS:
		return intervalText(e.V)
	}
	return e.text(nil)
}

func stringText(e *Literal, v string) string {
	switch {
	case e.Symbol:
		return v
	case e.T.ID() == arrow.BINARY:
		return "X'" + strings.ToUpper(hex.EncodeToString([]byte(v))) + "'"
	}
	return quote(v)
}

// doubleText gives a finite number the exponent that makes it a DOUBLE when read again.
func doubleText(s string) string {
	if strings.ContainsAny(s, "eN") || strings.HasSuffix(s, "y") {
		return s
	}
	return s + "e0"
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteName quotes a name that is not a plain identifier.
func quoteName(name string) string {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9' || i == 0) && c != '.' {
			return "`" + strings.ReplaceAll(name, "`", "``") + "`"
		}
	}
	return name
}
