package expr

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
)

func init() {
	unit := unitParam(truncUnits...)
	Register(Function{
		Name: "DATE_TRUNC", Category: categoryTemporal,
		Doc:     "The start of the unit of time the time lies in; weeks start on Monday. The unit may also stand last, as a word.",
		Example: "DATE_TRUNC('month', TIMESTAMP '2024-02-29 12:30:00')", ExampleResult: "2024-02-01 00:00:00",
		Overloads: []Overload{
			truncLast(momentParam, unit),
			{
				Params: []Param{truncUnitParam, dateParam}, Returns: returns(Date), Slow: true,
				Expand: func(args []Expr, s Settings) (Expr, error) { return ofMidnight("DATE_TRUNC", args, 1, s) },
			},
			{Params: []Param{truncUnitParam, timestampParam}, Returns: returnsArg(1), Slow: true, Compile: func(s *Site) Kernel {
				unit := strings.ToUpper(s.Word(0))
				if unit == "WEEK" {
					unit = "ISOWEEK"
				}
				return truncKernel(clockOf(s.Arg(1), s.Settings), unit, 1)
			}},
		},
	})
	Register(Function{
		Name: "TIMESTAMP_TRUNC", Category: categoryTemporal,
		Doc:     "The start of the unit of time the time lies in; weeks start on Monday.",
		Example: "TIMESTAMP_TRUNC(TIMESTAMP '2024-02-29 12:30:00', DAY)", ExampleResult: "2024-02-29 00:00:00",
		Overloads: []Overload{truncLast(timestampParam, unit)},
	})
}

// truncLast is a call with the unit behind the time.
func truncLast(params ...Param) Overload {
	expand := func(args []Expr, s Settings) (Expr, error) {
		return NewCall("DATE_TRUNC", []Expr{NewString(wordOf(args[1])), args[0]}, s)
	}
	return Overload{Params: params, Returns: returnsArg(0), Slow: true, Expand: expand}
}

// truncUnits are the units that times are rounded to.
var truncUnits = []string{
	"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "WEEK", "QUARTER", "ISOYEAR", "DECADE", "CENTURY", "MILLENNIUM",
}

// truncUnitParam is the text of a unit, in any case.
var truncUnitParam = Param{
	Name: "unit", What: "the name of a unit of time", Null: String, Accepts: is(String), Only: func(e Expr) bool {
		return slices.Contains(truncUnits, strings.ToUpper(wordOf(e)))
	},
}

// The overloads of FLOOR and CEIL for times.
var (
	timeFloor   = toUnit("FLOOR", truncKernel)
	timeCeiling = toUnit("CEIL", ceilKernel)
)

func toUnit(name string, kernel func(c clock, unit string, arg int) Kernel) []Overload {
	unit := unitParam(truncUnits...)
	return []Overload{
		{
			Params: []Param{dateParam, unit}, Returns: returns(Date), Slow: true,
			Expand: func(args []Expr, s Settings) (Expr, error) { return ofMidnight(name, args, 0, s) },
		},
		{
			Params: []Param{timeParam, unitParam("HOUR", "MINUTE", "SECOND", "MILLISECOND")}, Returns: returns(Time), Slow: true,
			Expand: func(args []Expr, s Settings) (Expr, error) { return throughTimestamp(name, args, 0, Time, s) },
		},
		{Params: []Param{timestampParam, unit}, Returns: returnsArg(0), Slow: true, Compile: func(s *Site) Kernel {
			return kernel(clockOf(s.Arg(0), s.Settings), s.Word(1), 0)
		}},
	}
}

// ofMidnight applies a function to the midnight of a date and takes the date of the result.
func ofMidnight(name string, args []Expr, arg int, s Settings) (Expr, error) {
	return throughTimestamp(name, args, arg, Date, s)
}

// throughTimestamp applies a function to a date or time of day as a TIMESTAMP(3), and takes that of the result.
func throughTimestamp(name string, args []Expr, arg int, t arrow.DataType, s Settings) (Expr, error) {
	args = append([]Expr(nil), args...)
	var err error
	if args[arg], err = NewCast(args[arg], Timestamp(3), false, s); err != nil {
		return nil, err
	}
	x, err := NewCall(name, args, s)
	if err != nil {
		return nil, err
	}
	return NewCast(x, t, false, s)
}

// toForm is FLOOR(x TO unit), or the usual form.
func toForm(name string) form {
	return func(args []Expr) (string, level) {
		if len(args) == 1 {
			return callForm(name)(args)
		}
		return name + "(" + operand(args[0], levelOr) + " TO " + operand(args[1], levelOr) + ")", levelPrimary
	}
}

// truncKernel is the start of the unit that a time lies in.
func truncKernel(c clock, unit string, arg int) Kernel {
	if step := c.stepOf(unit); step > 0 {
		return timeRows(arg, func(v int64) int64 {
			_, rest := c.split(v)
			return v - rest%step
		})
	}
	return timeRows(arg, func(v int64) int64 {
		days, _ := c.split(v)
		return c.join(startOf(unit, days), 0)
	})
}

// ceilKernel is the first start of a unit that is not before a time.
func ceilKernel(c clock, unit string, arg int) Kernel {
	if step := c.stepOf(unit); step > 0 {
		return timeRows(arg, func(v int64) int64 {
			_, rest := c.split(v)
			return v + (step-rest%step)%step
		})
	}
	return timeRows(arg, func(v int64) int64 {
		days, _ := c.split(v)
		start := startOf(unit, days)
		if first := c.join(start, 0); first >= v { // later than midnight, if the clock was changed then
			return first
		}
		return c.join(nextStart(unit, start), 0)
	})
}

// stepOf is the length of a unit below a day in values of the clock; 0 for other units, 1 for those it does not resolve.
func (c *clock) stepOf(unit string) int64 {
	ms, ok := clockUnits[unit]
	if !ok {
		return 0
	}
	return max(1, ms*unitsPerSecond[c.unit]/1000)
}

// timeRows makes a kernel of a function from a timestamp to one of the same type.
func timeRows(arg int, fn func(int64) int64) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[int64](out), numberArg[int64](args[arg])
		for _, row := range f.Rows() {
			o[row] = fn(x.row(row))
		}
		return nil
	}
}
