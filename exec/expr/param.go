package expr

import "github.com/apache/arrow/go/v17/arrow"

// Param says what an argument may be.
type Param struct {
	Name string // as in a synopsis: "number"
	What string // as in a sentence: "a number"
	// Accepts reports whether a value of the type may be given.
	Accepts func(arrow.DataType) bool
	// To is the type the value is converted to; nil leaves it as it is.
	To func(arrow.DataType) arrow.DataType
	// Null is the type a bare NULL takes.
	Null arrow.DataType
	// Spelled accepts the text of a STRING literal and converts it to Null's type.
	Spelled bool
	// Symbol accepts a word of the grammar only.
	Symbol bool
	// Cast converts to To as CAST does, not only where that goes without saying.
	Cast bool
	// Only, if set, limits the parameter to some expressions.
	Only func(Expr) bool
}

// Parameters of the built-in functions.
var (
	anyParam     = Param{Name: "value", What: "a value", Accepts: func(arrow.DataType) bool { return true }, Null: Unknown}
	boolParam    = exactly("condition", "a BOOLEAN", Boolean)
	numberParam  = Param{Name: "number", What: "a number", Accepts: isNumber, Null: Int}
	integerParam = Param{Name: "integer", What: "an integer", Accepts: isInteger, Null: Int}
	intParam     = Param{Name: "integer", What: "an integer", Accepts: isInteger, To: always(BigInt), Null: BigInt}
	doubleParam  = Param{Name: "number", What: "a number", Accepts: isNumber, To: always(Double), Null: Double}
	stringParam  = exactly("string", "a STRING", String)
	// writtenParam is a value of any type, taken as its text.
	writtenParam = Param{Name: "string", What: "a STRING", Accepts: isScalar, To: always(String), Null: String, Cast: true}
	symbolParam  = Param{Name: "UNIT", What: "a keyword", Accepts: is(String), Symbol: true}
	dateParam    = exactly("date", "a DATE", Date)
	timeParam    = exactly("time", "a TIME", Time)
	dayTimeParam = exactly("interval", "an INTERVAL", DayTime)
	monthsParam  = exactly("interval", "an INTERVAL", YearMonth)
	// timestampParam is a TIMESTAMP, a TIMESTAMP_LTZ, or a DATE taken as its midnight.
	timestampParam = Param{Name: "timestamp", What: "a TIMESTAMP", Accepts: isDateOrTimestamp, To: midnight, Null: Timestamp(3), Spelled: true}
)

func isScalar(t arrow.DataType) bool { return !arrow.IsNested(t.ID()) }

// exactly is a parameter of one type.
func exactly(name, what string, t arrow.DataType) Param {
	return Param{Name: name, What: what, Accepts: is(t), Null: t}
}

func is(t arrow.DataType) func(arrow.DataType) bool {
	return func(u arrow.DataType) bool { return u.ID() == t.ID() }
}

func always(t arrow.DataType) func(arrow.DataType) arrow.DataType {
	return func(arrow.DataType) arrow.DataType { return t }
}

func midnight(t arrow.DataType) arrow.DataType {
	if t.ID() == arrow.DATE32 {
		return Timestamp(3)
	}
	return t
}

// accepts reports whether e may be given.
func (p *Param) accepts(e Expr) bool {
	if p.Only != nil && !p.Only(e) {
		return false
	}
	if l, ok := e.(*Literal); ok {
		switch {
		case l.Symbol || p.Symbol:
			return l.Symbol == p.Symbol
		case l.V == nil && l.T.ID() == arrow.NULL:
			return true
		case l.T.ID() == arrow.STRING && p.Spelled:
			return true
		}
	}
	return !p.Symbol && p.Accepts(e.Type())
}

// target is the type e is converted to.
func (p *Param) target(e Expr) arrow.DataType {
	t := e.Type()
	if _, text := literalText(e); t.ID() == arrow.NULL || text && p.Spelled {
		t = p.Null
	}
	if p.To != nil {
		t = p.To(t)
	}
	return t
}

// Results of overloads.

func returns(t arrow.DataType) func([]Expr) arrow.DataType {
	return func([]Expr) arrow.DataType { return t }
}

func returnsArg(i int) func([]Expr) arrow.DataType {
	return func(args []Expr) arrow.DataType { return args[i].Type() }
}
