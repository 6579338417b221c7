package window

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

// calendar divides time into periods, each named by a number, the next one starting where one ends.
type calendar interface {
	// period is the number of the period that t lies in, or of one next to it where the clock was changed.
	period(t int64) int64
	// start is when a period starts.
	start(period int64) int64
}

// calendarTumble makes windows of the periods of a calendar.
type calendarTumble struct {
	calendar
	from, to int64 // of the window of the last time; empty before the first
}

func (a *calendarTumble) Assign(times []int64, out *Windows) {
	out.Rows = nil
	out.resize(len(times))
	for i, t := range times {
		if t < a.from || t >= a.to {
			a.from, a.to = a.find(t)
		}
		out.Starts[i], out.Ends[i] = a.from, a.to
	}
}

func (a *calendarTumble) find(t int64) (from, to int64) {
	n := a.period(t)
	for a.start(n) > t {
		n--
	}
	for a.start(n+1) <= t {
		n++
	}
	return a.start(n), a.start(n + 1)
}

// days are periods of days, or of hours, on the wall clock of a zone.
type days struct {
	size, offset int64
	zone         *time.Location
}

func (d days) period(t int64) int64 {
	local := text.ToLocal(t, arrow.Millisecond, d.zone)
	return floor(local-d.offset, d.size) / d.size
}

func (d days) start(period int64) int64 {
	return text.ToUTC(period*d.size+d.offset, arrow.Millisecond, d.zone)
}

// months are periods of whole months on the wall clock of a zone, or of none.
type months struct {
	count, offset int64
	zone          *time.Location
}

func (m months) period(t int64) int64 {
	local := text.ToLocal(t, arrow.Millisecond, m.zone) - m.offset
	year, month, _ := text.Civil(floor(local, day) / day)
	n := int64(year-1970)*12 + int64(month-1)
	return floor(n, m.count) / m.count
}

func (m months) start(period int64) int64 {
	n := period * m.count
	year := floor(n, 12) / 12
	first := text.Days(1970+int(year), int(n-year*12)+1, 1)
	return text.ToUTC(first*day+m.offset, arrow.Millisecond, m.zone)
}
