package job

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"streamsql/checkpoint"
	"streamsql/exec"
	"streamsql/internal/failpoint"
	"streamsql/internal/version"
)

// attempt is one run of the job's plan. Its loop is the coordinator of the checkpoints: it feeds what tasks and users report to
// the checkpoint machine and does what that decides.
type attempt struct {
	job     *Job
	from    origin
	number  checkpoint.Attempt
	seed    uint64 // of the random functions
	runtime *exec.Runtime
	writer  *checkpoint.ChunkWriter // nil: not durable
	machine checkpoint.Machine
	events  *mailbox
	ended   chan struct{}
	cancel  context.CancelCauseFunc

	last      *checkpoint.Manifest // newest one committed
	completed atomic.Pointer[completion]
	wake      *time.Timer
	stopped   bool // ended by a request, with input left
	failure   error

	mu       sync.Mutex
	requests map[checkpoint.RequestID]*request
	serial   checkpoint.RequestID
}

// completion tells when a checkpoint was completed.
type completion struct {
	id   checkpoint.ID
	time time.Time
}

// request is a user's wish for a checkpoint.
type request struct {
	savepoint string // directory to copy the checkpoint to
	stop      bool
	drain     bool
	answer    chan answer
}

type answer struct {
	manifest *checkpoint.Manifest
	err      error
}

// writeAhead is how many bytes of state may wait to be written.
const writeAhead = 64 << 20

// newAttempt builds the plan's tasks, on top of the state of where the job goes on from.
func (j *Job) newAttempt(ctx context.Context, from origin) (*attempt, error) {
	a := &attempt{
		job: j, from: from, seed: from.seed(j.spec.Settings.Seed), events: newMailbox(), ended: make(chan struct{}),
		requests: map[checkpoint.RequestID]*request{}, wake: time.NewTimer(time.Hour),
	}
	ctx, a.cancel = context.WithCancelCause(ctx)
	options := exec.Options{
		Job: j.spec.Name, Parallelism: j.spec.Parallelism, Rows: j.spec.BatchRows, Settings: j.spec.Settings,
		IgnoreMissing: j.spec.Restore.IgnoreMissingOutput,
		Alloc:         j.spec.alloc(), Listener: a.events, Collect: j.spec.Collect, Errors: j.spec.Errors,
	}
	options.Settings.Seed = a.seed
	config, first := checkpoint.DefaultConfig(), checkpoint.ID(1)
	config.Interval = 0
	if j.log != nil {
		var err error
		if a.number, first, err = j.log.Begin(from.own()); err != nil {
			return nil, err
		}
		if err := failpoint.Err(failpoint.Restore); err != nil {
			return nil, err
		}
		config = j.spec.Checkpoint
		a.writer = checkpoint.NewChunkWriter(j.spec.Store, j.spec.Name, a.number, writeAhead)
		options.Chunks = a.writer
		from.restore(&options)
	}
	var err error
	if a.runtime, err = exec.Build(ctx, j.spec.Graph, options); err != nil {
		a.close()
		return nil, explain(err)
	}
	a.machine = checkpoint.NewMachine(config, a.runtime.Tasks(), a.runtime.Sources(), first, time.Now())
	j.mu.Lock()
	defer j.mu.Unlock()
	j.attempt = a
	j.status.State = Running
	return a, nil
}

func (a *attempt) close() {
	a.cancel(nil)
	if a.writer != nil {
		a.writer.Close()
	}
	a.wake.Stop()
}

// run coordinates the attempt to its end: nil when its last checkpoint is complete and all tasks have ended.
func (a *attempt) run(ctx context.Context) error {
	defer a.close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tasks := make(chan error, 1)
	go func() { tasks <- a.runtime.Run(ctx) }()
	clock := time.NewTicker(tickInterval)
	defer clock.Stop()
	if a.from.foreign() {
		a.events.post(checkpoint.Triggered{}) // so that the job's own log holds what it started from
	}
	a.step(checkpoint.Tick{})
	for {
		select {
		case err := <-tasks:
			a.end()
			if a.failure != nil {
				return a.failure
			}
			return err
		case <-a.events.ready:
			for _, e := range a.events.take() {
				a.step(e)
			}
		case <-a.wake.C:
			a.step(checkpoint.Tick{})
		case <-clock.C:
			a.runtime.Tick()
		}
		if a.failure != nil {
			cancel(a.failure)
		}
	}
}

// step feeds the machine one event and does what it decides.
func (a *attempt) step(e checkpoint.Event) {
	var effects []checkpoint.Effect
	a.machine, effects = a.machine.Step(time.Now(), e)
	for _, effect := range effects {
		a.do(effect)
	}
	if _, ok := e.(checkpoint.ManifestCommitted); ok && a.writer != nil {
		if err := a.job.log.Retain(a.job.spec.Checkpoint.Retained); err != nil && a.failure == nil {
			a.failure = err
		}
	}
}

func (a *attempt) do(effect checkpoint.Effect) {
	switch e := effect.(type) {
	case checkpoint.Inject:
		a.inject(e.Barrier)
	case checkpoint.Commit:
		a.commit(e)
	case checkpoint.NotifyCommitted:
		a.runtime.Committed(e.ID)
	case checkpoint.NotifyAborted:
		a.runtime.Aborted(e.ID)
	case checkpoint.Completed:
		a.answer(e)
	case checkpoint.FailJob:
		a.failure = e.Err
	case checkpoint.Done:
		a.stopped = !e.Final
	case checkpoint.WakeAt:
		a.wake.Reset(time.Until(e.Time))
	}
}

func (a *attempt) inject(b checkpoint.Barrier) {
	if a.writer != nil {
		if err := a.job.log.Reserve(b.ID); err != nil {
			a.events.post(checkpoint.InjectFailed{ID: b.ID, Err: err})
			return
		}
	}
	a.runtime.Inject(b)
}

// commit writes the manifest of a checkpoint that every task has acknowledged.
func (a *attempt) commit(c checkpoint.Commit) {
	if a.writer == nil {
		a.events.post(checkpoint.ManifestCommitted{ID: c.ID})
		return
	}
	m := a.manifest(c)
	if err := a.job.log.Commit(m); err != nil {
		a.events.post(checkpoint.CommitFailed{ID: c.ID, Err: err})
		return
	}
	a.last = m
	a.completed.Store(&completion{m.ID, time.Now()})
	a.events.post(checkpoint.ManifestCommitted{ID: c.ID})
}

func (a *attempt) manifest(c checkpoint.Commit) *checkpoint.Manifest {
	m := &checkpoint.Manifest{
		Job: a.job.spec.Name, ID: c.ID, Attempt: a.number, Created: c.Began, Engine: version.String(), SQL: a.job.spec.SQL, Seed: a.seed,
		Plan: describePlan(a.job.spec.Graph, a.runtime.Parallelism()), Tasks: c.Tasks, Final: c.Final, Duration: time.Since(c.Began),
	}
	for _, t := range c.Tasks {
		m.Bytes += t.Timing.Bytes
	}
	return m
}

// request registers a user's request and waits for its outcome.
func (a *attempt) request(ctx context.Context, r request) (*checkpoint.Manifest, error) {
	if a.writer == nil {
		return nil, fmt.Errorf("job %s keeps no checkpoints", a.job.spec.Name)
	}
	r.answer = make(chan answer, 1)
	a.mu.Lock()
	a.serial++
	id := a.serial
	a.requests[id] = &r
	a.mu.Unlock()
	a.events.post(checkpoint.Triggered{Request: id, Stop: r.stop, Drain: r.drain})
	select {
	case out := <-r.answer:
		return out.manifest, out.err
	case <-a.ended:
		select {
		case out := <-r.answer:
			return out.manifest, out.err
		default:
			return nil, checkpoint.ErrEnded
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// answer settles a request; a savepoint is copied from the checkpoint that serves it.
func (a *attempt) answer(c checkpoint.Completed) {
	a.mu.Lock()
	r := a.requests[c.Request]
	delete(a.requests, c.Request)
	a.mu.Unlock()
	if r == nil {
		return
	}
	out := answer{a.last, c.Err}
	if out.err == nil && r.savepoint != "" {
		out.err = checkpoint.WriteSavepoint(r.savepoint, a.last, a.job.log.Reader())
	}
	r.answer <- out
}

// end answers what is still asked when the tasks have ended.
func (a *attempt) end() {
	for _, e := range a.events.take() {
		a.step(e)
	}
	close(a.ended)
}
