package expr

import (
	"maps"
	"slices"

	"streamsql/internal/text"
)

// Nanoseconds of the units of a day.
const (
	nanosPerSecond = int64(1e9)
	nanosPerMinute = 60 * nanosPerSecond
	nanosPerHour   = 60 * nanosPerMinute
)

// dateFields are the fields of EXTRACT that the date decides, given as days since 1970-01-01.
var dateFields = map[string]func(days int64) int64{
	"MILLENNIUM": func(d int64) int64 { return (yearOf(d) + 999) / 1000 },
	"CENTURY":    func(d int64) int64 { return (yearOf(d) + 99) / 100 },
	"DECADE":     func(d int64) int64 { return yearOf(d) / 10 },
	"YEAR":       yearOf,
	"ISOYEAR":    func(d int64) int64 { return yearOf(thursdayOf(d)) },
	"QUARTER":    func(d int64) int64 { return (monthOf(d) + 2) / 3 },
	"MONTH":      monthOf,
	"WEEK":       func(d int64) int64 { return (dayOfYear(thursdayOf(d))-1)/7 + 1 },
	"DAY":        func(d int64) int64 { _, _, day := text.Civil(d); return int64(day) },
	"DOY":        dayOfYear,
	"DOW":        func(d int64) int64 { return (weekday(d)+1)%7 + 1 },
	"ISODOW":     func(d int64) int64 { return weekday(d) + 1 },
}

// timeFields are the fields that the time of day decides, given as nanoseconds since midnight.
var timeFields = map[string]func(nanos int64) int64{
	"HOUR":        func(n int64) int64 { return n / nanosPerHour },
	"MINUTE":      func(n int64) int64 { return n / nanosPerMinute % 60 },
	"SECOND":      func(n int64) int64 { return n / nanosPerSecond % 60 },
	"MILLISECOND": func(n int64) int64 { return n % nanosPerMinute / 1e6 },
	"MICROSECOND": func(n int64) int64 { return n % nanosPerMinute / 1e3 },
	"NANOSECOND":  func(n int64) int64 { return n % nanosPerMinute },
}

// fieldUnits are the units that EXTRACT knows; EPOCH counts the seconds since 1970-01-01 00:00:00 UTC.
var fieldUnits = append(slices.Sorted(maps.Keys(dateFields)), append(slices.Sorted(maps.Keys(timeFields)), "EPOCH")...)

func yearOf(days int64) int64 {
	year, _, _ := text.Civil(days)
	return int64(year)
}

func monthOf(days int64) int64 {
	_, month, _ := text.Civil(days)
	return int64(month)
}

// dayOfYear counts from 1.
func dayOfYear(days int64) int64 {
	year, _, _ := text.Civil(days)
	return days - text.Days(year, 1, 1) + 1
}

// weekday counts from Monday, 0.
func weekday(days int64) int64 { return days + 3 - 7*floorDiv(days+3, 7) }

// thursdayOf is the Thursday of the week, which decides the year an ISO week belongs to.
func thursdayOf(days int64) int64 { return days - weekday(days) + 3 }

// field is how a unit is read from the values of the clock.
func (c clock) field(unit string) func(v int64) int64 {
	if field, ok := dateFields[unit]; ok {
		return c.dateField(field)
	}
	scale := 1e9 / unitsPerSecond[c.unit]
	if field, ok := timeFields[unit]; ok {
		return func(v int64) int64 {
			_, rest := c.split(v)
			return field(rest * scale)
		}
	}
	return func(v int64) int64 { return floorDiv(v, unitsPerSecond[c.unit]) }
}

// dateField keeps the field of the last date, as times that follow each other mostly share it.
func (c clock) dateField(field func(days int64) int64) func(v int64) int64 {
	last := int64(0)
	value := field(last)
	return func(v int64) int64 {
		if days, _ := c.split(v); days != last {
			last, value = days, field(days)
		}
		return value
	}
}

// startOf is the first day of the period of the unit that the day lies in; a period of units below a day starts with its day.
func startOf(unit string, days int64) int64 {
	year, month, _ := text.Civil(days)
	switch unit {
	case "MILLENNIUM":
		return text.Days(int(floorDiv(int64(year)-1, 1000))*1000+1, 1, 1)
	case "CENTURY":
		return text.Days(int(floorDiv(int64(year)-1, 100))*100+1, 1, 1)
	case "DECADE":
		return text.Days(int(floorDiv(int64(year), 10))*10, 1, 1)
	case "YEAR":
		return text.Days(year, 1, 1)
	case "ISOYEAR":
		thursday := thursdayOf(text.Days(int(yearOf(thursdayOf(days))), 1, 4))
		return thursday - 3
	case "QUARTER":
		return text.Days(year, (month-1)/3*3+1, 1)
	case "MONTH":
		return text.Days(year, month, 1)
	case "WEEK":
		return days - (weekday(days)+1)%7
	case "ISOWEEK":
		return days - weekday(days)
	}
	return days
}

// nextStart is the first day of the period behind the one that starts with the day.
func nextStart(unit string, days int64) int64 {
	switch unit {
	case "MILLENNIUM":
		return addMonths(days, 12000)
	case "CENTURY":
		return addMonths(days, 1200)
	case "DECADE":
		return addMonths(days, 120)
	case "YEAR":
		return addMonths(days, 12)
	case "ISOYEAR":
		return startOf(unit, days+371) // an ISO year has 364 or 371 days
	case "QUARTER":
		return addMonths(days, 3)
	case "MONTH":
		return addMonths(days, 1)
	case "WEEK", "ISOWEEK":
		return days + 7
	}
	return days + 1
}

// clockUnits are the units below a day, in milliseconds.
var clockUnits = map[string]int64{"HOUR": hour, "MINUTE": minute, "SECOND": second, "MILLISECOND": 1}
