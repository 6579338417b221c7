package datagen

import (
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"streamsql/connector/internal/column"
	"streamsql/internal/text"
)

// sequence makes consecutive values. It returns how many there are.
func (p *params) sequence() (generator, uint64, error) {
	switch p.col.Shape {
	case column.Int, column.Date:
		low, high := int64(math.MinInt32), int64(math.MaxInt32)
		if p.col.Shape == column.Int {
			low, high = p.col.Min, p.col.Max
		}
		start, limit, err := p.span(low, high)
		return words(start), limit, err
	case column.Timestamp:
		return p.times()
	case column.Float:
		start, limit, err := p.span(-1<<53, 1<<53)
		return func(c *column.Column, r rows) {
			for i := range r.n {
				c.SetFloat(i, float64(start+int64(r.number(i))))
			}
		}, limit, err
	case column.Decimal:
		return p.decimals()
	case column.String:
		start, limit, err := p.span(math.MinInt64, math.MaxInt64)
		return numbers(start), limit, err
	}
	return nil, 0, p.fail("kind", "there are no sequences of %s", text.TypeName(p.col.Type))
}

// span reads start and end as whole numbers between low and high, or as values of the column if it has other words for them. It
// returns the number of values from start to end; endless if only 64 bits end them.
func (p *params) span(low, high int64) (start int64, limit uint64, err error) {
	start, _, err = p.bound("start", 0)
	if err != nil {
		return 0, 0, err
	}
	end, given, err := p.bound("end", high)
	if err != nil {
		return 0, 0, err
	}
	if start < low || start > high {
		return 0, 0, p.fail("start", "%d is out of range for %s", start, text.TypeName(p.col.Type))
	}
	if end < start || end > high {
		return 0, 0, p.fail("end", "%d does not come after start, or is out of range for %s", end, text.TypeName(p.col.Type))
	}
	if !given && high == math.MaxInt64 {
		return start, endless, nil
	}
	return start, uint64(end-start) + 1, nil
}

// bound reads start or end.
func (p *params) bound(name string, byDefault int64) (v int64, given bool, err error) {
	if p.col.Shape == column.Date {
		given, err = p.value(name)
		if !given || err != nil {
			return byDefault, given, err
		}
		return p.col.Words[0], true, nil
	}
	s, given := p.text(name)
	if !given {
		return byDefault, false, nil
	}
	v, err = text.ParseInt64([]byte(s))
	if err != nil {
		return 0, true, p.fail(name, "'%s' is no whole number", s)
	}
	return v, true, nil
}

func words(start int64) generator {
	return func(c *column.Column, r rows) {
		for i := range r.n {
			c.Words[i] = start + int64(r.number(i))
		}
	}
}

// numbers makes the texts of whole numbers.
func numbers(start int64) generator {
	return func(c *column.Column, r rows) {
		var b []byte
		for i := range r.n {
			b = strconv.AppendInt(b[:0], start+int64(r.number(i)), 10)
			c.SetString(i, b)
		}
	}
}

func (p *params) decimals() (generator, uint64, error) {
	t := p.col.Type.(*arrow.Decimal128Type)
	whole := t.Precision - t.Scale
	high := int64(math.MaxInt64)
	if whole < 19 {
		high = int64(decimal128.GetScaleMultiplier(int(whole)).LowBits()) - 1
	}
	start, limit, err := p.span(-high, high)
	scale := decimal128.GetScaleMultiplier(int(t.Scale))
	return func(c *column.Column, r rows) {
		for i := range r.n {
			c.Wide[i] = decimal128.FromI64(start + int64(r.number(i))).Mul(scale)
		}
	}, limit, err
}

// times makes timestamps from start, or else from start.time, on.
func (p *params) times() (generator, uint64, error) {
	given, err := p.value("start")
	if err == nil && !given {
		p.col.Grow(1)
		if err = p.col.SetText(0, []byte(p.o.Text(timeKey))); err != nil {
			err = p.fail("start", "start.time, '%s', is no %s", p.o.Text(timeKey), text.TypeName(p.col.Type))
		}
	}
	if err != nil {
		return nil, 0, err
	}
	start := p.col.Words[0]
	step, err := p.duration("step")
	if err != nil {
		return nil, 0, err
	}
	past, err := p.past()
	if err != nil {
		return nil, 0, err
	}
	unit := int64(time.Second) / p.unitsPerSecond()
	noise := p.noise.other().other()
	return func(c *column.Column, r rows) {
		for i := range r.n {
			c.Words[i] = start + steps(int64(r.number(i)), step, unit)
		}
		setBack(c, r, noise, past)
	}, endless, nil
}

// steps is n·step/unit.
func steps(n, step, unit int64) int64 {
	if step%unit == 0 {
		return n * (step / unit)
	}
	return n/unit*step + n%unit*step/unit
}

// now makes the time at which a row is made.
func (p *params) now() (generator, error) {
	if p.col.Shape != column.Timestamp {
		return nil, p.fail("kind", "only timestamps can be now")
	}
	past, err := p.past()
	if err != nil {
		return nil, err
	}
	noise := p.noise.other().other()
	return func(c *column.Column, r rows) {
		v := p.wallClock(time.Now())
		for i := range r.n {
			c.Words[i] = v
		}
		setBack(c, r, noise, past)
	}, nil
}

// wallClock is the time in units: as an instant, or as the clock of the table's zone shows it.
func (p *params) wallClock(t time.Time) int64 {
	nanos := t.UnixNano()
	if p.col.Zone == nil && p.zone != nil {
		nanos = text.ToLocal(nanos, arrow.Nanosecond, p.zone)
	}
	return nanos / (int64(time.Second) / p.unitsPerSecond())
}
