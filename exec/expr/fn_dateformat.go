package expr

import (
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/text"
)

// patternCache keeps the last pattern, so that one that stays the same is taken apart once.
type patternCache struct {
	parse   func(string) (datePattern, error)
	known   bool
	text    string
	pattern datePattern
	err     error
}

func (c *patternCache) find(pattern []byte) (datePattern, error) {
	if !c.known || string(pattern) != c.text {
		c.known, c.text = true, string(pattern)
		c.pattern, c.err = c.parse(c.text)
	}
	return c.pattern, c.err
}

func dateFormat(s *Site) Kernel { return formatTimes(s, 0, 1, parseDatePattern) }

// formatTimes writes the times of one argument by the patterns of another.
func formatTimes(s *Site, when, pattern int, parse func(string) (datePattern, error)) Kernel {
	c := clockOf(s.Arg(when), s.Settings)
	cache := patternCache{parse: parse}
	return func(f *Frame, args []*Vector, out *Vector) error {
		x, patterns := numberArg[int64](args[when]), args[pattern]
		for _, row := range f.Rows() {
			pattern, err := cache.find(patterns.bytes(row))
			if err != nil {
				if err := f.Fail(row, err.Error()); err != nil {
					return err
				}
				continue
			}
			v := x.row(row)
			days, rest := c.split(v)
			m := momentOf(days, rest*(1e9/unitsPerSecond[c.unit]), c.offset(v))
			out.data = pattern.append(out.data, &m)
			out.end(row)
		}
		return nil
	}
}

// offset is the zone's offset from UTC at the instant, in seconds.
func (c *clock) offset(v int64) int {
	if c.zone == nil {
		return 0
	}
	_, seconds := time.Unix(floorDiv(v, unitsPerSecond[c.unit]), 0).In(c.zone).Zone()
	return seconds
}

// toTimestamp compiles TO_TIMESTAMP and TO_TIMESTAMP_LTZ of text.
func toTimestamp(s *Site) Kernel {
	if len(s.Args) == 1 {
		return timestampOfText(s)
	}
	cache := patternCache{parse: parseDatePattern}
	instant := isLTZ(s.Result)
	var zones zoneCache
	return func(f *Frame, args []*Vector, out *Vector) error {
		o, zone := values[int64](out), time.UTC
		for _, row := range f.Rows() {
			if len(args) == 3 {
				var ok bool
				if zone, ok = zones.find(args[2].bytes(row)); !ok {
					if err := f.FailWith(row, func() string { return noZone(args[2].str(row)) }); err != nil {
						return err
					}
					continue
				}
			}
			pattern, err := cache.find(args[1].bytes(row))
			if err != nil {
				if err := f.Fail(row, err.Error()); err != nil {
					return err
				}
				continue
			}
			d, ok := pattern.parse(args[0].bytes(row))
			if !ok {
				f.SetNull(row)
				continue
			}
			o[row] = d.timestamp(instant, zone)
		}
		return nil
	}
}

// timestamp is the wall clock or the instant in milliseconds; without an offset an instant is read in the zone.
func (d *dateParts) timestamp(instant bool, zone *time.Location) int64 {
	v := d.millis()
	switch {
	case instant && d.hasOffset:
		return v - int64(d.offset)*1000
	case instant:
		return text.ToUTC(v, arrow.Millisecond, zone)
	}
	return v
}

// timestampOfText reads text as CAST does, but what is no timestamp is NULL.
func timestampOfText(s *Site) Kernel {
	settings := s.Settings
	settings.TimeZone = time.UTC
	rule := castFromString(s.Result, settings)
	return func(f *Frame, args []*Vector, out *Vector) error {
		step := *f.step
		step.try = true
		f.step = &step
		return rule.kernel(f, args, out)
	}
}
