// Package window assigns rows to event-time windows. Each kind of window is one file that registers itself.
package window

import (
	"fmt"
	"slices"
	"time"
)

// Spec describes a kind of window with its sizes. All times are milliseconds; a window is half-open: [start, end). Specs can be
// compared with ==.
type Spec struct {
	Kind   string // "TUMBLE", "HOP", "CUMULATE", "SESSION", as registered
	Size   int64  // length of a window, or the longest one's
	Slide  int64  // HOP: distance of starts; CUMULATE: step
	Offset int64  // shift of the starts against 1970-01-01 00:00:00
	// Months, if not 0, replaces Size: windows of whole months of the calendar, counted from January 1970.
	Months int32
	// Location, if not nil, is the zone whose wall clock windows of more than an hour follow, so that a day may have 23 or
	// 25 hours. It is for event times that are instants (TIMESTAMP_LTZ).
	Location *time.Location
}

// Windows are windows of rows.
type Windows struct {
	// Rows has, for each window, the position of its row among the times assigned; ascending. nil: each time has one window.
	Rows         []uint32
	Starts, Ends []int64
}

// Assigner finds the windows of rows. It serves one goroutine at a time.
type Assigner interface {
	// Assign replaces out by the windows the times fall into, reusing its slices.
	Assign(times []int64, out *Windows)
}

// Kind is a kind of window.
type Kind struct {
	Name string
	// New checks a spec of the kind and returns its assigner.
	New func(Spec) (Assigner, error)
}

var kinds = map[string]Kind{}

// Register adds a kind; it is called by init functions. A name taken twice is a mistake of the program and panics.
func Register(k Kind) {
	if _, taken := kinds[k.Name]; taken {
		panic("window kind " + k.Name + " registered twice")
	}
	kinds[k.Name] = k
}

// Kinds lists the names of the kinds that can be assigned.
func Kinds() []string {
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// New returns the assigner of a spec. The error says what is wrong with the spec.
func New(s Spec) (Assigner, error) {
	kind, ok := kinds[s.Kind]
	if !ok {
		return nil, fmt.Errorf("there are no %s windows", s.Kind)
	}
	return kind.New(s)
}

// resize gives both slices n elements.
func (w *Windows) resize(n int) {
	w.Starts = slices.Grow(w.Starts[:0], n)[:n]
	w.Ends = slices.Grow(w.Ends[:0], n)[:n]
}
