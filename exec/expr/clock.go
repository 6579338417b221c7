package expr

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

// Sizes of units in milliseconds.
const (
	second = 1000
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
)

// clock takes the values of a TIMESTAMP type apart, as days and the time of day on the wall: of no zone for TIMESTAMP, of the
// session's for TIMESTAMP_LTZ.
type clock struct {
	unit   arrow.TimeUnit
	perDay int64
	zone   *time.Location // nil: none
}

// unitsPerSecond is the number of values of a unit in a second.
var unitsPerSecond = [...]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}

func clockOf(t arrow.DataType, s Settings) clock {
	ts := t.(*arrow.TimestampType)
	c := clock{unit: ts.Unit, perDay: unitsPerSecond[ts.Unit] * (day / second)}
	if ts.TimeZone != "" && s.zone() != time.UTC {
		c.zone = s.zone()
	}
	return c
}

// split is the date, as days since 1970-01-01, and the time of day in units.
func (c *clock) split(v int64) (days, rest int64) {
	if c.zone != nil {
		v = text.ToLocal(v, c.unit, c.zone)
	}
	days = floorDiv(v, c.perDay)
	return days, v - days*c.perDay
}

// join is the inverse of split.
func (c *clock) join(days, rest int64) int64 {
	v := days*c.perDay + rest
	if c.zone != nil {
		v = text.ToUTC(v, c.unit, c.zone)
	}
	return v
}

// perMilli is the number of units in a millisecond; TIMESTAMP(0) has none.
func (c *clock) perMilli() int64 { return unitsPerSecond[c.unit] / 1000 }

// floorDiv is a / b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// addMonths moves a date by months; a day the month does not have becomes its last.
func addMonths(days, months int64) int64 {
	year, month, dayOfMonth := text.Civil(days)
	total := int64(year)*12 + int64(month) - 1 + months
	y := floorDiv(total, 12)
	m := int(total-y*12) + 1
	return text.Days(int(y), m, min(dayOfMonth, text.DaysIn(int(y), m)))
}

// maxMonths bounds the months that a date may be moved by, so that no sum overflows.
const maxMonths = 12 * 200_000
