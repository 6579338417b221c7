package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/apache/arrow/go/v17/arrow"

	"streamsql/internal/settings"
	"streamsql/internal/suggest"
	"streamsql/job"
	"streamsql/parser"
	"streamsql/storage"
)

func init() {
	register(runStopJob, Command{
		"STOP JOB j [WITH SAVEPOINT ['name']] [WITH DRAIN]",
		"end a job after a last checkpoint, from which it can go on later",
	})
	register(runCancelJob, Command{"CANCEL JOB j", "end a job at once, without a last checkpoint"})
}

// runningJob finds the job that a statement names.
func (s *Session) runningJob(st statement, name parser.Text) (*running, error) {
	store, err := s.store()
	if err != nil {
		return nil, err
	}
	if run := s.engine.jobs.find(name.Value); run != nil {
		return run, nil
	}
	r, err := s.jobRecord(st, store, name)
	if err != nil {
		return nil, err
	}
	return nil, st.errorAt(name.At(), fmt.Sprintf("job '%s' is not running; its state is %s", r.Name, r.Status.State))
}

// jobRecord returns what is known of the job that a statement names.
func (s *Session) jobRecord(st statement, store *storage.Store, name parser.Text) (record, error) {
	if store == nil {
		return record{}, st.errorAt(name.At(), fmt.Sprintf("unknown job '%s'", name.Value), "there is no data directory "+s.engine.dir)
	}
	r, err := s.engine.jobs.record(store, name.Value)
	if unknown := (*noJobError)(nil); errors.As(err, &unknown) {
		hint := suggest.Hint(name.Value, unknown.known)
		if hint == "" {
			hint = "SHOW JOBS lists them"
		}
		return r, st.errorAt(name.At(), err.Error(), hint)
	}
	return r, err
}

func runStopJob(ctx context.Context, s *Session, st statement, stop *parser.StopJob) (*Result, error) {
	run, err := s.runningJob(st, stop.Job)
	if err != nil {
		return nil, err
	}
	o := job.StopOptions{Drain: stop.Drain}
	var target savepoint
	if stop.Savepoint {
		if target, err = s.newSavepoint(st, run.record, stop.Name, nil); err != nil {
			return nil, err
		}
		o.Savepoint = target.Dir
	}
	if err := run.Stop(ctx, o); err != nil {
		return nil, fmt.Errorf("stopping job '%s': %w", run.record.Name, err)
	}
	<-run.ended
	if stop.Savepoint {
		return s.keepSavepoint(target)
	}
	return &Result{Message: ended(run.now())}, nil
}

// ended says in a line how a job has ended.
func ended(r record) string {
	text := fmt.Sprintf("job %s %s", r.Name, strings.ToLower(string(r.Status.State)))
	if r.Status.Checkpoint != 0 {
		text += fmt.Sprintf(" after checkpoint %d", r.Status.Checkpoint)
	}
	if r.Status.BadRecords != 0 {
		text += fmt.Sprintf("; bad records left out: %d", r.Status.BadRecords)
	}
	return text
}

func runCancelJob(_ context.Context, s *Session, st statement, cancel *parser.CancelJob) (*Result, error) {
	run, err := s.runningJob(st, cancel.Job)
	if err != nil {
		return nil, err
	}
	run.Cancel()
	<-run.ended
	return &Result{Message: ended(run.now())}, nil
}

// newGrid returns an empty grid that shows times in the session's zone.
func (s *Session) newGrid(fields ...arrow.Field) *grid {
	return newGrid(settings.TimeZone.Of(s.settings), fields...)
}

func showJobs(s *Session, _ statement, show *parser.Show) (*Result, error) {
	g := s.newGrid(textField("job"), textField("state"), timeField("started"), numberField("rows_in"), numberField("rows_out"),
		numberField("late"), numberField("bad_records"), numberField("restarts"), numberField("checkpoint"), timeField("watermark"),
		numberField("parallelism"), textField("error"))
	store, err := s.store()
	if store == nil {
		return g.result(), err
	}
	records, err := s.engine.jobs.records(store)
	if err != nil {
		return nil, err
	}
	fits := filter(show)
	for _, r := range records {
		if fits(r.Name) {
			x := r.Status
			g.add(r.Name, string(x.State), x.Started, x.RowsIn, x.RowsOut, x.Late, x.BadRecords, x.Restarts,
				orNull(int64(x.Checkpoint)), watermark(x), r.Parallelism, x.Failure)
		}
	}
	return g.result(), nil
}

// orNull makes a zero NULL.
func orNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// watermark is the job's watermark as a wall clock, NULL while there is none or after the end.
func watermark(x job.Status) any {
	if x.Watermark <= minShownTime || x.Watermark >= maxShownTime {
		return nil
	}
	return clock(x.Watermark)
}

// Watermarks outside of the years 1 to 9999 are not shown.
var (
	minShownTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	maxShownTime = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
)
