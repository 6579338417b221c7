package parser

// EmitMode is when a query gives results.
type EmitMode string

// Modes of EMIT.
const (
	EmitChanges        EmitMode = "CHANGES"         // every change at once
	EmitFinal          EmitMode = "FINAL"           // the end result, once, at the end of input
	EmitOnWindowClose  EmitMode = "ON WINDOW CLOSE" // a window's result once it can change no more
	EmitPeriodic       EmitMode = "PERIODIC"        // the changes of each period
	EmitAfterWatermark EmitMode = "AFTER WATERMARK" // when the watermark passes the window's end
)

// LatePolicy is what becomes of rows that come after their window has fired.
type LatePolicy string

// Policies for late rows; the empty one is none given.
const (
	LateDrop LatePolicy = "DROP"
	LateFire LatePolicy = "FIRE"
	LateSide LatePolicy = "SIDE"
)

// Accumulation is how several results of one window relate to each other.
type Accumulation string

// Accumulations; the empty one is none given.
const (
	Discarding   Accumulation = "DISCARDING"
	Accumulating Accumulation = "ACCUMULATING"
	Retracting   Accumulation = "RETRACTING"
)

// Emit is the EMIT clause of a query. Every is the period of EmitPeriodic and nil otherwise; the
// fields below it belong to EmitAfterWatermark alone.
type Emit struct {
	Span
	Mode         EmitMode
	Every        *Interval
	Delay        *Interval // WITH DELAY, nil if not given
	Early        []Trigger // EARLY EVERY …: any of them fires
	Late         []Trigger // LATE EVERY …: any of them fires
	Lateness     *Interval // ALLOWED LATENESS, nil if not given
	LatePolicy   LatePolicy
	Accumulation Accumulation
}

// Trigger is one EVERY interval or EVERY n ROWS: Interval is nil for rows.
type Trigger struct {
	Span
	Interval *Interval
	Rows     int64
}
