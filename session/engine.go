package session

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"streamsql/storage"
)

// Engine is what the sessions of one data directory share: its store, with the persistent tables and views, and the jobs that
// keep their state there.
//
// The directory is created, opened and locked when a statement first needs it; queries whose tables the session has made
// itself never do. From then on the engine also serves the sessions of other processes that want the same directory.
type Engine struct {
	dir  string
	jobs jobs
	stay atomic.Bool

	mu       sync.Mutex
	store    *storage.Store // nil until needed
	listener net.Listener   // nil until then, too
	closing  chan struct{}  // closed when the engine begins to end
	// changes counts the changes of persistent objects, so that sessions notice those of others.
	changes int
	// cutOff ends the sessions of other processes at once, serving waits for them.
	cutOff  context.CancelFunc
	serving sync.WaitGroup
}

// NewEngine returns the engine of a data directory without opening it. It must be closed.
func NewEngine(dataDir string) *Engine {
	e := &Engine{dir: dataDir, closing: make(chan struct{})}
	e.jobs.engine = e
	return e
}

// DataDir is the data directory.
func (e *Engine) DataDir() string { return e.dir }

// exists tells whether there is a store in the data directory.
func (e *Engine) exists() bool {
	_, err := os.Stat(filepath.Join(e.dir, "store"))
	return err == nil
}

// opened returns the store if it has been opened, else nil.
func (e *Engine) opened() *storage.Store {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.store
}

// errClosing is for statements that come while the engine ends.
var errClosing = errors.New("the engine is shutting down")

func (e *Engine) isClosing() bool {
	select {
	case <-e.closing:
		return true
	default:
		return false
	}
}

// open returns the store, opening it and beginning to serve other processes if need be. It fails with storage.ErrLocked while
// another process has the directory open.
func (e *Engine) open() (*storage.Store, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.store != nil:
		return e.store, nil
	case e.isClosing():
		return nil, errClosing
	}
	store, err := storage.Open(e.dir)
	if err != nil {
		return nil, err
	}
	listener, err := listen(e.dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the socket of data directory %s: %w", e.dir, err), store.Close())
	}
	e.store, e.listener = store, listener
	e.changes++
	ctx, cancel := context.WithCancel(context.Background())
	e.cutOff = cancel
	e.serving.Go(func() { e.serve(ctx, listener) })
	return store, nil
}

// Stay tells that the process stays until its user ends it, as a shell does, so that other processes can rely on it.
func (e *Engine) Stay() { e.stay.Store(true) }

// staying reports whether other processes may attach: a process that just executes some statements ends under their hands.
func (e *Engine) staying() bool { return e.stay.Load() || e.jobs.any() }

// change notes that a persistent object has changed.
func (e *Engine) change() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.changes++
}

// version tells how many changes of persistent objects there have been.
func (e *Engine) version() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.changes
}

// Running names the jobs that run now, whoever has started them.
func (e *Engine) Running() []string {
	var names []string
	for _, run := range e.jobs.all() {
		names = append(names, run.record.Name)
	}
	return names
}

// Wait waits until no job is running, whoever has started it.
func (e *Engine) Wait(ctx context.Context) error { return e.jobs.waitAll(ctx) }

// graceTime is how long the requests of other processes have to finish when the engine ends and all jobs have.
const graceTime = 2 * time.Second

// Close ends the engine. Jobs that are running take a last checkpoint and stop; if ctx ends first, they are cancelled and go on
// later from the checkpoint they have. Requests of other processes may finish, then they are cut off.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	close(e.closing)
	store, listener := e.store, e.listener
	e.mu.Unlock()
	err := e.jobs.stopAll(ctx)
	if store == nil {
		return err
	}
	err = errors.Join(err, listener.Close())
	grace := time.AfterFunc(graceTime, e.cutOff)
	e.serving.Wait()
	grace.Stop()
	e.cutOff()
	_ = os.Remove(filepath.Join(e.dir, addressFile)) // the lock still keeps the next engine's from being there
	return errors.Join(err, store.Close())
}
