package expr

import (
	"math"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow"
)

// The overloads of +, -, * and / for times and intervals.
var (
	temporalSums = []Overload{
		dateShift(wholeDaysParam, shiftByDays(1)),
		dateShift(monthsParam, shiftByMonths(1)),
		swapped(dateShift(wholeDaysParam, nil), "+"),
		swapped(dateShift(monthsParam, nil), "+"),
		timestampShift(dayTimeParam, shiftByTime(addScaled)),
		timestampShift(monthsParam, timestampShiftMonths(1)),
		swapped(timestampShift(dayTimeParam, nil), "+"),
		swapped(timestampShift(monthsParam, nil), "+"),
		timeShift(1),
		intervalSum(dayTimeParam, checked(addIntegers[int64], intervalOverflow)),
		intervalSum(monthsParam, checked(addIntegers[int32], intervalOverflow)),
	}
	temporalDifferences = []Overload{
		dateShift(wholeDaysParam, shiftByDays(-1)),
		dateShift(monthsParam, shiftByMonths(-1)),
		timestampShift(dayTimeParam, shiftByTime(subtractScaled)),
		timestampShift(monthsParam, timestampShiftMonths(-1)),
		timeShift(-1),
		intervalSum(dayTimeParam, checked(subtractIntegers[int64], intervalOverflow)),
		intervalSum(monthsParam, checked(subtractIntegers[int32], intervalOverflow)),
		timeBetween,
	}
	intervalProducts = []Overload{
		intervalOp(dayTimeParam, intParam, checked(multiplyBigInts, intervalOverflow)),
		swapped(intervalOp(dayTimeParam, intParam, nil), "*"),
		intervalOp(monthsParam, narrowParam, checked(multiplyIntegers[int32], intervalOverflow)),
		swapped(intervalOp(monthsParam, narrowParam, nil), "*"),
	}
	intervalQuotients = []Overload{
		intervalOp(dayTimeParam, intParam, checked(divideIntegers[int64], cannotDivide)),
		intervalOp(monthsParam, narrowParam, checked(divideIntegers[int32], cannotDivide)),
	}
)

// narrowParam is an integer no wider than INT.
var narrowParam = Param{Name: "integer", What: "an INT", Null: Int, To: always(Int), Accepts: func(t arrow.DataType) bool {
	return isInteger(t) && t.ID() != arrow.INT64
}}

// wholeDaysParam is an interval that moves a DATE to another.
var wholeDaysParam = Param{Name: "interval", What: "an INTERVAL of days", Accepts: is(DayTime), Null: DayTime, Only: func(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.T.ID() == arrow.DURATION && l.V != nil && int64(l.V.(arrow.Duration))%day == 0
}}

const timeOverflow = "time out of range"

func intervalOverflow[T integer](_, _ T) string { return "INTERVAL overflow" }

func outOfRange[T integer](_, _ T) string { return timeOverflow }

// swapped is the overload with its parameters in the other order.
func swapped(o Overload, op string) Overload {
	o.Params = []Param{o.Params[1], o.Params[0]}
	if convert := o.Convert; convert != nil {
		o.Convert = func(args []arrow.DataType) []arrow.DataType {
			types := convert([]arrow.DataType{args[1], args[0]})
			return []arrow.DataType{types[1], types[0]}
		}
	}
	o.Returns = returnsArg(1)
	o.Compile = nil
	o.Expand = func(args []Expr, s Settings) (Expr, error) { return NewCall(op, []Expr{args[1], args[0]}, s) }
	return o
}

// dateShift moves a DATE.
func dateShift(by Param, kernel Kernel) Overload {
	return Overload{Params: []Param{dateParam, by}, Returns: returnsArg(0), Fails: Sometimes, Compile: only(kernel)}
}

// shiftBy makes the kernel of moving a value of type T by one of type D; ok is false if it leaves the range.
func shiftBy[T, D integer](move func(v, by int64) (moved int64, ok bool)) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		a, b := args[0], args[1]
		o, x, y := values[T](out), values[T](a), values[D](b)
		for _, row := range f.Rows() {
			v, ok := move(int64(x[a.at(int(row))]), int64(y[b.at(int(row))]))
			if o[row] = T(v); ok && int64(o[row]) == v {
				continue
			}
			if err := f.Fail(row, timeOverflow); err != nil {
				return err
			}
		}
		return nil
	}
}

func shiftByDays(sign int64) Kernel {
	return shiftBy[int32, int64](func(v, by int64) (int64, bool) { return v + sign*(by/day), true })
}

func shiftByMonths(sign int64) Kernel {
	return shiftBy[int32, int32](func(v, by int64) (int64, bool) {
		if by < -maxMonths || by > maxMonths {
			return 0, false
		}
		return addMonths(v, sign*by), true
	})
}

// timestampShift moves a timestamp.
func timestampShift(by Param, compile func(*Site) Kernel) Overload {
	return Overload{
		Params: []Param{timestampParam, by}, Returns: returnsArg(0), Fails: Sometimes, Compile: compile,
		Convert: func(args []arrow.DataType) []arrow.DataType {
			if args[1].ID() == arrow.DURATION {
				return []arrow.DataType{withFraction(args[0]), args[1]}
			}
			return args
		},
	}
}

// withFraction is the timestamp type with milliseconds at least.
func withFraction(t arrow.DataType) arrow.DataType {
	ts := t.(*arrow.TimestampType)
	return &arrow.TimestampType{Unit: max(ts.Unit, arrow.Millisecond), TimeZone: ts.TimeZone}
}

// shiftByTime moves by milliseconds; loop gets how many units they have.
func shiftByTime(loop func(perMilli int64) func(out, x, y []int64) bool) func(*Site) Kernel {
	return func(s *Site) Kernel {
		c := clockOf(s.Arg(0), s.Settings)
		return checked(loop(c.perMilli()), outOfRange)
	}
}

func addScaled(scale int64) func(out, x, y []int64) bool {
	if scale == 1 {
		return addIntegers[int64]
	}
	return scaledShift(scale, addIntegers[int64])
}

func subtractScaled(scale int64) func(out, x, y []int64) bool {
	if scale == 1 {
		return subtractIntegers[int64]
	}
	return scaledShift(scale, subtractIntegers[int64])
}

// scaledShift multiplies the sizes of the moves by scale first.
func scaledShift(scale int64, move func(out, x, y []int64) bool) func(out, x, y []int64) bool {
	return func(out, x, y []int64) bool {
		overflow := false
		for i := range out {
			hi, lo := bits.Mul64(uint64(max(y[i], -y[i])), uint64(scale))
			by := int64(lo)
			if hi != 0 || by < 0 {
				overflow, by = true, math.MaxInt64
			}
			if y[i] < 0 {
				by = -by
			}
			scaled := [1]int64{by}
			overflow = move(out[i:i+1], x[i:i+1], scaled[:]) || overflow
		}
		return overflow
	}
}

// timestampShiftMonths moves by months of the calendar, keeping the time of day on the wall.
func timestampShiftMonths(sign int64) func(*Site) Kernel {
	return func(s *Site) Kernel {
		c := clockOf(s.Arg(0), s.Settings)
		return shiftBy[int64, int32](func(v, by int64) (int64, bool) {
			if by < -maxMonths || by > maxMonths {
				return 0, false
			}
			days, rest := c.split(v)
			days = addMonths(days, sign*by)
			return c.join(days, rest), max(days, -days) < math.MaxInt64/c.perDay-1
		})
	}
}

// timeShift moves a TIME around the clock.
func timeShift(sign int64) Overload {
	kernel := shiftBy[int32, int64](func(v, by int64) (int64, bool) {
		moved := (v + sign*(by%day)) % day
		if moved < 0 {
			moved += day
		}
		return moved, true
	})
	return Overload{Params: []Param{timeParam, dayTimeParam}, Returns: returnsArg(0), Fails: Sometimes, Compile: only(kernel)}
}

// intervalSum combines two intervals of a kind.
func intervalSum(p Param, kernel Kernel) Overload { return intervalOp(p, p, kernel) }

func intervalOp(p, q Param, kernel Kernel) Overload {
	return Overload{Params: []Param{p, q}, Returns: returnsArg(0), Fails: Sometimes, Compile: only(kernel)}
}

// timeBetween is the difference of two times in milliseconds.
var timeBetween = Overload{
	Params: []Param{timestampParam, timestampParam}, Returns: returns(DayTime), Fails: Sometimes,
	Convert: func(args []arrow.DataType) []arrow.DataType {
		t := withFraction(commonTimestamp(args[0], args[1]))
		return []arrow.DataType{t, t}
	},
	Compile: func(s *Site) Kernel {
		perMilli := unitsPerSecond[s.Arg(0).(*arrow.TimestampType).Unit] / 1000
		if perMilli == 1 {
			return checked(subtractIntegers[int64], intervalOverflow)
		}
		return checked(func(out, x, y []int64) bool {
			overflow := subtractIntegers(out, x, y)
			for i := range out {
				out[i] /= perMilli
			}
			return overflow
		}, intervalOverflow)
	},
}
