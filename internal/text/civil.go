package text

// monthStart is the number of days from the first of March to the first of each month.
var monthStart = [13]uint32{1: 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275}

// Days is the number of days from 1970-01-01 to the date of the proleptic Gregorian calendar. Months run from 1 to 12.
func Days(year, month, day int) int64 {
	if month <= 2 {
		year-- // years begin in March, so that the leap day is their last
	}
	era := int64(0)
	if year < 0 {
		era = floorDiv(int64(year), 400)
		year -= int(era) * 400
	}
	y := uint64(year)
	return int64(365*y+y/4-y/100+y/400+uint64(monthStart[month])) + int64(day) - 719469 + era*146097
}

// Civil is the inverse of Days.
func Civil(days int64) (year, month, day int) {
	z := days + 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy-(153*mp+2)/5) + 1
	month = int(mp) + 3
	if month > 12 {
		month -= 12
		yoe++
	}
	return int(yoe + era*400), month, day
}

// DaysIn is the number of days of the month.
func DaysIn(year, month int) int {
	if month == 2 {
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 30 + (month+month>>3)&1
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
