package vec

import "math"

// Watermarks and event times are int64 milliseconds since 1970-01-01 00:00:00 UTC. MinTime is the watermark before any row,
// MaxTime the one after the last row of a bounded input.
const (
	MinTime int64 = math.MinInt64
	MaxTime int64 = math.MaxInt64
)
