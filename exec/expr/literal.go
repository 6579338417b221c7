package expr

import (
	"fmt"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/internal/text"
)

// NewLiteral is a constant of type t; v is as in Literal.V, nil for NULL.
func NewLiteral(t arrow.DataType, v any) *Literal { return &Literal{T: t, V: v} }

// NewNull is NULL of a type; Unknown is the type of a bare NULL, which takes on any other.
func NewNull(t arrow.DataType) *Literal { return &Literal{T: t} }

// NewBool is TRUE or FALSE.
func NewBool(v bool) *Literal { return &Literal{T: Boolean, V: v} }

// NewInt is an INT.
func NewInt(v int32) *Literal { return &Literal{T: Int, V: v} }

// NewBigInt is a BIGINT.
func NewBigInt(v int64) *Literal { return &Literal{T: BigInt, V: v} }

// NewDouble is a DOUBLE.
func NewDouble(v float64) *Literal { return &Literal{T: Double, V: v} }

// NewDecimal is a DECIMAL(precision, scale); v counts 10^-scale.
func NewDecimal(v decimal128.Num, precision, scale int32) *Literal {
	return &Literal{T: Decimal(precision, scale), V: v}
}

// NewString is a STRING.
func NewString(v string) *Literal { return &Literal{T: String, V: v} }

// NewSymbol is a word of the grammar handed to a function: a time unit, BOTH, LEADING or TRAILING.
func NewSymbol(word string) *Literal {
	return &Literal{T: String, V: strings.ToUpper(word), Symbol: true}
}

// NewBytes is a BYTES.
func NewBytes(v []byte) *Literal { return &Literal{T: Bytes, V: string(v)} }

// NewDayTime is an INTERVAL DAY TO SECOND of so many milliseconds.
func NewDayTime(ms int64) *Literal { return &Literal{T: DayTime, V: arrow.Duration(ms)} }

// NewYearMonth is an INTERVAL YEAR TO MONTH.
func NewYearMonth(months int32) *Literal {
	return &Literal{T: YearMonth, V: arrow.MonthInterval(months)}
}

// NewNumber is an unsigned number as written: digits are an INT, or the next larger type that holds them; with a point a
// DECIMAL, with an exponent a DOUBLE.
func NewNumber(digits string) (*Literal, error) {
	b := []byte(digits)
	if strings.ContainsAny(digits, "eE") {
		v, err := text.ParseFloat64(b)
		if err != nil {
			return nil, fmt.Errorf("%s is not a DOUBLE: %w", digits, err)
		}
		return NewDouble(v), nil
	}
	if v, err := text.ParseInt64(b); err == nil {
		if v == int64(int32(v)) {
			return NewInt(int32(v)), nil
		}
		return NewBigInt(v), nil
	}
	return newDecimalText(digits)
}

func newDecimalText(digits string) (*Literal, error) {
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.TrimLeft(whole, "0")
	scale := int32(len(fraction))
	precision := max(1, int32(len(whole))+scale)
	if precision > maxPrecision {
		return nil, fmt.Errorf("%s has more than %d digits; write it with an exponent to make it a DOUBLE", digits, maxPrecision)
	}
	v, err := text.ParseDecimal([]byte(digits), precision, scale)
	if err != nil {
		return nil, fmt.Errorf("%s is not a number: %w", digits, err)
	}
	return NewDecimal(v, precision, scale), nil
}

// NewDate is DATE 'value'.
func NewDate(value string) (*Literal, error) {
	v, err := orPadded(text.ParseDate)([]byte(value))
	if err != nil {
		return nil, fmt.Errorf("'%s' is not a DATE; write it as YYYY-MM-DD", value)
	}
	return NewLiteral(Date, arrow.Date32(v)), nil
}

// NewTime is TIME 'value'.
func NewTime(value string) (*Literal, error) {
	v, err := orPadded(func(b []byte) (int64, error) { return text.ParseTime(b, arrow.Millisecond) })([]byte(value))
	if err != nil {
		return nil, fmt.Errorf("'%s' is not a TIME; write it as HH:MM:SS", value)
	}
	return NewLiteral(Time, arrow.Time32(v)), nil
}

// NewTimestamp is TIMESTAMP 'value', with the precision its fraction is written with.
func NewTimestamp(value string) (*Literal, error) {
	t := Timestamp(fractionDigits(value))
	v, err := orPadded(func(b []byte) (int64, error) { return text.ParseTimestamp(b, t.(*arrow.TimestampType).Unit) })([]byte(value))
	if err != nil {
		return nil, fmt.Errorf("'%s' is not a TIMESTAMP; write it as YYYY-MM-DD HH:MM:SS.fff", value)
	}
	return NewLiteral(t, arrow.Timestamp(v)), nil
}

// NewTimestampLTZ is TIMESTAMP_LTZ 'value': an instant, read in the session's time zone unless the text has an offset.
func NewTimestampLTZ(value string, s Settings) (*Literal, error) {
	t := TimestampLTZ(fractionDigits(value))
	v, err := text.ParseTimestampLTZ([]byte(value), t.(*arrow.TimestampType).Unit, s.zone())
	if err != nil {
		return nil, fmt.Errorf("'%s' is not a TIMESTAMP_LTZ; write it as YYYY-MM-DD HH:MM:SS.fff", value)
	}
	return NewLiteral(t, arrow.Timestamp(v)), nil
}

// fractionDigits counts the digits behind the point, up to 9.
func fractionDigits(value string) int {
	_, fraction, _ := strings.Cut(value, ".")
	n := 0
	for n < len(fraction) && n < 9 && fraction[n]-'0' <= 9 {
		n++
	}
	return n
}

// isNull reports whether e is a NULL literal.
func isNull(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.V == nil
}

// literalText is the text of a STRING literal.
func literalText(e Expr) (string, bool) {
	l, ok := e.(*Literal)
	if !ok || l.T.ID() != arrow.STRING || l.V == nil {
		return "", false
	}
	return l.V.(string), true
}

// literalKey is text that two literals share only if they are the same value of the same type.
func literalKey(l *Literal) string {
	if l.V == nil {
		return TypeName(l.T) + " NULL"
	}
	if _, nested := l.V.(arrow.Array); nested {
		return TypeName(l.T) + " " + l.String()
	}
	return TypeName(l.T) + " " + l.text(nil)
}
