package oracle

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A value is nil for NULL, or a bool, int64, float64, string or time.Time.
type value = any

type row = []value

// kind is the SQL type of an expression.
type kind int

const (
	boolean kind = iota
	integer      // INT or BIGINT
	double
	text
	timestamp
)

// truth is a condition's value: SQL's three-valued logic has unknown beside true and false.
type truth int

const (
	no truth = iota
	unknown
	yes
)

func truthOf(v value) truth {
	switch v {
	case nil:
		return unknown
	case true:
		return yes
	}
	return no
}

func (t truth) value() value {
	if t == unknown {
		return nil
	}
	return t == yes
}

// compare orders two values of one kind that are not NULL. A double meets an integer as a double.
func compare(a, b value) int {
	switch a := a.(type) {
	case bool:
		return cmp.Compare(boolRank(a), boolRank(b.(bool)))
	case int64:
		if f, ok := b.(float64); ok {
			return cmp.Compare(float64(a), f)
		}
		return cmp.Compare(a, b.(int64))
	case float64:
		if n, ok := b.(int64); ok {
			return cmp.Compare(a, float64(n))
		}
		return cmp.Compare(a, b.(float64))
	case string:
		return cmp.Compare(a, b.(string))
	case time.Time:
		return a.Compare(b.(time.Time))
	}
	panic(fmt.Sprintf("%T has no order", a))
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// canonical writes a row so that equal rows have equal texts. Doubles are exact in these tests but for one division.
func canonical(r row) string {
	cells := make([]string, len(r))
	for i, v := range r {
		switch v := v.(type) {
		case nil:
			cells[i] = "NULL"
		case float64:
			cells[i] = strconv.FormatFloat(v+0, 'g', 12, 64)
		case string:
			cells[i] = strconv.Quote(v)
		case time.Time:
			cells[i] = v.Format(timeLayout)
		default:
			cells[i] = fmt.Sprint(v)
		}
	}
	return strings.Join(cells, " | ")
}

const timeLayout = "2006-01-02 15:04:05.000"

// literal writes a value as SQL, NULL with its type.
func literal(k kind, v value) string {
	switch v := v.(type) {
	case nil:
		return "CAST(NULL AS " + typeNames[k] + ")"
	case bool:
		return strings.ToUpper(strconv.FormatBool(v))
	case float64:
		return strconv.FormatFloat(v, 'e', -1, 64)
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case time.Time:
		return "TIMESTAMP '" + v.Format(timeLayout) + "'"
	}
	return fmt.Sprint(v)
}

var typeNames = map[kind]string{boolean: "BOOLEAN", integer: "BIGINT", double: "DOUBLE", text: "STRING", timestamp: "TIMESTAMP(3)"}
