package answers

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Text writes a value in a form that does not depend on the engine. What is no number, text, time, list or truth is written as Go
// does.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		return strings.ToUpper(strconv.FormatBool(v))
	case string:
		return strconv.Quote(v)
	case Number:
		return v.text()
	case []byte:
		return fmt.Sprintf("x%X", v)
	case float32:
		return number(float64(v), 32)
	case float64:
		return number(v, 64)
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.999999")
	case []any:
		elements := make([]string, len(v))
		for i, e := range v {
			elements[i] = Text(e)
		}
		return "[" + strings.Join(elements, ", ") + "]"
	}
	return fmt.Sprint(v)
}

func number(v float64, bits int) string {
	if v == 0 {
		return "0" // -0 and 0 are equal
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// Same tells whether two answers for all rows are the same. Numbers may differ in their last digits.
func Same(a, b string) bool {
	if a == b {
		return true
	}
	x, y := strings.FieldsFunc(a, separates), strings.FieldsFunc(b, separates)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && !close(x[i], y[i]) {
			return false
		}
	}
	return true
}

func separates(r rune) bool { return r == ';' || r == ' ' || r == ',' || r == '[' || r == ']' }

func close(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err != nil || err2 != nil {
		return false
	}
	return x == y || math.Abs(x-y) <= 1e-12*math.Max(math.Abs(x), math.Abs(y))
}

// Number is a decimal number as it is written.
type Number string

// text leaves out zeros behind the point that say nothing.
func (n Number) text() string {
	if !strings.Contains(string(n), ".") {
		return string(n)
	}
	return strings.TrimSuffix(strings.TrimRight(string(n), "0"), ".")
}
