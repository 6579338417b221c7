package expr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

// intervalField is one field of an interval: "day" and what it counts.
type intervalField struct {
	unit   string
	size   int64  // in months or milliseconds
	before string // separator in front of the field when it is not the first
}

var monthFields = []intervalField{{"YEAR", 12, ""}, {"MONTH", 1, "-"}}

var dayFields = []intervalField{
	{"DAY", 86400000, ""}, {"HOUR", 3600000, " "}, {"MINUTE", 60000, ":"}, {"SECOND", 1000, ":"},
}

// singleUnits are the units that stand alone, in the months or milliseconds they last.
var singleUnits = map[string]struct {
	months bool
	size   int64
}{
	"MILLENNIUM": {true, 12000}, "CENTURY": {true, 1200}, "DECADE": {true, 120}, "QUARTER": {true, 3},
	"WEEK": {false, 7 * 86400000}, "MILLISECOND": {false, 1},
}

// NewInterval is INTERVAL 'value' from [TO to], negated if neg: '10' MINUTE, '1-2' YEAR TO MONTH, '1 02:03:04.5' DAY TO SECOND.
func NewInterval(value, from, to string, neg bool) (*Literal, error) {
	text := strings.TrimSpace(value)
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		neg, text = !neg, strings.TrimSpace(rest)
	}
	amount, months, ok := parseInterval(text, from, to)
	if !ok {
		return nil, badInterval(value, from, to)
	}
	if neg {
		amount = -amount
	}
	if !months {
		return NewDayTime(amount), nil
	}
	if amount != int64(int32(amount)) {
		return nil, badInterval(value, from, to)
	}
	return NewYearMonth(int32(amount)), nil
}

func badInterval(value, from, to string) error {
	if to != "" {
		from += " TO " + to
	}
	return fmt.Errorf("'%s' is not an INTERVAL %s", value, from)
}

// parseInterval reads the amount without sign, in months or milliseconds.
func parseInterval(text, from, to string) (amount int64, months, ok bool) {
	if u, single := singleUnits[from]; single && to == "" {
		n, ok := parseFields(text, []intervalField{{from, u.size, ""}})
		return n, u.months, ok
	}
	if to == "" {
		to = from
	}
	if fields := fieldRange(monthFields, from, to); fields != nil {
		amount, ok = parseFields(text, fields)
		return amount, true, ok
	}
	fields := fieldRange(dayFields, from, to)
	if fields == nil {
		return 0, false, false
	}
	amount, ok = parseFields(text, fields)
	return amount, false, ok
}

// fieldRange is the part of fields between two units, or nil if they are not among them in this order.
func fieldRange(fields []intervalField, from, to string) []intervalField {
	is := func(unit string) func(intervalField) bool {
		return func(f intervalField) bool { return f.unit == unit }
	}
	i, j := slices.IndexFunc(fields, is(from)), slices.IndexFunc(fields, is(to))
	if i < 0 || j < i {
		return nil
	}
	return fields[i : j+1]
}

// parseFields reads one number for each field; the last may have a fraction if it is a second. Behind the first, a field is smaller
// than one of the field before it: there is no minute 99 of an hour.
func parseFields(text string, fields []intervalField) (int64, bool) {
	total := int64(0)
	for i, f := range fields {
		part := text
		if i+1 < len(fields) {
			var found bool
			if part, text, found = strings.Cut(text, fields[i+1].before); !found {
				return 0, false
			}
		}
		amount, ok := fieldAmount(part, f)
		if !ok || i > 0 && amount >= fields[i-1].size || total > math.MaxInt64-amount {
			return 0, false
		}
		total += amount
	}
	return total, true
}

func fieldAmount(part string, f intervalField) (int64, bool) {
	whole, fraction, _ := strings.Cut(part, ".")
	n, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || int64(n) > math.MaxInt64/f.size-1 {
		return 0, false
	}
	if fraction == "" {
		return int64(n) * f.size, !strings.HasSuffix(part, ".")
	}
	milli, err := strconv.ParseUint((fraction + "000")[:3], 10, 63)
	if err != nil || f.unit != "SECOND" || len(fraction) > 9 {
		return 0, false
	}
	return int64(n)*1000 + int64(milli), true
}

// intervalText is the SQL text of an interval literal.
func intervalText(v any) string {
	if months, ok := v.(arrow.MonthInterval); ok {
		return formatInterval(int64(months), monthFields)
	}
	ms := int64(v.(arrow.Duration))
	if ms%1000 == 0 {
		return formatInterval(ms, dayFields)
	}
	sign, abs := "", uint64(ms)
	if ms < 0 {
		sign, abs = "-", -abs
	}
	return fmt.Sprintf("INTERVAL '%s%d.%03d' SECOND", sign, abs/1000, abs%1000)
}

// formatInterval writes the amount in the largest single unit that divides it.
func formatInterval(n int64, fields []intervalField) string {
	for _, f := range fields {
		if n%f.size == 0 && n != 0 {
			return fmt.Sprintf("INTERVAL '%d' %s", n/f.size, f.unit)
		}
	}
	return fmt.Sprintf("INTERVAL '%d' %s", n, fields[len(fields)-1].unit)
}
