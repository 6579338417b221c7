package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Machine decides when a checkpoint of a running attempt begins, completes and is given up. It is a value: Step returns the next
// one and what is to be done, and touches nothing else.
//
//   - A periodic checkpoint begins when the interval has passed since the last one began, the pause since the last one ended, and
//     fewer than the allowed number are under way. One that could not begin in time begins as soon as it can.
//   - Requests do not wait for interval or pause. All that wait are served by the same checkpoint.
//   - When all sources have finished, or a request says stop, one last checkpoint with Stop set begins once no other is under way,
//     and nothing after it. If it fails and failures are tolerated, the job goes on; for finished sources it is tried again.
//   - A checkpoint is committed when all tasks have acknowledged it, one commit at a time. Once it is committed, older ones still
//     under way are given up as superseded.
//   - A checkpoint that a task declined, that could not be committed or took too long has failed. The job fails with the first
//     failure in a row beyond the tolerable ones.
type Machine struct {
	config  Config
	tasks   []TaskID // shared by all values, never changed
	sources []TaskID // likewise

	next     ID
	running  []pending   // oldest first
	waiting  []Triggered // requests that no checkpoint under way serves
	finished []TaskID    // source tasks that have read their input
	due      time.Time   // when the next periodic checkpoint is due
	lastEnd  time.Time   // when the last checkpoint ended, however it did
	failures int         // in a row
	wake     time.Time   // of the last WakeAt
	ended    bool
}

// pending is a checkpoint under way.
type pending struct {
	barrier    Barrier
	began      time.Time
	final      bool
	requests   []Triggered
	acks       []TaskState
	committing bool
}

// NewMachine returns the machine of an attempt: tasks lists all of its tasks, sources those that receive Inject, first the id of
// its first checkpoint. The first interval begins now.
func NewMachine(c Config, tasks, sources []TaskID, first ID, now time.Time) Machine {
	return Machine{config: c, tasks: slices.Clone(tasks), sources: slices.Clone(sources), next: first, due: now.Add(c.Interval)}
}

// Step takes in an event that happened now, and returns the machine after it and what is to be done, in this order. Effects whose
// outcome matters come back as events.
func (m Machine) Step(now time.Time, e Event) (Machine, []Effect) {
	s := step{Machine: m, now: now}
	s.running = slices.Clone(m.running)
	if m.ended {
		s.refuse(e)
		return s.Machine, s.effects
	}
	s.handle(e)
	s.expire()
	s.commit()
	s.begin()
	s.schedule()
	return s.Machine, s.effects
}

// Progress tells how far a checkpoint under way has come.
type Progress struct {
	ID    ID
	Began time.Time
	Acked int // tasks
	Tasks int
}

// Running lists the checkpoints under way, oldest first.
func (m Machine) Running() []Progress {
	list := make([]Progress, len(m.running))
	for i, p := range m.running {
		list[i] = Progress{p.barrier.ID, p.began, len(p.acks), len(m.tasks)}
	}
	return list
}

// allFinished reports whether every source has read its input.
func (m *Machine) allFinished() bool { return len(m.finished) == len(m.sources) }

// find returns the checkpoint under way of that id, or nil.
func (m *Machine) find(id ID) *pending {
	for i := range m.running {
		if m.running[i].barrier.ID == id {
			return &m.running[i]
		}
	}
	return nil
}

// step is a machine while it takes in an event. Its slices may share memory with older values of the machine: elements are
// only ever changed in running, which is its own, and appends do not reuse memory.
type step struct {
	Machine
	now     time.Time
	effects []Effect
}

func (s *step) emit(e Effect) { s.effects = append(s.effects, e) }

func (s *step) handle(e Event) {
	switch e := e.(type) {
	case Triggered:
		s.waiting = append(slices.Clip(s.waiting), e)
	case Acked:
		s.acked(e)
	case Declined:
		s.failed(e.ID, fmt.Errorf("task %s/%d declined: %w", e.Task.Vertex, e.Task.Subtask, e.Err))
	case SourceFinished:
		if slices.Contains(s.sources, e.Task) && !slices.Contains(s.finished, e.Task) {
			s.finished = append(slices.Clip(s.finished), e.Task)
		}
	case ManifestCommitted:
		s.committed(e.ID)
	case CommitFailed:
		if p := s.find(e.ID); p != nil {
			p.committing = false
		}
		s.failed(e.ID, e.Err)
	case InjectFailed:
		s.failed(e.ID, e.Err)
	}
}

// acked counts the acknowledgement unless it is a late one, a second one, or of a task that is none.
func (s *step) acked(e Acked) {
	p := s.find(e.ID)
	if p == nil || p.committing || !slices.Contains(s.tasks, e.State.Task) {
		return
	}
	if slices.ContainsFunc(p.acks, func(a TaskState) bool { return a.Task == e.State.Task }) {
		return
	}
	p.acks = append(slices.Clip(p.acks), e.State)
}

// failed gives up a checkpoint under way that is not being committed.
func (s *step) failed(id ID, err error) {
	p := s.find(id)
	if p == nil || p.committing {
		return
	}
	if errors.Is(err, ErrSuperseded) {
		s.supersede(id)
		return
	}
	s.abort(id, err)
	for _, r := range s.remove(id).requests {
		s.emit(Completed{Request: r.Request, Err: fmt.Errorf("checkpoint %d failed: %w", id, err)})
	}
	s.failures++
	if s.failures > s.config.TolerableFailures || errors.Is(err, ErrFenced) {
		s.fail(fmt.Errorf("checkpoint %d failed: %w", id, err))
	}
}

// supersede gives a checkpoint up for a newer one, which takes over its requests.
func (s *step) supersede(id ID) {
	s.abort(id, ErrSuperseded)
	requests := s.remove(id).requests
	if n := len(s.running); n > 0 && s.running[n-1].barrier.ID > id {
		newest := &s.running[n-1]
		newest.requests = append(slices.Clip(newest.requests), requests...)
		return
	}
	s.waiting = append(requests[:len(requests):len(requests)], s.waiting...)
}

func (s *step) abort(id ID, reason error) {
	s.lastEnd = s.now
	s.emit(NotifyAborted{id, reason})
}

func (s *step) remove(id ID) pending {
	i := slices.IndexFunc(s.running, func(p pending) bool { return p.barrier.ID == id })
	p := s.running[i]
	s.running = slices.Delete(s.running, i, i+1)
	return p
}

// fail ends the attempt.
func (s *step) fail(err error) {
	s.emit(FailJob{err})
	s.end(0, fmt.Errorf("%w: %w", ErrEnded, err))
}

// end answers every request and lets nothing begin any more.
func (s *step) end(id ID, err error) {
	s.ended = true
	requests := s.waiting
	for _, p := range s.running {
		requests = append(slices.Clip(requests), p.requests...)
	}
	for _, r := range requests {
		s.emit(Completed{r.Request, id, err})
	}
	s.running, s.waiting = nil, nil
}

// refuse answers a request that comes after the end.
func (s *step) refuse(e Event) {
	if r, ok := e.(Triggered); ok {
		s.emit(Completed{Request: r.Request, Err: ErrEnded})
	}
}

// committed completes a checkpoint.
func (s *step) committed(id ID) {
	if p := s.find(id); p == nil || !p.committing {
		return
	}
	for len(s.running) > 0 && s.running[0].barrier.ID < id {
		s.supersedeBy(s.running[0].barrier.ID, id)
	}
	p := s.remove(id)
	s.lastEnd, s.failures = s.now, 0
	s.emit(NotifyCommitted{id})
	for _, r := range p.requests {
		s.emit(Completed{Request: r.Request, ID: id})
	}
	if p.barrier.Stop {
		s.emit(Done{p.final})
		s.end(id, nil)
	}
}

// supersedeBy gives a checkpoint up for a newer one that is complete, which serves its requests.
func (s *step) supersedeBy(old, newer ID) {
	s.abort(old, ErrSuperseded)
	for _, r := range s.remove(old).requests {
		s.emit(Completed{Request: r.Request, ID: newer})
	}
}

// expire fails the checkpoints that take too long.
func (s *step) expire() {
	for _, p := range slices.Clone(s.running) {
		if !s.ended && len(p.acks) < len(s.tasks) && s.now.Sub(p.began) >= s.config.Timeout {
			s.failed(p.barrier.ID, fmt.Errorf("%w after %v, %d of %d tasks had acknowledged",
				ErrExpired, s.config.Timeout, len(p.acks), len(s.tasks)))
		}
	}
}

// commit commits the oldest checkpoint all tasks have acknowledged, unless one is being committed.
func (s *step) commit() {
	if slices.ContainsFunc(s.running, func(p pending) bool { return p.committing }) {
		return
	}
	for i := range s.running {
		p := &s.running[i]
		if len(p.acks) == len(s.tasks) {
			p.committing = true
			s.emit(Commit{p.barrier.ID, p.began, s.inOrder(p.acks), p.final})
			return
		}
	}
}

// inOrder sorts the acknowledgements by the order of the tasks.
func (s *step) inOrder(acks []TaskState) []TaskState {
	place := make(map[TaskID]int, len(s.tasks))
	for i, t := range s.tasks {
		place[t] = i
	}
	acks = slices.Clone(acks)
	slices.SortFunc(acks, func(a, b TaskState) int { return place[a.Task] - place[b.Task] })
	return acks
}

// begin begins the checkpoints that may begin now.
func (s *step) begin() {
	for !s.ended && s.mayBegin() {
		s.inject()
	}
}

func (s *step) mayBegin() bool {
	if s.stopping() {
		return len(s.running) == 0 && !s.now.Before(s.retryLast())
	}
	if len(s.running) >= s.config.MaxConcurrent {
		return false
	}
	return len(s.waiting) > 0 || s.config.Interval > 0 && !s.now.Before(s.nextPeriodic())
}

// stopping reports whether the next checkpoint, or one under way, is the last.
func (s *step) stopping() bool {
	return s.allFinished() || slices.ContainsFunc(s.waiting, func(r Triggered) bool { return r.Stop }) ||
		slices.ContainsFunc(s.running, func(p pending) bool { return p.barrier.Stop })
}

// lastPause is how long the last checkpoint of finished sources waits after a failure before it is tried again.
const lastPause = time.Second

// retryLast is when the last checkpoint may begin.
func (s *step) retryLast() time.Time {
	if s.failures == 0 || len(s.waiting) > 0 {
		return s.now
	}
	return s.lastEnd.Add(max(lastPause, s.config.MinPause))
}

// nextPeriodic is when the next periodic checkpoint may begin.
func (s *step) nextPeriodic() time.Time {
	if rested := s.lastEnd.Add(s.config.MinPause); !s.lastEnd.IsZero() && rested.After(s.due) {
		return rested
	}
	return s.due
}

// inject begins a checkpoint, which serves every request that waits.
func (s *step) inject() {
	p := pending{barrier: Barrier{ID: s.next, Stop: s.stopping()}, began: s.now, final: s.allFinished(), requests: s.waiting}
	p.barrier.Drain = slices.ContainsFunc(s.waiting, func(r Triggered) bool { return r.Stop && r.Drain })
	s.next++
	s.waiting = nil
	s.running = append(s.running, p)
	if !s.now.Before(s.due) {
		s.due = s.due.Add(s.config.Interval)
		if !s.due.After(s.now) {
			s.due = s.now.Add(s.config.Interval)
		}
	}
	s.emit(Inject{p.barrier})
}

// schedule asks for a tick at the next time something happens by itself.
func (s *step) schedule() {
	if s.ended {
		return
	}
	var at time.Time
	earlier := func(t time.Time) {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	for _, p := range s.running {
		if len(p.acks) < len(s.tasks) {
			earlier(p.began.Add(s.config.Timeout))
		}
	}
	switch {
	case s.stopping():
		if len(s.running) == 0 {
			earlier(s.retryLast())
		}
	case s.config.Interval > 0 && len(s.running) < s.config.MaxConcurrent:
		earlier(s.nextPeriodic())
	}
	if !at.IsZero() && !at.Equal(s.wake) {
		s.emit(WakeAt{at})
	}
	s.wake = at
}
