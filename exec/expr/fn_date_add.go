package expr

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	registerShift("DATE_ADD", "+", true, "The date or timestamp moved by an interval, or by so many days.", "DATE_ADD(DATE '2024-02-28', 2)", "2024-03-01")
	registerShift("DATE_SUB", "-", true, "The date or timestamp moved back by an interval, or by so many days.", "DATE_SUB(DATE '2024-03-01', INTERVAL '1' MONTH)", "2024-02-01")
	registerShift("TIMESTAMP_ADD", "+", false, "The timestamp moved by an interval.", "TIMESTAMP_ADD(TIMESTAMP '2024-02-29 12:00:00', INTERVAL '90' MINUTE)", "2024-02-29 13:30:00.000")
	registerShift("TIMESTAMP_SUB", "-", false, "The timestamp moved back by an interval.", "TIMESTAMP_SUB(TIMESTAMP '2024-02-29 12:00:00', INTERVAL '90' MINUTE)", "2024-02-29 10:30:00.000")
	Register(Function{
		Name: "DATE_DIFF", Category: categoryTemporal,
		Doc:     "How many times a unit of time begins behind the second time and up to the first; weeks begin on Monday. With the unit, as text, in front: behind the first and up to the second.",
		Example: "DATE_DIFF(DATE '2024-03-01', DATE '2024-02-29', MONTH)", ExampleResult: "1",
		Overloads: []Overload{
			boundaryDiff(2, 1, 0, timestampParam, timestampParam, unitParam(truncUnits...)),
			boundaryDiff(0, 1, 2, truncUnitParam, timestampParam, timestampParam),
		},
	})
	Register(Function{
		Name: "TIMESTAMP_DIFF", Category: categoryTemporal,
		Doc:     "How many whole units of time the first time lies behind the second.",
		Example: "TIMESTAMP_DIFF(TIMESTAMP '2024-02-29 13:30:59', TIMESTAMP '2024-02-29 12:00:00', MINUTE)", ExampleResult: "90",
		Overloads: []Overload{{
			Params:  []Param{timestampParam, timestampParam, unitParam("DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND", "WEEK", "MONTH", "QUARTER", "YEAR")},
			Returns: returns(BigInt), Fails: Sometimes, Expand: func(args []Expr, s Settings) (Expr, error) {
				diff, err := NewCall("TIMESTAMPDIFF", []Expr{args[2], args[1], args[0]}, s)
				if err != nil {
					return nil, err
				}
				return NewCast(diff, BigInt, false, s)
			},
		}},
	})
	Register(Function{
		Name: "AGE", Category: categoryTemporal,
		Doc:     "The interval, of days to milliseconds, from the second time to the first, or from a time to the start of today.",
		Example: "AGE(TIMESTAMP '2024-03-01 12:00:00', TIMESTAMP '2024-02-28 00:00:00')", ExampleResult: "+2 12:00:00.000",
		Overloads: []Overload{
			{Params: []Param{timestampParam, timestampParam}, Returns: returns(DayTime), Fails: Sometimes, Expand: func(args []Expr, s Settings) (Expr, error) {
				return NewCall("-", args, s)
			}},
			{Params: []Param{timestampParam}, Returns: returns(DayTime), Fails: Sometimes, PerBatch: true, Expand: func(args []Expr, s Settings) (Expr, error) {
				today, err := NewCall("CURRENT_DATE", nil, s)
				if err != nil {
					return nil, err
				}
				return NewCall("-", []Expr{today, args[0]}, s)
			}},
		},
	})
	Register(Function{
		Name: "DATE_BIN", Category: categoryTemporal,
		Doc:     "The start of the interval that the time lies in, if time is cut into intervals of a length from 1970-01-01 00:00:00 UTC, or another origin, on.",
		Example: "DATE_BIN(INTERVAL '15' MINUTE, TIMESTAMP '2024-02-29 12:44:00')", ExampleResult: "2024-02-29 12:30:00.000",
		Overloads: []Overload{{
			Params: []Param{dayTimeParam, timestampParam, named(timestampParam, "origin")}, Optional: 1, Returns: returnsArg(1), Fails: Sometimes,
			Convert: binTypes, Compile: dateBin,
		}},
	})
}

// momentParam is a DATE, TIMESTAMP or TIMESTAMP_LTZ, taken as it is.
var momentParam = Param{Name: "time", What: "a DATE or TIMESTAMP", Accepts: isDateOrTimestamp, Null: Date}

func registerShift(name, op string, days bool, doc, example, result string) {
	shift := func(args []Expr, s Settings) (Expr, error) { return NewCall(op, args, s) }
	var overloads []Overload
	for _, by := range []Param{dayTimeParam, monthsParam} {
		overloads = append(overloads, Overload{
			Params: []Param{momentParam, by}, Returns: returnsExpanded(shift), Fails: Sometimes, Expand: shift,
		})
	}
	if days {
		byDays := shiftDays(op)
		overloads = append(overloads, Overload{
			Params: []Param{momentParam, named(intParam, "days")}, Returns: returnsExpanded(byDays), Fails: Sometimes, Expand: byDays,
		})
	}
	Register(Function{Name: name, Category: categoryTemporal, Doc: doc, Example: example, ExampleResult: result, Overloads: overloads})
}

func shiftDays(op string) func(args []Expr, s Settings) (Expr, error) {
	return func(args []Expr, s Settings) (Expr, error) {
		days := args[1]
		if op == "-" {
			var err error
			if days, err = NewCall("-", []Expr{days}, s); err != nil {
				return nil, err
			}
		}
		return NewCall("TIMESTAMPADD", []Expr{NewSymbol("DAY"), days, args[0]}, s)
	}
}

// boundaryDiff counts the beginnings of units; unit, from and to are the places of its arguments.
func boundaryDiff(unit, from, to int, params ...Param) Overload {
	return Overload{
		Params: params, Returns: returns(BigInt), Slow: true,
		Convert: func(args []arrow.DataType) []arrow.DataType {
			types := slices.Clone(args)
			t := commonTimestamp(args[from], args[to])
			types[from], types[to] = t, t
			return types
		},
		Compile: func(s *Site) Kernel {
			number := unitNumber(clockOf(s.Arg(from), s.Settings), strings.ToUpper(s.Word(unit)))
			return func(f *Frame, args []*Vector, out *Vector) error {
				o, x, y := values[int64](out), numberArg[int64](args[from]), numberArg[int64](args[to])
				for _, row := range f.Rows() {
					o[row] = number(y.row(row)) - number(x.row(row))
				}
				return nil
			}
		},
	}
}

// unitNumber numbers the units that values of the clock lie in, in the order of time.
func unitNumber(c clock, unit string) func(v int64) int64 {
	if step := c.stepOf(unit); step > 0 {
		return func(v int64) int64 {
			days, rest := c.split(v)
			return days*(c.perDay/step) + rest/step
		}
	}
	return c.dateField(dayNumber(unit))
}

// dayNumber numbers the units that days lie in.
func dayNumber(unit string) func(days int64) int64 {
	switch unit {
	case "DAY":
		return func(days int64) int64 { return days }
	case "WEEK":
		return func(days int64) int64 { return floorDiv(days+3, 7) }
	case "MONTH":
		return func(days int64) int64 { return yearOf(days)*12 + monthOf(days) }
	case "QUARTER":
		return func(days int64) int64 { return yearOf(days)*4 + (monthOf(days)-1)/3 }
	}
	return dateFields[unit]
}

// binTypes gives the time and the origin a common type with milliseconds.
func binTypes(args []arrow.DataType) []arrow.DataType {
	t := args[1]
	if len(args) == 3 {
		t = commonTimestamp(t, args[2])
	}
	types := slices.Repeat([]arrow.DataType{withFraction(t)}, len(args))
	types[0] = args[0]
	return types
}

func dateBin(s *Site) Kernel {
	c := clockOf(s.Arg(1), s.Settings)
	perMilli := c.perMilli()
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, length, x := values[int64](out), numberArg[int64](args[0]), numberArg[int64](args[1])
		origin := number[int64]{v: []int64{0}}
		if len(args) == 3 {
			origin = numberArg[int64](args[2])
		}
		for _, row := range f.Rows() {
			v, ok := binStart(x.row(row), origin.row(row), length.row(row), perMilli)
			if o[row] = v; ok {
				continue
			}
			if err := f.Fail(row, "DATE_BIN needs an INTERVAL longer than 0 and times that are not too far apart"); err != nil {
				return err
			}
		}
		return nil
	}
}

// binStart is the start of the interval that v lies in.
func binStart(v, origin, millis, perMilli int64) (int64, bool) {
	length := millis * perMilli
	d := v - origin
	if millis < 1 || length/perMilli != millis || (v^origin)&(v^d) < 0 {
		return 0, false
	}
	start := origin + floorDiv(d, length)*length
	return start, start <= v
}
