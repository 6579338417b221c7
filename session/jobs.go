package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"streamsql/job"
	"streamsql/storage"
)

// jobs are the jobs of an engine that run now.
type jobs struct {
	engine  *Engine
	mu      sync.Mutex
	running map[string]*running // by name in lower case; nil while one is being started
	places  map[string]string   // the names of the jobs that write to places that take one writer
}

// running is a job that runs.
type running struct {
	*job.Job
	record record
	ended  chan struct{} // closed when the job has ended and its record says so
}

// errRunning says that a job of the name runs.
var errRunning = errors.New("it is running already")

// start starts a job and keeps its record.
func (js *jobs) start(r record, spec job.Spec) (*running, error) {
	if err := js.reserve(r.Name, places(spec)); err != nil {
		return nil, err
	}
	run, err := js.launch(r, spec)
	if err != nil {
		js.release(r.Name)
		return nil, err
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	js.running[strings.ToLower(r.Name)] = run
	go js.watch(run)
	return run, nil
}

// reserve takes a job's name and the places that it alone may write to.
func (js *jobs) reserve(name string, places []string) error {
	if js.engine.isClosing() {
		return errClosing
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	if js.running == nil {
		js.running, js.places = map[string]*running{}, map[string]string{}
	}
	if _, taken := js.running[strings.ToLower(name)]; taken {
		return errRunning
	}
	for i, p := range places {
		if writer, taken := js.places[p]; taken {
			return &placeTakenError{p, writer}
		}
		if slices.Contains(places[:i], p) {
			return &placeTakenError{p, name}
		}
	}
	for _, p := range places {
		js.places[p] = name
	}
	js.running[strings.ToLower(name)] = nil
	return nil
}

// release gives back what reserve took.
func (js *jobs) release(name string) {
	js.mu.Lock()
	defer js.mu.Unlock()
	delete(js.running, strings.ToLower(name))
	maps.DeleteFunc(js.places, func(_, writer string) bool { return writer == name })
}

func (js *jobs) launch(r record, spec job.Spec) (*running, error) {
	j, err := job.Start(context.Background(), spec)
	if err != nil {
		return nil, err
	}
	r.Status = j.Status()
	if err := saveRecord(spec.Store, r); err != nil {
		j.Cancel()
		return nil, errors.Join(err, j.Wait())
	}
	return &running{Job: j, record: r, ended: make(chan struct{})}, nil
}

// watch waits for the end of a job and writes it into the record.
func (js *jobs) watch(run *running) {
	<-run.Done()
	r := run.record
	r.Status = run.Status()
	if store := js.engine.opened(); store != nil {
		_ = saveRecord(store, r) // the job is found interrupted then, which is as good
	}
	js.release(r.Name)
	close(run.ended)
}

// find returns the running job of a name, nil if there is none.
func (js *jobs) find(name string) *running {
	js.mu.Lock()
	defer js.mu.Unlock()
	return js.running[strings.ToLower(name)]
}

// all returns the running jobs, by name.
func (js *jobs) all() []*running {
	js.mu.Lock()
	defer js.mu.Unlock()
	var all []*running
	for _, key := range slices.Sorted(maps.Keys(js.running)) {
		if run := js.running[key]; run != nil {
			all = append(all, run)
		}
	}
	return all
}

// record returns what is known of a job, running or not. It fails with a *noJobError.
func (js *jobs) record(store *storage.Store, name string) (record, error) {
	if run := js.find(name); run != nil {
		return run.now(), nil
	}
	r, err := loadRecord(store, name)
	if !isNotFound(err) {
		return r, err
	}
	all, err := js.records(store)
	if err != nil {
		return record{}, err
	}
	known := make([]string, len(all))
	for i, r := range all {
		if strings.EqualFold(r.Name, name) {
			return r, nil
		}
		known[i] = r.Name
	}
	return record{}, &noJobError{name, known}
}

// records returns what is known of all jobs, by name.
func (js *jobs) records(store *storage.Store) ([]record, error) {
	all, err := loadRecords(store)
	for i, r := range all {
		if run := js.find(r.Name); run != nil {
			all[i] = run.now()
		}
	}
	return all, err
}

// now is the record of a job as it stands.
func (run *running) now() record {
	r := run.record
	r.Status = run.Status()
	return r
}

// any reports whether a job is running or being started.
func (js *jobs) any() bool {
	js.mu.Lock()
	defer js.mu.Unlock()
	return len(js.running) > 0
}

// waitAll waits until no job is running.
func (js *jobs) waitAll(ctx context.Context) error {
	for {
		all := js.all()
		if len(all) == 0 {
			return nil
		}
		select {
		case <-all[0].ended:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// stopAll lets all jobs take a last checkpoint and stop. When ctx ends, those that still run are cancelled.
func (js *jobs) stopAll(ctx context.Context) error {
	all := js.all()
	errs := make([]error, len(all))
	var stopping sync.WaitGroup
	for i, run := range all {
		stopping.Go(func() { errs[i] = run.stop(ctx) })
	}
	stopping.Wait()
	return errors.Join(errs...)
}

// stop lets the job take a last checkpoint and end. If ctx ends first or the checkpoint fails, the job is cancelled, which is an
// error unless it had come to an end by itself.
func (run *running) stop(ctx context.Context) error {
	err := run.Stop(ctx, job.StopOptions{})
	if err != nil {
		run.Cancel()
	}
	<-run.ended
	if err != nil && run.Status().State == job.Cancelled {
		return fmt.Errorf("job '%s' ended without a last checkpoint: %w", run.record.Name, err)
	}
	return nil
}
