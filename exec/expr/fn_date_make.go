package expr

import (
	"math"

	"streamsql/internal/text"
)

func init() {
	Register(Function{
		Name: "MAKE_DATE", Category: categoryTemporal,
		Doc: "The date of a year, a month and a day.", Example: "MAKE_DATE(2024, 2, 29)", ExampleResult: "2024-02-29",
		Overloads: []Overload{{
			Params: []Param{named(intParam, "year"), named(intParam, "month"), named(intParam, "day")}, Returns: returns(Date), Fails: Sometimes,
			Compile: only(makeDateKernel),
		}},
	})
	Register(Function{
		Name: "MAKE_TIMESTAMP", Category: categoryTemporal,
		Doc:     "The TIMESTAMP(6) of a year, a month, a day, an hour, a minute and seconds, which may have a fraction.",
		Example: "MAKE_TIMESTAMP(2024, 2, 29, 12, 30, 1.5)", ExampleResult: "2024-02-29 12:30:01.500000",
		Overloads: []Overload{{
			Params: []Param{
				named(intParam, "year"), named(intParam, "month"), named(intParam, "day"), named(intParam, "hour"), named(intParam, "minute"),
				named(doubleParam, "second"),
			},
			Returns: returns(Timestamp(6)), Fails: Sometimes, Compile: only(makeTimestampKernel),
		}},
	})
	Register(Function{
		Name: "LAST_DAY", Category: categoryTemporal,
		Doc:     "The last day of the month, or of another unit of time, that a date lies in; weeks end on Sunday.",
		Example: "LAST_DAY(DATE '2024-02-10')", ExampleResult: "2024-02-29",
		Overloads: []Overload{
			{Params: []Param{toDateParam}, Returns: returns(Date), Slow: true, Compile: func(*Site) Kernel { return lastDayKernel("MONTH") }},
			{
				Params:  []Param{toDateParam, unitParam("MONTH", "QUARTER", "YEAR", "WEEK", "ISOYEAR", "DAY", "DECADE", "CENTURY", "MILLENNIUM")},
				Returns: returns(Date), Slow: true, Compile: func(s *Site) Kernel { return lastDayKernel(s.Word(1)) },
			},
		},
	})
	registerName("DAYNAME", "The English name of the day of the week.", "DAYNAME(DATE '2024-02-29')", "Thursday",
		func(days int64) string { return dayNames[weekday(days)] })
	registerName("MONTHNAME", "The English name of the month.", "MONTHNAME(DATE '2024-02-29')", "February",
		func(days int64) string { return monthNames[monthOf(days)-1] })
	Register(Function{
		Name: "TO_DATE", Category: categoryTemporal,
		Doc:     "The date that text in a pattern of Java's date formats, 'yyyy-MM-dd' if none is given, stands for; NULL if the text does not follow it.",
		Example: "TO_DATE('29.02.2024', 'dd.MM.yyyy')", ExampleResult: "2024-02-29",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "pattern")}, Optional: 1, Returns: returns(Date), Nulls: PropagateOrNull, Fails: Sometimes,
			Slow: true, Expand: toDate,
		}},
	})
}

// toDateParam is a DATE, or the date of a timestamp.
var toDateParam = Param{Name: "date", What: "a DATE", Accepts: isDateOrTimestamp, To: always(Date), Null: Date, Spelled: true, Cast: true}

const noDate = "there is no such date"

func isDate(year, month, day int64) bool {
	return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= int64(text.DaysIn(int(year), int(month)))
}

func makeDateKernel(f *Frame, args []*Vector, out *Vector) error {
	o := values[int32](out)
	year, month, day := numberArg[int64](args[0]), numberArg[int64](args[1]), numberArg[int64](args[2])
	for _, row := range f.Rows() {
		y, m, d := year.row(row), month.row(row), day.row(row)
		if isDate(y, m, d) {
			o[row] = int32(text.Days(int(y), int(m), int(d)))
			continue
		}
		if err := f.Fail(row, noDate); err != nil {
			return err
		}
	}
	return nil
}

func makeTimestampKernel(f *Frame, args []*Vector, out *Vector) error {
	o, second := values[int64](out), numberArg[float64](args[5])
	var fields [5]number[int64]
	for i := range fields {
		fields[i] = numberArg[int64](args[i])
	}
	for _, row := range f.Rows() {
		y, m, d, hour, minute := fields[0].row(row), fields[1].row(row), fields[2].row(row), fields[3].row(row), fields[4].row(row)
		micros := math.Round(second.row(row) * 1e6)
		if isDate(y, m, d) && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && micros >= 0 && micros < 60e6 {
			o[row] = text.Days(int(y), int(m), int(d))*86400e6 + hour*3600e6 + minute*60e6 + int64(micros)
			continue
		}
		if err := f.Fail(row, "there is no such date or time of day"); err != nil {
			return err
		}
	}
	return nil
}

func lastDayKernel(unit string) Kernel {
	if unit == "WEEK" {
		unit = "ISOWEEK"
	}
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[int32](out), numberArg[int32](args[0])
		for _, row := range f.Rows() {
			o[row] = int32(nextStart(unit, startOf(unit, int64(x.row(row)))) - 1)
		}
		return nil
	}
}

func registerName(name, doc, example, result string, of func(days int64) string) {
	Register(Function{
		Name: name, Category: categoryTemporal, Doc: doc, Example: example, ExampleResult: result,
		Overloads: []Overload{{Params: []Param{toDateParam}, Returns: returns(String), Slow: true, Compile: only(func(f *Frame, args []*Vector, out *Vector) error {
			x := numberArg[int32](args[0])
			for _, row := range f.Rows() {
				out.data = append(out.data, of(int64(x.row(row)))...)
				out.end(row)
			}
			return nil
		})}},
	})
}

func toDate(args []Expr, s Settings) (Expr, error) {
	if len(args) == 1 {
		return NewCast(args[0], Date, true, s)
	}
	t, err := NewCall("TO_TIMESTAMP", args, s)
	if err != nil {
		return nil, err
	}
	return NewCast(t, Date, false, s)
}
