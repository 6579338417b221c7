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

// Firing says when a window, or an aggregation of all rows of an input that ends, gives results. The zero Firing gives one, when no
// more rows are taken: when the watermark passes the end of the window and the allowed lateness behind it.
type Firing struct {
	// OnTime has the window fire when the watermark is Delay milliseconds beyond its end, and again as the late rows ask for it.
	OnTime bool
	Delay  int64
	// Early fire before, Late behind that, while the window still takes rows. Any of them fires.
	Early, Late  []Trigger
	LateRows     LateRows
	Accumulation Accumulation
}

// Trigger fires a window that has changed.
type Trigger struct {
	Every int64 // milliseconds of processing time since the last firing, or
	Rows  int64 // rows since the last firing; the other is 0
}

// LateRows is what becomes of rows whose window is over.
type LateRows int

// LateDrop drops and counts them; LateSide hands them to the table of late rows.
const (
	LateDrop LateRows = iota
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

// Once tells whether there is one result that never changes.
func (f *Firing) Once() bool { return len(f.Early) == 0 && !f.OnTime }
