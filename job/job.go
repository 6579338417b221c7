package job

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"streamsql/checkpoint"
)

// Job is a started job. Its methods may be called from any goroutine.
type Job struct {
	spec   Spec
	log    *checkpoint.Log // nil: not durable
	cancel context.CancelCauseFunc
	done   chan struct{}

	mu       sync.Mutex
	status   Status
	err      error
	attempt  *attempt // the running one, nil between attempts
	failures []time.Time
}

// errCancelled ends a cancelled job.
var errCancelled = errors.New("the job was cancelled")

// Start checks where the job goes on from, and runs it. What is wrong with that is an error here; what happens later is told by
// Wait.
func Start(ctx context.Context, s Spec) (*Job, error) {
	j := &Job{spec: s, done: make(chan struct{})}
	j.status = Status{Name: s.Name, State: Running, Started: time.Now()}
	from := origin{}
	if s.Store != nil {
		log, err := checkpoint.OpenLog(s.Store, s.Name)
		if err != nil {
			return nil, err
		}
		j.log = log
		if from, err = j.origin(s.Restore); err != nil {
			return nil, err
		}
	}
	ctx, j.cancel = context.WithCancelCause(ctx)
	first, err := j.newAttempt(ctx, from)
	if err != nil {
		j.cancel(nil)
		return nil, err
	}
	go j.supervise(ctx, first)
	return j, nil
}

// supervise runs attempt after attempt until one ends well or the restart strategy gives up.
func (j *Job) supervise(ctx context.Context, a *attempt) {
	defer close(j.done)
	defer j.cancel(nil)
	var err error
	for {
		if a != nil {
			err = a.run(ctx)
			j.ended(a)
			if err == nil {
				j.finish(nil, nil)
				return
			}
		}
		if ctx.Err() != nil {
			j.finish(err, context.Cause(ctx))
			return
		}
		delay, again := j.failed(err)
		if !again {
			j.finish(err, nil)
			return
		}
		j.warn("job %s failed: %v; restarting in %v", j.spec.Name, err, delay)
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			j.finish(nil, context.Cause(ctx))
			return
		}
		a, err = j.restart(ctx)
	}
}

// failed asks the restart strategy what to do about an error. A job that keeps no state is never restarted: what it has already
// handed out cannot be taken back.
func (j *Job) failed(err error) (delay time.Duration, again bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failures = append(j.failures, time.Now())
	if j.log == nil || j.spec.Restart == nil || isPermanent(err) {
		return 0, false
	}
	delay, again = j.spec.Restart.Next(j.failures, time.Now())
	if again {
		j.status.State = Restarting
		j.status.Restarts++
		j.status.Failure = err.Error()
	}
	return delay, again
}

// restart begins the next attempt, from the newest complete checkpoint or, before the first, from where the job started. An error is
// that of the attempt: what kept it from beginning may pass.
func (j *Job) restart(ctx context.Context) (*attempt, error) {
	from, err := j.origin(Restore{Mismatch: j.spec.Restore.Mismatch})
	if err != nil {
		return nil, err
	}
	if from.manifest == nil {
		if from, err = j.origin(j.spec.Restore); err != nil {
			return nil, err
		}
	}
	return j.newAttempt(ctx, from)
}

// finish settles the job's outcome.
func (j *Job) finish(err, cause error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.status.Ended = time.Now()
	switch {
	case errors.Is(cause, errCancelled):
		j.status.State = Cancelled
	case cause != nil:
		j.status.State, j.err = Cancelled, cause
	case err != nil:
		j.status.State, j.err = Failed, err
		j.status.Failure = err.Error()
	}
}

// ended notes that an attempt is over.
func (j *Job) ended(a *attempt) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.status = a.describe(j.status)
	j.attempt = nil
	if a.stopped {
		j.status.State = Stopped
	} else {
		j.status.State = Finished
	}
}

// Name is the job's name.
func (j *Job) Name() string { return j.spec.Name }

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// Wait waits for the job's end and returns its error, nil if it finished, was stopped or was cancelled.
func (j *Job) Wait() error {
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Cancel ends the job at once, without a checkpoint.
func (j *Job) Cancel() { j.cancel(errCancelled) }

// Checkpoint takes a checkpoint now and waits for it.
func (j *Job) Checkpoint(ctx context.Context) (checkpoint.ID, error) {
	m, err := j.request(ctx, request{})
	if err != nil {
		return 0, err
	}
	return m.ID, nil
}

// Savepoint takes a checkpoint and copies it into the directory, which must not exist.
func (j *Job) Savepoint(ctx context.Context, dir string) error {
	_, err := j.request(ctx, request{savepoint: dir})
	return err
}

// StopOptions says how a job is stopped.
type StopOptions struct {
	Savepoint string // directory of a savepoint to leave; "" leaves just a last checkpoint
	Drain     bool   // let open windows fire, as if the input had ended
}

// Stop takes a last checkpoint, commits what the sinks hold, and ends the job. One that waits to be restarted ends as it is: it has
// nothing that its newest checkpoint has not.
func (j *Job) Stop(ctx context.Context, o StopOptions) error {
	if (o == StopOptions{}) && j.Status().State == Restarting {
		j.Cancel()
		<-j.done
		return nil
	}
	_, err := j.request(ctx, request{savepoint: o.Savepoint, stop: true, drain: o.Drain})
	if err != nil {
		return err
	}
	<-j.done
	return nil
}

// request hands a request to the running attempt and waits for its outcome.
func (j *Job) request(ctx context.Context, r request) (*checkpoint.Manifest, error) {
	j.mu.Lock()
	a := j.attempt
	j.mu.Unlock()
	if a == nil {
		return nil, fmt.Errorf("job %s is not running", j.spec.Name)
	}
	return a.request(ctx, r)
}

func (j *Job) notice(format string, args ...any) { tell(j.spec.Notice, format, args) }

func (j *Job) warn(format string, args ...any) { tell(j.spec.Warn, format, args) }

func tell(whom func(string), format string, args []any) {
	if whom != nil {
		whom(fmt.Sprintf(format, args...))
	}
}
