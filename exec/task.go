package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"streamsql/checkpoint"
	"streamsql/exec/vec"
)

// sweepRows is how much frozen state a task writes between two messages.
const sweepRows = 1 << 14

// Listener hears what the tasks report. Its methods are called from the tasks' goroutines and must not block.
type Listener interface {
	// Acked tells that the task's share of the checkpoint is durable.
	Acked(id checkpoint.ID, state checkpoint.TaskState)
	// Declined tells that the task could not make its share durable.
	Declined(id checkpoint.ID, task checkpoint.TaskID, err error)
	// SourceEnded tells that a source task has read all its input. It stays, to serve checkpoints, until one says Stop.
	SourceEnded(task checkpoint.TaskID)
}

// task is one goroutine: a gate, a tree of operators, outlets. It ends only on a barrier with Stop whose checkpoint is complete.
type task struct {
	id       checkpoint.TaskID
	gate     *gate
	edges    []int // the operator's input that each input of the gate belongs to
	root     *node
	source   *scan // the root's operator, in a source task
	aligner  *aligner
	times    watermarks
	chunks   Chunks // nil: nothing is durable
	listener Listener

	sweeping *sweep
	outcomes outcomes
	stopping checkpoint.ID // a Stop barrier has passed: nothing but control messages is served
}

// sweep is a snapshot being written.
type sweep struct {
	id      checkpoint.ID
	waiting []Snapshot
	written []Snapshot
	state   checkpoint.TaskState
	began   time.Time
	losses  int // failures known when it began
}

// run runs the task to its end. A panic below becomes its error.
func (t *task) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("bug in %s: %v\n%s", t.id.Vertex, p, debug.Stack())
		}
		t.gate.close()
		err = errors.Join(err, t.root.close())
	}()
	if err := t.root.open(); err != nil {
		return err
	}
	if t.source != nil {
		if err := t.start(ctx); err != nil {
			return err
		}
	}
	for {
		input, m, err := t.next()
		if err != nil {
			return err
		}
		done, err := t.handle(ctx, input, m)
		if done || err != nil {
			return err
		}
		if err := t.sweepSome(); err != nil {
			return err
		}
	}
}

// next takes the next message. Before it waits, it writes out frozen state and lets the operators flush.
func (t *task) next() (int, message, error) {
	for {
		if input, m, ok := t.gate.poll(t.stopping != 0); ok {
			return input, m, nil
		}
		if t.sweeping == nil {
			break
		}
		if err := t.sweepSome(); err != nil {
			return 0, nil, err
		}
	}
	if t.stopping == 0 {
		if err := t.root.flush(); err != nil {
			return 0, nil, err
		}
	}
	return t.gate.wait(t.stopping != 0)
}

// handle acts on one message and reports whether the task is over.
func (t *task) handle(ctx context.Context, input int, m message) (done bool, err error) {
	switch m := m.(type) {
	case data:
		return false, t.root.process(t.edges[input], m.batch)
	case fragment:
		return false, t.read(input, m)
	case splitEnd:
		return false, t.splitEnded(input, m)
	case Watermark:
		return false, t.advance(t.times.set(input, m))
	case checkpoint.Barrier:
		if aligned, took := t.aligner.barrier(input, m); aligned {
			return false, t.begin(m, took)
		}
	case inject:
		if m.barrier.Drain {
			if err := t.drain(); err != nil {
				return false, err
			}
		}
		return false, t.begin(m.barrier, 0)
	case committed:
		if err := t.root.committed(ctx, m.id); err != nil {
			return false, err
		}
		return t.stopping != 0 && m.id == t.stopping, nil
	case aborted:
		t.abort(m.id)
	case tick:
		return false, t.tick(time.Now())
	}
	return false, nil
}

// advance passes a changed watermark on.
func (t *task) advance(w Watermark, changed bool) error {
	if !changed {
		return nil
	}
	return t.root.watermark(w)
}

// begin takes the task's snapshot for an aligned barrier and sends the barrier on.
func (t *task) begin(b checkpoint.Barrier, alignment time.Duration) error {
	if err := t.finishSweep(); err != nil {
		return err
	}
	losses := t.settle()
	began := time.Now()
	snapshots, err := t.root.snapshot(b, nil)
	if err != nil {
		return err
	}
	if b.Stop {
		t.stopping = b.ID
	}
	state := checkpoint.TaskState{Task: t.id, Watermark: t.times.time}
	state.Timing.Alignment = alignment.Nanoseconds()
	state.Timing.Sync = time.Since(began).Nanoseconds()
	t.sweeping = &sweep{id: b.ID, waiting: snapshots, state: state, began: time.Now(), losses: losses}
	return nil
}

// finishSweep writes out what is left of the last snapshot: a new one needs the frozen bits.
func (t *task) finishSweep() error {
	for t.sweeping != nil {
		if err := t.sweepSome(); err != nil {
			return err
		}
	}
	return nil
}

// sweepSome writes some of the frozen state; the task acks when all of it is durable.
func (t *task) sweepSome() error {
	s := t.sweeping
	if s == nil {
		return nil
	}
	if len(s.waiting) > 0 {
		done, err := s.waiting[0].Sweep(sweepRows)
		if err != nil {
			return err
		}
		if done {
			s.written, s.waiting = append(s.written, s.waiting[0]), s.waiting[1:]
		}
		return nil
	}
	t.sweeping = nil
	for _, o := range s.written {
		s.add(o.State())
	}
	t.ack(s)
	return nil
}

// add puts an operator's state into the task's, with what was written for it.
func (s *sweep) add(o checkpoint.OperatorState) {
	s.state.Operators = append(s.state.Operators, o)
	for _, c := range o.Chunks {
		if c.Checkpoint == s.id {
			s.state.Timing.Bytes += int64(c.Bytes)
			s.state.Timing.Rows += int64(c.Rows)
		}
	}
}

func (t *task) ack(s *sweep) {
	answer := func(err error) {
		if err := t.outcomes.add(s.id, s.losses, err); err != nil {
			t.listener.Declined(s.id, t.id, err)
			return
		}
		s.state.Timing.Async = time.Since(s.began).Nanoseconds()
		t.listener.Acked(s.id, s.state)
	}
	if t.chunks == nil {
		answer(nil)
		return
	}
	t.chunks.Flush(s.id, answer)
}

// settle tells the operators what became of earlier snapshots, and how many have failed so far.
func (t *task) settle() (losses int) {
	list, losses := t.outcomes.take()
	for _, o := range list {
		t.root.settle(o)
	}
	return losses
}

// abort forgets a checkpoint that failed elsewhere. Chunks already written stay valid in their chains.
func (t *task) abort(id checkpoint.ID) {
	if t.aligner != nil {
		t.aligner.finish(id)
	}
	if t.stopping == id {
		t.stopping = 0
	}
}

// watermarks combines the watermarks of a task's inputs: the minimum over those that are not idle.
type watermarks struct {
	inputs []Watermark
	time   int64
	idle   bool
}

func newWatermarks(n int) watermarks {
	w := watermarks{inputs: make([]Watermark, n), time: vec.MinTime}
	for i := range w.inputs {
		w.inputs[i].Time = vec.MinTime
	}
	return w
}

// set notes an input's watermark and reports the combined one if it changed. It never falls. Idle inputs are left out of it. When none
// but idle ones are left it is that of the furthest of them, whichever became idle last; it does not go to the end of time, since
// they may have rows yet.
func (w *watermarks) set(input int, in Watermark) (out Watermark, changed bool) {
	w.inputs[input] = in
	low, high, idle := vec.MaxTime, vec.MinTime, false
	for _, i := range w.inputs {
		if i.Idle {
			high, idle = max(high, i.Time), true
		} else {
			low = min(low, i.Time)
		}
	}
	if idle = idle && low == vec.MaxTime; idle {
		low = high
	}
	changed = low > w.time || idle != w.idle
	w.idle, w.time = idle, max(w.time, low)
	return Watermark{Time: w.time, Idle: idle}, changed
}
