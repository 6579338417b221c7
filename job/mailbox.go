package job

import (
	"sync"

	"streamsql/checkpoint"
)

// mailbox is an unbounded queue of events, so that a task that reports never waits for the coordinator.
type mailbox struct {
	mu     sync.Mutex
	events []checkpoint.Event
	ready  chan struct{} // holds a token while there may be events
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

func (m *mailbox) post(e checkpoint.Event) {
	m.mu.Lock()
	m.events = append(m.events, e)
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
}

// take empties the mailbox.
func (m *mailbox) take() []checkpoint.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := m.events
	m.events = nil
	return events
}

// Acked, Declined and SourceEnded make a mailbox the exec.Listener of an attempt.

func (m *mailbox) Acked(id checkpoint.ID, s checkpoint.TaskState) {
	m.post(checkpoint.Acked{ID: id, State: s})
}

func (m *mailbox) Declined(id checkpoint.ID, task checkpoint.TaskID, err error) {
	m.post(checkpoint.Declined{ID: id, Task: task, Err: err})
}

func (m *mailbox) SourceEnded(task checkpoint.TaskID) {
	m.post(checkpoint.SourceFinished{Task: task})
}
