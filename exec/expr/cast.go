package expr

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"
)

// conversion is how a CAST is done.
type conversion struct {
	kernel Kernel // nil: the values stay as they are
	fails  bool   // some values have no counterpart
	slow   bool   // worth keeping from rows that do not need it
}

// sure is a conversion of every value.
func sure(k Kernel) conversion { return conversion{kernel: k} }

// failing is a conversion that not every value has.
func failing(k Kernel) conversion { return conversion{kernel: k, fails: true} }

// parsing is a conversion from text.
func parsing(k Kernel) conversion { return conversion{kernel: k, fails: true, slow: true} }

// castRule is the conversion between two types for which canCast holds.
func castRule(from, to arrow.DataType, s Settings) conversion {
	switch {
	case arrow.TypeEqual(from, to) || from.ID() == arrow.NULL:
		return conversion{}
	case to.ID() == arrow.STRING:
		return castToString(from, s)
	case from.ID() == arrow.STRING:
		return castFromString(to, s)
	case arrow.IsNested(from.ID()):
		return castNested(from, to, s)
	case isNumber(from) && isNumber(to):
		return castNumber(from, to)
	case from.ID() == arrow.BOOL:
		return sure(boolToNumber(to))
	case to.ID() == arrow.BOOL:
		return sure(numberToBool(from))
	case isDateOrTimestamp(from) || isDateOrTimestamp(to):
		return castTemporal(from, to, s)
	}
	return conversion{} // intervals and integers of the same width
}

// canCast reports whether CAST converts between the types, at least for some values.
func canCast(from, to arrow.DataType) bool {
	switch {
	case arrow.TypeEqual(from, to) || from.ID() == arrow.NULL:
		return true
	case to.ID() == arrow.STRING:
		return true
	case from.ID() == arrow.STRING:
		return isSpelled(to) || isInterval(to) || to.ID() == arrow.BINARY
	case arrow.IsNested(from.ID()) || arrow.IsNested(to.ID()):
		return from.ID() == to.ID() && canCastNested(from, to)
	case isNumber(from) && isNumber(to):
		return true
	case from.ID() == arrow.BOOL || to.ID() == arrow.BOOL:
		return isNumber(from) || isNumber(to)
	case isTimestamp(from):
		return isDateOrTimestamp(to) || to.ID() == arrow.TIME32
	case isTimestamp(to):
		return from.ID() == arrow.DATE32 || from.ID() == arrow.TIME32
	case isInterval(from):
		return isCounterpart(from, to)
	case isInterval(to):
		return isCounterpart(to, from)
	}
	return false
}

// isCounterpart reports whether the integer type counts the unit of the interval type.
func isCounterpart(interval, integer arrow.DataType) bool {
	return interval.ID() == arrow.DURATION && integer.ID() == arrow.INT64 ||
		interval.ID() == arrow.INTERVAL_MONTHS && integer.ID() == arrow.INT32
}

// castFails reports whether a CAST between the types may fail.
func castFails(from, to arrow.DataType) bool { return castRule(from, to, Settings{}).fails }

// castTemporal converts between DATE, TIME and timestamps.
func castTemporal(from, to arrow.DataType, s Settings) conversion {
	switch {
	case from.ID() == arrow.DATE32:
		c := clockOf(to, s)
		return failing(convertRows(func(v int32) (int64, bool) { return c.joinChecked(int64(v), 0) }, to))
	case from.ID() == arrow.TIME32:
		c := clockOf(to, s)
		perSecond := unitsPerSecond[c.unit]
		return sure(convertRows(func(v int32) (int64, bool) { return c.join(0, int64(v)*perSecond/1000), true }, to))
	case to.ID() == arrow.DATE32:
		c := clockOf(from, s)
		return failing(convertRows(func(v int64) (int32, bool) {
			days, _ := c.split(v)
			return int32(days), days == int64(int32(days))
		}, to))
	case to.ID() == arrow.TIME32:
		c := clockOf(from, s)
		perSecond := unitsPerSecond[c.unit]
		return sure(convertRows(func(v int64) (int32, bool) {
			_, rest := c.split(v)
			return int32(rest/perSecond*1000 + rest%perSecond*1000/perSecond), true
		}, to))
	}
	return castTimestamp(from.(*arrow.TimestampType), to.(*arrow.TimestampType), s)
}

// castTimestamp converts between zones and units.
func castTimestamp(from, to *arrow.TimestampType, s Settings) conversion {
	move := zoneShift(from, to, s)
	per, wanted := unitsPerSecond[from.Unit], unitsPerSecond[to.Unit]
	switch {
	case per == wanted && move == nil:
		return conversion{}
	case per == wanted:
		return sure(convertRows(func(v int64) (int64, bool) { return move(v), true }, to))
	case per > wanted:
		ratio := per / wanted
		return sure(convertRows(func(v int64) (int64, bool) { return floorDiv(moved(v, move), ratio), true }, to))
	}
	ratio := wanted / per
	return failing(convertRows(func(v int64) (int64, bool) {
		v = moved(v, move)
		return v * ratio, v*ratio/ratio == v
	}, to))
}

func moved(v int64, move func(int64) int64) int64 {
	if move == nil {
		return v
	}
	return move(v)
}

// zoneShift is the step between a wall clock and the instant it shows; nil if there is none.
func zoneShift(from, to *arrow.TimestampType, s Settings) func(int64) int64 {
	if (from.TimeZone == "") == (to.TimeZone == "") || s.zone() == time.UTC {
		return nil
	}
	local, instant := clockOf(&arrow.TimestampType{Unit: from.Unit}, s), clockOf(&arrow.TimestampType{Unit: from.Unit, TimeZone: "UTC"}, s)
	if from.TimeZone == "" {
		local, instant = instant, local
	}
	return func(v int64) int64 { return local.join(instant.split(v)) }
}

// joinChecked is join; ok is false if the unit cannot count as far.
func (c *clock) joinChecked(days, rest int64) (v int64, ok bool) {
	if v := days * c.perDay; v/c.perDay != days {
		return 0, false
	}
	return c.join(days, rest), true
}

// convertRows makes a kernel of a function that converts a value; ok is false if it has no counterpart in type to.
func convertRows[T, R any](convert func(T) (R, bool), to arrow.DataType) Kernel {
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, x := values[R](out), values[T](args[0])
		for _, row := range f.Rows() {
			v, ok := convert(x[row])
			if o[row] = v; ok {
				continue
			}
			if err := f.FailWith(row, func() string { return "the value does not fit " + TypeName(to) }); err != nil {
				return err
			}
		}
		return nil
	}
}
