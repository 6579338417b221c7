package exec

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"streamsql/checkpoint"
)

// Runtime is a built plan. Run runs it; the other methods may be called from any goroutine meanwhile.
type Runtime struct {
	tasks    []*task
	counters map[string]*Counters
	widths   map[string]int
}

func newRuntime(b *builder) *Runtime {
	r := &Runtime{tasks: b.tasks, counters: map[string]*Counters{}, widths: map[string]int{}}
	for i, v := range b.graph.Vertices {
		r.counters[v.ID] = b.counters[i]
		r.widths[v.ID] = b.width[i]
	}
	return r
}

// Run runs every task to its end: nil after a completed checkpoint with Stop, the first error otherwise.
func (r *Runtime) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, t := range r.tasks {
		group.Go(func() error {
			err := t.run(ctx)
			if errors.Is(err, errClosed) {
				// A neighbour has failed; its error, which cancels ctx, is the one to report.
				<-ctx.Done()
				return context.Cause(ctx)
			}
			return err
		})
	}
	stop := context.AfterFunc(ctx, r.close)
	defer stop()
	return group.Wait()
}

// close makes every waiting task give up.
func (r *Runtime) close() {
	for _, t := range r.tasks {
		t.gate.close()
	}
}

// Tasks lists the tasks a checkpoint needs acks from.
func (r *Runtime) Tasks() []checkpoint.TaskID {
	ids := make([]checkpoint.TaskID, len(r.tasks))
	for i, t := range r.tasks {
		ids[i] = t.id
	}
	return ids
}

// Sources lists the tasks that barriers start from.
func (r *Runtime) Sources() []checkpoint.TaskID {
	var ids []checkpoint.TaskID
	for _, t := range r.tasks {
		if t.source != nil {
			ids = append(ids, t.id)
		}
	}
	return ids
}

// Inject starts a checkpoint at every source.
func (r *Runtime) Inject(b checkpoint.Barrier) { r.toSources(inject{b}) }

// Tick lets the sources look at the clock, for idle inputs.
func (r *Runtime) Tick() { r.toSources(tick{}) }

// Committed tells every task that the checkpoint is complete.
func (r *Runtime) Committed(id checkpoint.ID) { r.toAll(committed{id}) }

// Aborted tells every task that the checkpoint came to nothing.
func (r *Runtime) Aborted(id checkpoint.ID) { r.toAll(aborted{id}) }

func (r *Runtime) toAll(m message) {
	for _, t := range r.tasks {
		t.gate.post(m)
	}
}

func (r *Runtime) toSources(m message) {
	for _, t := range r.tasks {
		if t.source != nil {
			t.gate.post(m)
		}
	}
}

// Counters are the counters of a vertex, nil if there is none of that name.
func (r *Runtime) Counters(vertex string) *Counters { return r.counters[vertex] }

// Parallelism is the number of subtasks of a vertex.
func (r *Runtime) Parallelism() map[string]int { return r.widths }
