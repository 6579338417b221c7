package text

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// durationUnits maps every label of a unit; a trailing s is taken off the long ones first.
var durationUnits = map[string]time.Duration{
	"ns": time.Nanosecond, "nano": time.Nanosecond, "nanosecond": time.Nanosecond,
	"us": time.Microsecond, "µs": time.Microsecond, "micro": time.Microsecond, "microsecond": time.Microsecond,
	"": time.Millisecond, "ms": time.Millisecond, "milli": time.Millisecond, "millisecond": time.Millisecond,
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour,
}

// ParseDuration parses the durations of options and settings: a whole number and a unit, "10 s", "300ms", "5 minutes"; a
// number alone counts milliseconds.
func ParseDuration(s string) (time.Duration, error) {
	t := strings.TrimSpace(s)
	end := 0
	for end < len(t) && t[end]-'0' <= 9 {
		end++
	}
	n, err := ParseInt64([]byte(t[:end]))
	label := strings.ToLower(strings.TrimSpace(t[end:]))
	unit, ok := durationUnits[label]
	if !ok && len(label) > 3 {
		unit, ok = durationUnits[strings.TrimSuffix(label, "s")]
	}
	if err != nil || !ok {
		return 0, fmt.Errorf("%q is not a duration; write for example '10 s', '300 ms' or '5 min'", s)
	}
	if n > math.MaxInt64/int64(unit) {
		return 0, fmt.Errorf("the duration %q is too long", s)
	}
	return time.Duration(n) * unit, nil
}
