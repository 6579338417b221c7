package window

import (
	"errors"
	"time"
)

// hour and day are those without a change of the clock.
const (
	hour = 60 * 60 * 1000
	day  = 24 * hour
)

func init() { Register(Kind{Name: "TUMBLE", New: newTumble}) }

// newTumble makes windows of one size side by side: each time lies in exactly one.
func newTumble(s Spec) (Assigner, error) {
	switch {
	case s.Months < 0 || s.Months == 0 && s.Size <= 0:
		return nil, errors.New("the size of a TUMBLE window must be longer than nothing")
	case s.Slide != 0:
		return nil, errors.New("a TUMBLE window has no slide")
	case s.Months > 0:
		return &calendarTumble{calendar: months{int64(s.Months), s.Offset, s.Location}}, nil
	case s.Location != nil && s.Location != time.UTC && s.Size > hour:
		return &calendarTumble{calendar: days{s.Size, s.Offset, s.Location}}, nil
	}
	offset := (s.Offset - zoneOffset(s.Location)) % s.Size
	return &tumble{size: s.Size, offset: offset, start: offset}, nil
}

// zoneOffset is how far the wall clock of a zone, if there is one, was ahead of UTC in January 1970. Windows of at most an hour start
// with it at full hours of the clock, and a change of the clock does not make two of them one.
func zoneOffset(zone *time.Location) int64 {
	if zone == nil {
		return 0
	}
	_, seconds := time.Unix(0, 0).In(zone).Zone()
	return int64(seconds) * 1000
}

// tumble makes windows of so many milliseconds, [offset + k·size, offset + (k+1)·size).
type tumble struct {
	size, offset int64
	start        int64 // of the window of the last time, at first of any
}

func (a *tumble) Assign(times []int64, out *Windows) {
	out.Rows = nil
	out.resize(len(times))
	starts, ends := out.Starts[:len(times)], out.Ends[:len(times)]
	start, size := a.start, a.size
	for i, t := range times {
		if uint64(t-start) >= uint64(size) {
			start = floor(t-a.offset, size) + a.offset
		}
		starts[i], ends[i] = start, start+size
	}
	a.start = start
}

// floor is the largest multiple of size that is not above t.
func floor(t, size int64) int64 {
	r := t % size
	if r < 0 {
		r += size
	}
	return t - r
}
