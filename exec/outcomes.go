package exec

import (
	"errors"
	"sync"

	"streamsql/checkpoint"
)

// errLost is why a checkpoint is declined whose chain of chunks includes one that could not be written.
var errLost = errors.New("an earlier checkpoint could not be written")

// outcomes carries what became of a task's snapshots from the writer of chunks back to the task.
type outcomes struct {
	mu     sync.Mutex
	list   []outcome
	losses int // failures so far
}

// outcome tells whether all chunks of a checkpoint are durable.
type outcome struct {
	id checkpoint.ID
	ok bool
}

// add notes an outcome. losses is how many failures the task knew of when the snapshot began: a snapshot that began before a failure it
// does not know of names chunks that are lost, and has failed too.
func (o *outcomes) add(id checkpoint.ID, losses int, err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err != nil:
		o.losses++
	case o.losses != losses:
		err = errLost
	}
	o.list = append(o.list, outcome{id, err == nil})
	return err
}

// take empties the list and tells how many failures there have been.
func (o *outcomes) take() ([]outcome, int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := o.list
	o.list = nil
	return list, o.losses
}
