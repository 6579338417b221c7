package plan

// EmitMode says when an unwindowed aggregate emits.
type EmitMode int

// EmitChanges emits changed groups after every batch; EmitFinal emits each group once, at the end of bounded input; EmitPeriodic
// emits what has changed since the last time, each Period.
const (
	EmitChanges EmitMode = iota
	EmitFinal
	EmitPeriodic
)

// Firing says when a window gives results: when the watermark passes its end, and besides that as the triggers say.
type Firing struct {
	// Delay is how far the watermark has to be beyond the window's end, in milliseconds.
	Delay int64
	// Early fire before the watermark has come, Late behind it, while the window still takes rows. Any of them fires.
	Early, Late  []Trigger
	LateRows     LateRows
	Accumulation Accumulation
}

// Trigger fires a window that has changed.
type Trigger struct {
	Every int64 // milliseconds of processing time since the last firing, or
	Rows  int64 // rows since the last firing; the other is 0
}

// LateRows is what becomes of rows whose window has fired and still takes rows.
type LateRows int

// LateFire lets them fire the window again; LateDrop drops them; LateSide hands them to the table of late rows. Rows behind the
// allowed lateness are dropped, or handed there as well.
const (
	LateFire LateRows = iota
	LateDrop
	LateSide
)

// Accumulation is how the results of one window relate to each other.
type Accumulation int

// Retracting takes the last result back and gives the new one; Accumulating gives the new one as another row; Discarding gives
// another row for what has come since.
const (
	Retracting Accumulation = iota
	Accumulating
	Discarding
)

// Once tells whether a window gives one result that never changes.
func (w *GroupWindow) Once() bool {
	f := w.Firing
	return len(f.Early) == 0 && len(f.Late) == 0 && (w.Lateness == 0 || f.LateRows != LateFire)
}
