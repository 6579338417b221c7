package exec

import (
	"sync/atomic"

	"streamsql/exec/vec"
)

// Counters counts what happens at one vertex, over all its subtasks. They start at zero with each start of the job.
type Counters struct {
	RowsIn, RowsOut atomic.Int64
	Late            atomic.Int64 // rows dropped because their window was over
	BadRecords      atomic.Int64 // records skipped or put into the error table
	NullEvents      atomic.Int64 // evaluation errors turned into NULL
	Watermark       atomic.Int64 // last combined watermark of any subtask, milliseconds; vec.MinTime before the first
	Groups          atomic.Int64 // groups held by the aggregates
}

func newCounters() *Counters {
	c := &Counters{}
	c.Watermark.Store(vec.MinTime)
	return c
}
