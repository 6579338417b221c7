package exec

import (
	"errors"
	"sync"

	"streamsql/exec/vec"
)

// errClosed is what a gate answers once its task has ended or the job is being cancelled.
var errClosed = errors.New("the task has ended")

// gate is the one place where a task waits: a queue per input, bounded by rows, and an unbounded queue of control messages that
// are served first. Inputs are served in turn; a blocked input (one that has delivered its barrier during alignment) keeps
// filling up to its bound but is not served.
type gate struct {
	mu      sync.Mutex
	arrived sync.Cond // signalled to the task
	inputs  []queue
	control []message
	next    int // input to look at first
	closed  bool
}

// queue is one input of a gate.
type queue struct {
	messages []message // messages[head:] are waiting
	head     int
	rows     int // waiting rows
	limit    int // a sender waits while rows has reached it
	blocked  bool
	drained  sync.Cond // signalled to the sender
}

// newGate makes a gate of n inputs that together hold about budget rows.
func newGate(n, budget int) *gate {
	g := &gate{inputs: make([]queue, n)}
	g.arrived.L = &g.mu
	for i := range g.inputs {
		g.inputs[i].limit = max(budget/n, 1)
		g.inputs[i].drained.L = &g.mu
	}
	return g
}

// weight is the number of rows a message counts for; other messages than data pass freely.
func weight(m message) int {
	switch m := m.(type) {
	case data:
		return max(m.batch.Len(), 1)
	case fragment:
		return max(m.Batch.Len(), 1)
	}
	return 0
}

// discard frees what an unserved message holds.
func discard(m message) {
	switch m := m.(type) {
	case data:
		m.batch.Release()
	case fragment:
		m.Batch.Release()
	}
}

// send puts a message into an input, waiting while the input is full. A message for a closed gate is discarded.
func (g *gate) send(input int, m message) error {
	w := weight(m)
	g.mu.Lock()
	defer g.mu.Unlock()
	q := &g.inputs[input]
	for w > 0 && q.rows >= q.limit && !g.closed {
		q.drained.Wait()
	}
	if g.closed {
		discard(m)
		return errClosed
	}
	q.messages = append(q.messages, m)
	q.rows += w
	g.arrived.Signal()
	return nil
}

// post puts a control message in.
func (g *gate) post(m message) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.control = append(g.control, m)
		g.arrived.Signal()
	}
}

// control is the input number of control messages.
const control = -1

// poll takes the next message if there is one. With controlOnly, data stays where it is.
func (g *gate) poll(controlOnly bool) (input int, m message, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.take(controlOnly)
}

// wait takes the next message, waiting for one.
func (g *gate) wait(controlOnly bool) (input int, m message, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for !g.closed {
		if input, m, ok := g.take(controlOnly); ok {
			return input, m, nil
		}
		g.arrived.Wait()
	}
	return 0, nil, errClosed
}

func (g *gate) take(controlOnly bool) (int, message, bool) {
	if len(g.control) > 0 {
		m := g.control[0]
		g.control = g.control[1:]
		return control, m, true
	}
	if controlOnly {
		return 0, nil, false
	}
	for range g.inputs {
		i := g.next
		if g.next++; g.next == len(g.inputs) {
			g.next = 0
		}
		if q := &g.inputs[i]; !q.blocked && q.head < len(q.messages) {
			return i, q.pop(), true
		}
	}
	return 0, nil, false
}

func (q *queue) pop() message {
	m := q.messages[q.head]
	q.messages[q.head] = nil
	q.head++
	if q.head == len(q.messages) {
		q.messages, q.head = q.messages[:0], 0
	}
	if w := weight(m); w > 0 {
		q.rows -= w
		q.drained.Signal()
	}
	return m
}

// block stops or resumes serving an input.
func (g *gate) block(input int, blocked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inputs[input].blocked = blocked
}

// close wakes everyone who waits and discards what is queued.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for i := range g.inputs {
		q := &g.inputs[i]
		for _, m := range q.messages[q.head:] {
			discard(m)
		}
		q.messages, q.head, q.rows = nil, 0, 0
		q.drained.Broadcast()
	}
	g.control = nil
	g.arrived.Broadcast()
}

// gateBudget is the number of rows a gate holds by default.
const gateBudget = 4 * vec.DefaultRows
