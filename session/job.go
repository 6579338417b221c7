package session

import (
	"context"

	"streamsql/job"
)

// Job is a job that a session has started. Its methods may be called from any goroutine.
type Job struct {
	Name string

	status func() job.Status
	done   <-chan struct{}
	err    func() error
	stop   func(context.Context) error
}

// Status tells how the job is doing.
func (j *Job) Status() job.Status { return j.status() }

// Done is closed when the job has ended.
func (j *Job) Done() <-chan struct{} { return j.done }

// Err returns why the job has failed, nil if it has finished, was stopped or still runs.
func (j *Job) Err() error {
	select {
	case <-j.done:
		return j.err()
	default:
		return nil
	}
}

// Stop lets the job take a last checkpoint and waits for its end. It goes on from there when it is started again.
func (j *Job) Stop(ctx context.Context) error { return j.stop(ctx) }

// localJob is the job that runs in this process.
func localJob(run *running) *Job {
	return &Job{Name: run.record.Name, status: run.Status, done: run.ended, err: run.Wait, stop: run.stop}
}
