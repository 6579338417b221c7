package convert

import (
	"fmt"
	"math"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/exec/vec"
	"streamsql/internal/text"
)

// perSecond is the number of units in a second.
var perSecond = [...]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}

const secondsPerDay = 86400

// The seconds from 1970 to the first moment of the year 1, and to the one behind the year 9999.
const (
	firstSecond = -62135596800
	endSecond   = 253402300800
)

// date converts days, and milliseconds at midnight.
func date(from, to arrow.DataType) step {
	switch from.ID() {
	case arrow.DATE32:
		return times[int32, int32](to, 1, 1, dayRange)
	case arrow.DATE64:
		return times[int64, int32](to, 1, secondsPerDay*1000, dayRange)
	}
	return nil
}

var dayRange = limits{firstSecond / secondsPerDay, endSecond / secondsPerDay, "the date is not of the years 1 to 9999"}

// clock converts times of day.
func clock(from arrow.DataType, to *arrow.Time32Type) step {
	day := limits{0, secondsPerDay * perSecond[to.Unit], "the time is not one of a day"}
	switch t := from.(type) {
	case *arrow.Time32Type:
		return times[int32, int32](to, perSecond[to.Unit], perSecond[t.Unit], day)
	case *arrow.Time64Type:
		return times[int64, int32](to, perSecond[to.Unit], perSecond[t.Unit], day)
	}
	return nil
}

// timestamp converts moments, instants and those of a wall clock.
func timestamp(from arrow.DataType, to *arrow.TimestampType, zone *time.Location) step {
	t, ok := from.(*arrow.TimestampType)
	if !ok {
		return nil
	}
	unit := perSecond[to.Unit]
	years := limits{firstSecond * min(unit, 1e6), endSecond * min(unit, 1e6), "the timestamp is not of the years 1 to 9999"}
	if unit == 1e9 { // 64 bits hold less than that
		years = limits{math.MinInt64, math.MaxInt64, fmt.Sprintf("the timestamp is out of range of %s", text.TypeName(to))}
	}
	s := times[int64, int64](to, unit, perSecond[t.Unit], years)
	if t.TimeZone == "" && to.TimeZone != "" && zone != nil && zone != time.UTC {
		return toInstant(s, to, zone)
	}
	return s
}

// toInstant takes wall clocks for those of a zone.
func toInstant(s step, to *arrow.TimestampType, zone *time.Location) step {
	return func(r *run, in arrow.Array) arrow.Array {
		local := s(r, in)
		defer local.Release()
		buf, out := vec.NewFixed[int64](r.mem, in.Len())
		for i, v := range vec.Values[int64](local) {
			out[i] = 0
			if local.IsValid(i) {
				out[i] = text.ToUTC(v, to.Unit, zone)
			}
		}
		return fixed(r, in, to, buf)
	}
}

// limits are the least value and the one behind the greatest, and what to say of others.
type limits struct {
	low, end int64
	reason   string
}

// times converts numbers of one unit to those of another, of which so many and so many make the same time.
func times[F, T int32 | int64](to arrow.DataType, perTo, perFrom int64, l limits) step {
	mul, div := max(perTo/perFrom, 1), max(perFrom/perTo, 1)
	low, high := ceil(l.low, mul, div), floor(l.end-1, mul, div)
	return func(r *run, in arrow.Array) arrow.Array {
		vals := vec.Values[F](in)
		fits := true
		for _, v := range vals {
			fits = fits && low <= int64(v) && int64(v) <= high
		}
		if !fits {
			r.check(in, func(i int) string {
				if v := int64(vals[i]); v < low || v > high {
					return l.reason
				}
				return ""
			})
		}
		if mul == 1 && div == 1 && sameWidth[F, T]() {
			return retyped(in, to, nil)
		}
		buf, out := vec.NewFixed[T](r.mem, in.Len())
		for i, v := range vals {
			out[i] = T(floorDiv(int64(v)*mul, div))
		}
		return fixed(r, in, to, buf)
	}
}

func sameWidth[F, T int32 | int64]() bool {
	var f F
	_, same := any(f).(T)
	return same
}

// ceil is the least value whose conversion is not below v, floor the greatest whose is not above it.
func ceil(v, mul, div int64) int64 {
	if div > 1 {
		return saturate(v, div)
	}
	if v%mul > 0 {
		return v/mul + 1
	}
	return v / mul
}

func floor(v, mul, div int64) int64 {
	if div > 1 {
		return saturate(v+1, div) - 1
	}
	return floorDiv(v, mul)
}

// saturate multiplies and stays within 64 bits.
func saturate(v, by int64) int64 {
	switch {
	case v > math.MaxInt64/by:
		return math.MaxInt64
	case v < math.MinInt64/by:
		return math.MinInt64
	}
	return v * by
}

// floorDiv divides and rounds down.
func floorDiv(v, by int64) int64 {
	q := v / by
	if v%by < 0 {
		q--
	}
	return q
}
