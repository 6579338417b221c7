package expr

import (
	"slices"

	"github.com/apache/arrow/go/v17/arrow"
)

const categoryTemporal = "temporal"

func init() {
	Register(Function{
		Name: "EXTRACT", Category: categoryTemporal, form: extractForm,
		Doc:     "A field of a time or an interval: YEAR, QUARTER, MONTH, WEEK, DAY, DOW, DOY, HOUR, MINUTE, SECOND, EPOCH and others.",
		Example: "EXTRACT(HOUR FROM TIMESTAMP '2024-02-29 12:30:00')", ExampleResult: "12",
		Overloads: extractOverloads(unitParam(fieldUnits...), ""),
	})
	registerField("YEAR", "YEAR", "The year of a time.", "YEAR(DATE '2024-02-29')", "2024")
	registerField("QUARTER", "QUARTER", "The quarter of the year, 1 to 4.", "QUARTER(DATE '2024-02-29')", "1")
	registerField("MONTH", "MONTH", "The month of the year, 1 to 12.", "MONTH(DATE '2024-02-29')", "2")
	registerField("WEEK", "WEEK", "The week of the year by ISO 8601, 1 to 53.", "WEEK(DATE '2024-12-31')", "1")
	registerField("DAYOFYEAR", "DOY", "The day of the year, 1 to 366.", "DAYOFYEAR(DATE '2024-02-29')", "60")
	registerField("DAYOFMONTH", "DAY", "The day of the month, 1 to 31.", "DAYOFMONTH(DATE '2024-02-29')", "29")
	registerField("DAYOFWEEK", "DOW", "The day of the week, from 1 for Sunday to 7.", "DAYOFWEEK(DATE '2024-02-29')", "5")
	registerField("HOUR", "HOUR", "The hour of the day, 0 to 23.", "HOUR(TIMESTAMP '2024-02-29 12:30:15')", "12")
	registerField("MINUTE", "MINUTE", "The minute of the hour, 0 to 59.", "MINUTE(TIMESTAMP '2024-02-29 12:30:15')", "30")
	registerField("SECOND", "SECOND", "The second of the minute, 0 to 59.", "SECOND(TIMESTAMP '2024-02-29 12:30:15')", "15")
}

func registerField(name, unit, doc, example, result string) {
	Register(Function{
		Name: name, Category: categoryTemporal, Doc: doc, Example: example, ExampleResult: result, Overloads: extractOverloads(Param{}, unit),
	})
}

// unitParam is a word for one of the units.
func unitParam(units ...string) Param {
	p := symbolParam
	p.What = "a unit of time, such as " + list(units[:min(4, len(units))], "or")
	p.Only = func(e Expr) bool { return slices.Contains(units, wordOf(e)) }
	return p
}

func extractForm(args []Expr) (string, level) {
	return "EXTRACT(" + operand(args[0], levelOr) + " FROM " + operand(args[1], levelOr) + ")", levelPrimary
}

// extractOverloads read a unit, given as the first argument unless it is fixed, of each kind of time.
func extractOverloads(word Param, fixed string) []Overload {
	overloads := []Overload{
		{Params: []Param{timestampParam}}, {Params: []Param{timeParam}}, {Params: []Param{dayTimeParam}}, {Params: []Param{monthsParam}},
	}
	for i := range overloads {
		o := &overloads[i]
		o.Returns, o.Slow = returns(BigInt), true
		if fixed == "" {
			o.Params = []Param{word, o.Params[0]}
		}
		o.Compile = func(s *Site) Kernel {
			unit, last := fixed, len(s.Args)-1
			if fixed == "" {
				unit = s.Word(0)
			}
			return fieldKernel(s.Arg(last), unit, last, s.Settings)
		}
	}
	return overloads
}

func fieldKernel(t arrow.DataType, unit string, arg int, s Settings) Kernel {
	switch t.ID() {
	case arrow.TIME32:
		read := clock{unit: arrow.Millisecond, perDay: day}.field(unit)
		return fieldRows(arg, func(v int32) int64 { return read(int64(v)) })
	case arrow.DURATION:
		return fieldRows(arg, func(v int64) int64 { return dayTimeField(v, unit) })
	case arrow.INTERVAL_MONTHS:
		return fieldRows(arg, func(v int32) int64 { return monthsField(int64(v), unit) })
	}
	return fieldRows(arg, clockOf(t, s).field(unit))
}

func fieldRows[T int32 | int64](arg int, field func(T) int64) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[int64](out), numberArg[T](args[arg])
		for _, row := range f.Rows() {
			o[row] = field(x.row(row))
		}
		return nil
	}
}

// dayTimeField is a field of an interval of milliseconds; those of larger units than days are 0.
func dayTimeField(ms int64, unit string) int64 {
	switch unit {
	case "DAY":
		return ms / day
	case "HOUR":
		return ms / hour % 24
	case "MINUTE":
		return ms / minute % 60
	case "SECOND":
		return ms / second % 60
	case "MILLISECOND":
		return ms % minute
	case "EPOCH":
		return ms / second
	}
	return 0
}

// monthsField is a field of an interval of months; those of smaller units are 0.
func monthsField(months int64, unit string) int64 {
	switch unit {
	case "MILLENNIUM":
		return months / 12000
	case "CENTURY":
		return months / 1200
	case "DECADE":
		return months / 120
	case "YEAR":
		return months / 12
	case "QUARTER":
		return months % 12 / 3
	case "MONTH":
		return months % 12
	}
	return 0
}
