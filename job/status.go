package job

import (
	"time"

	"streamsql/checkpoint"
	"streamsql/exec/vec"
	"streamsql/plan"
)

// State is where a job stands.
type State string

// The states of a job.
const (
	Running    State = "RUNNING"
	Restarting State = "RESTARTING"
	Finished   State = "FINISHED"  // read all its input
	Stopped    State = "STOPPED"   // stopped with a checkpoint; starting it again goes on from there
	Cancelled  State = "CANCELLED" // ended without a checkpoint
	Failed     State = "FAILED"
)

// Status is a job at a glance. Counts are of the running attempt.
type Status struct {
	Name     string
	State    State
	Started  time.Time
	Ended    time.Time // zero while it runs
	Restarts int
	Failure  string // what the last failure was

	RowsIn, RowsOut int64 // read by the sources, taken by the sinks
	Late            int64 // rows dropped because their window was over
	BadRecords      int64 // records skipped or set aside
	NullEvents      int64 // evaluation errors turned into NULL
	Watermark       int64 // the lowest of the sinks, milliseconds; vec.MinTime before the first

	Resumed    checkpoint.ID // checkpoint the attempt went on from; 0: none
	Checkpoint checkpoint.ID // newest complete one; 0: none
	CheckedAt  time.Time
}

// Status is the job as it is now.
func (j *Job) Status() Status {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.attempt == nil {
		return j.status
	}
	return j.attempt.describe(j.status)
}

// describe fills in what the attempt's counters say.
func (a *attempt) describe(s Status) Status {
	s.RowsIn, s.RowsOut, s.Late, s.BadRecords, s.NullEvents = 0, 0, 0, 0, 0
	s.Watermark = vec.MinTime
	for _, v := range a.job.spec.Graph.Vertices {
		c := a.runtime.Counters(v.ID)
		switch v.Op.(type) {
		case *plan.Scan, *plan.Values:
			s.RowsIn += c.RowsOut.Load()
		case *plan.Sink, *plan.Collect:
			s.RowsOut += c.RowsIn.Load()
			s.Watermark = c.Watermark.Load()
		}
		s.Late += c.Late.Load()
		s.BadRecords += c.BadRecords.Load()
		s.NullEvents += c.NullEvents.Load()
	}
	s.Resumed = a.from.id()
	if at := a.completed.Load(); at != nil {
		s.Checkpoint, s.CheckedAt = at.id, at.time
	}
	return s
}
