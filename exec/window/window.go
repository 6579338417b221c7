// Package window assigns rows to event-time windows.
package window

// Spec describes a kind of window with its sizes. All times are milliseconds; a window is half-open: [start, end).
type Spec struct {
	Kind   string // "TUMBLE", "HOP", "CUMULATE", "SESSION", as registered
	Size   int64  // length of a window, or the longest one's
	Slide  int64  // HOP: distance of starts; CUMULATE: step
	Offset int64  // shift of the starts against 1970-01-01 00:00:00
}
