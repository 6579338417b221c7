package expr

import (
	"math"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

func init() {
	diffUnits := unitParam("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
	fineUnits := unitParam("MILLISECOND", "MICROSECOND", "NANOSECOND")
	Register(Function{
		Name: "TIMESTAMPDIFF", Category: categoryTemporal,
		Doc:     "How many whole units of time the second time lies behind the first.",
		Example: "TIMESTAMPDIFF(MINUTE, TIMESTAMP '2024-02-29 12:00:00', TIMESTAMP '2024-02-29 13:30:59')", ExampleResult: "90",
		Overloads: []Overload{timestampDiff(diffUnits, Int), timestampDiff(fineUnits, BigInt)},
	})
	addUnits := unitParam("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "MILLISECOND", "DECADE", "CENTURY", "MILLENNIUM")
	dateUnits := unitParam("DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM")
	Register(Function{
		Name: "TIMESTAMPADD", Category: categoryTemporal,
		Doc:     "The time moved by so many units.",
		Example: "TIMESTAMPADD(DAY, 1, DATE '2024-02-29')", ExampleResult: "2024-03-01",
		Overloads: []Overload{
			{
				Params: []Param{dateUnits, intParam, dateParam}, Returns: returns(Date), Fails: Sometimes,
				Expand: func(args []Expr, s Settings) (Expr, error) { return ofMidnight("TIMESTAMPADD", args, 2, s) },
			},
			{
				Params: []Param{addUnits, intParam, timestampParam}, Fails: Sometimes, Expand: timestampAdd,
				Returns: func(args []Expr) arrow.DataType { return addedType(wordOf(args[0]), args[2].Type()) },
			},
		},
	})
	Register(Function{
		Name: "TO_TIMESTAMP", Category: categoryTemporal,
		Doc:     "The TIMESTAMP(3) that text in a pattern of Java's date formats, 'yyyy-MM-dd HH:mm:ss' if none is given, stands for; NULL if the text does not follow it.",
		Example: "TO_TIMESTAMP('29.02.2024 12:30', 'dd.MM.yyyy HH:mm')", ExampleResult: "2024-02-29 12:30:00.000",
		Overloads: []Overload{{
			Params: []Param{stringParam, named(stringParam, "pattern")}, Optional: 1, Returns: returns(Timestamp(3)),
			Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Compile: toTimestamp,
		}},
	})
	Register(Function{
		Name: "TO_TIMESTAMP_LTZ", Category: categoryTemporal,
		Doc:     "The instant so many seconds (precision 0), milliseconds (3, if none is given), microseconds (6) or other parts of a second (up to 9) after 1970-01-01 00:00:00 UTC; or that text in a pattern of Java's date formats stands for, in UTC or another zone unless the text has an offset; NULL if the text does not follow the pattern.",
		Example: "TO_TIMESTAMP_LTZ(1709209800000, 3) = TIMESTAMP_LTZ '2024-02-29 12:30:00Z'", ExampleResult: "TRUE",
		Overloads: []Overload{
			{
				Params: []Param{intParam, named(intParam, "precision")}, Optional: 1, Returns: returns(TimestampLTZ(3)),
				Fails: Sometimes, Compile: only(epochKernel),
			},
			{
				Params: []Param{doubleParam, named(intParam, "precision")}, Optional: 1, Returns: returns(TimestampLTZ(3)),
				Fails: Sometimes, Compile: only(epochFractionKernel),
			},
			{
				Params: []Param{stringParam, named(stringParam, "pattern"), zoneParam}, Optional: 2, Check: validZones(2), Returns: returns(TimestampLTZ(3)),
				Nulls: PropagateOrNull, Fails: Sometimes, Slow: true, Compile: toTimestamp,
			},
		},
	})
	Register(Function{
		Name: "DATE_FORMAT", Category: categoryTemporal,
		Doc:     "The text of a time, which may itself be text, in a pattern of Java's date formats.",
		Example: "DATE_FORMAT(TIMESTAMP '2024-02-29 12:30:00', 'dd.MM.yy HH:mm')", ExampleResult: "29.02.24 12:30",
		Overloads: []Overload{
			{
				Params: []Param{stringParam, named(stringParam, "pattern")}, Returns: returns(String), Nulls: PropagateOrNull, Fails: Sometimes, Slow: true,
				Expand: func(args []Expr, s Settings) (Expr, error) {
					t, err := NewCall("TO_TIMESTAMP", args[:1], s)
					if err != nil {
						return nil, err
					}
					return NewCall("DATE_FORMAT", []Expr{t, args[1]}, s)
				},
			},
			{Params: []Param{timestampParam, named(stringParam, "pattern")}, Returns: returns(String), Fails: Sometimes, Slow: true, Compile: dateFormat},
		},
	})
}

// unitSpan is the length of a unit in months or milliseconds.
func unitSpan(unit string) (n int64, months bool) {
	for _, f := range monthFields {
		if f.unit == unit {
			return f.size, true
		}
	}
	for _, f := range dayFields {
		if f.unit == unit {
			return f.size, false
		}
	}
	u := singleUnits[unit]
	return u.size, u.months
}

// addedType is the type of a time moved by units: TIMESTAMP(0) has no room for less than seconds.
func addedType(unit string, t arrow.DataType) arrow.DataType {
	if _, months := unitSpan(unit); months {
		return t
	}
	return withFraction(t)
}

// timestampAdd adds an interval.
func timestampAdd(args []Expr, s Settings) (Expr, error) {
	n, months := unitSpan(wordOf(args[0]))
	count, unit := args[1], NewDayTime(n)
	if months {
		var err error
		if count, err = NewCast(count, Int, false, s); err != nil {
			return nil, err
		}
		unit = NewYearMonth(int32(n))
	}
	by, err := NewCall("*", []Expr{unit, count}, s)
	if err != nil {
		return nil, err
	}
	return NewCall("+", []Expr{args[2], by}, s)
}

func timestampDiff(unit Param, result arrow.DataType) Overload {
	return Overload{
		Params: []Param{unit, timestampParam, timestampParam}, Returns: returns(result), Fails: Sometimes,
		Convert: func(args []arrow.DataType) []arrow.DataType {
			t := commonTimestamp(args[1], args[2])
			return []arrow.DataType{args[0], t, t}
		},
		Compile: func(s *Site) Kernel {
			diff := unitsBetween(clockOf(s.Arg(1), s.Settings), s.Word(0))
			if result == Int {
				return diffKernel[int32](diff)
			}
			return diffKernel[int64](diff)
		},
	}
}

func diffKernel[T int32 | int64](diff func(from, to int64) (int64, bool)) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, from, to := values[T](out), numberArg[int64](args[1]), numberArg[int64](args[2])
		for _, row := range f.Rows() {
			v, ok := diff(from.row(row), to.row(row))
			if o[row] = T(v); ok && int64(o[row]) == v {
				continue
			}
			if err := f.Fail(row, overflowOf[T]()); err != nil {
				return err
			}
		}
		return nil
	}
}

// unitsBetween counts the whole units from one value of the clock to another.
func unitsBetween(c clock, unit string) func(from, to int64) (int64, bool) {
	if n, months := unitSpan(unit); months {
		return func(from, to int64) (int64, bool) { return c.monthsBetween(from, to) / n, true }
	}
	num, den := nanosOf(unit), 1e9/unitsPerSecond[c.unit]
	return func(from, to int64) (int64, bool) {
		d := to - from
		if (to^from)&(to^d) < 0 {
			return 0, false
		}
		if num >= den {
			return d / (num / den), true
		}
		v := d * (den / num)
		return v, v/(den/num) == d
	}
}

// nanosOf is the length of a unit up to a week in nanoseconds.
func nanosOf(unit string) int64 {
	switch unit {
	case "NANOSECOND":
		return 1
	case "MICROSECOND":
		return 1e3
	}
	ms, _ := unitSpan(unit)
	return ms * 1e6
}

// monthsBetween counts the whole months of the calendar, from the earlier time on.
func (c *clock) monthsBetween(from, to int64) int64 {
	if from > to {
		return -c.monthsBetween(to, from)
	}
	fromDays, fromRest := c.split(from)
	toDays, toRest := c.split(to)
	y1, m1, _ := text.Civil(fromDays)
	y2, m2, _ := text.Civil(toDays)
	months := int64(y2-y1)*12 + int64(m2-m1)
	if reached := addMonths(fromDays, months); reached > toDays || reached == toDays && fromRest > toRest {
		months--
	}
	return months
}

// epochUnit is how many milliseconds, or the inverse of that, a count of the precision has.
func epochUnit(precision int64) (times, per int64, ok bool) {
	if precision < 0 || precision > 9 {
		return 0, 0, false
	}
	times, per = 1, 1
	for ; precision < 3; precision++ {
		times *= 10
	}
	for ; precision > 3; precision-- {
		per *= 10
	}
	return times, per, true
}

const badPrecision = "the precision of TO_TIMESTAMP_LTZ must be from 0 to 9"

// precisionArg is the precision for each row, 3 if it was not given.
func precisionArg(args []*Vector) func(uint32) int64 {
	if len(args) == 1 {
		return func(uint32) int64 { return 3 }
	}
	return numberArg[int64](args[1]).row
}

func epochKernel(f *Frame, args []*Vector, out *Vector) error {
	precision := precisionArg(args)
	o, x := values[int64](out), numberArg[int64](args[0])
	for _, row := range f.Rows() {
		times, per, ok := epochUnit(precision(row))
		what := badPrecision
		if ok {
			v := x.row(row)
			o[row], what = floorDiv(v*times, per), timeOverflow
			ok = v*times/times == v
		}
		if ok {
			continue
		}
		if err := f.Fail(row, what); err != nil {
			return err
		}
	}
	return nil
}

func epochFractionKernel(f *Frame, args []*Vector, out *Vector) error {
	precision := precisionArg(args)
	o, x := values[int64](out), numberArg[float64](args[0])
	for _, row := range f.Rows() {
		times, per, ok := epochUnit(precision(row))
		what := badPrecision
		if ok {
			ms := math.Floor(x.row(row) * float64(times) / float64(per))
			o[row], what = int64(ms), timeOverflow
			ok = math.Abs(ms) < math.MaxInt64
		}
		if ok {
			continue
		}
		if err := f.Fail(row, what); err != nil {
			return err
		}
	}
	return nil
}
