package checkpoint

import (
	"fmt"
	"testing"

	"streamsql/storage"
)

func openStore(t testing.TB, dir string) *storage.Store {
	t.Helper()
	s, err := storage.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func tempStore(t testing.TB) *storage.Store {
	t.Helper()
	s := openStore(t, t.TempDir())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// failer is what the helpers need of a test: testing.TB and *rapid.T have it.
type failer interface {
	Helper()
	Fatal(args ...any)
	Errorf(format string, args ...any)
}

func must[T any](t failer) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run is an attempt of job "j": a log, its writer, and the chunks the only task refers to.
type run struct {
	t       testing.TB
	store   *storage.Store
	log     *Log
	writer  *ChunkWriter
	attempt Attempt
	next    ID
	chain   []Chunk
}

// begin begins an attempt that goes on from a checkpoint.
func begin(t testing.TB, store *storage.Store, from ID) *run {
	t.Helper()
	log := must[*Log](t)(OpenLog(store, "j"))
	attempt, next, err := log.Begin(from)
	check(t, err)
	r := &run{t: t, store: store, log: log, attempt: attempt, next: next}
	if from != 0 {
		r.chain = must[*Manifest](t)(log.Get(from)).Chunks()
	}
	r.writer = NewChunkWriter(store, "j", attempt, 1<<20)
	t.Cleanup(r.writer.Close)
	return r
}

// write writes a chunk for the next checkpoint and adds it to the chain.
func (r *run) write(text string) Chunk {
	r.t.Helper()
	c := r.writer.Write("agg", 0, r.next, [2]int{0, 128}, len(text), []byte(text))
	r.flush(r.next)
	r.chain = append(r.chain, c)
	return c
}

func (r *run) flush(id ID) {
	r.t.Helper()
	check(r.t, flushed(r.writer, id))
}

// flushed waits for a flush and returns its outcome.
func flushed(w *ChunkWriter, id ID) error {
	done := make(chan error, 1)
	w.Flush(id, func(err error) { done <- err })
	return <-done
}

// reserve takes the next id.
func (r *run) reserve() ID {
	r.t.Helper()
	id := r.next
	check(r.t, r.log.Reserve(id))
	r.next++
	return id
}

func (r *run) manifest(id ID) *Manifest {
	return &Manifest{
		Job: "j", ID: id, Attempt: r.attempt,
		Tasks: []TaskState{{Task: TaskID{"agg", 0}, Operators: []OperatorState{{Operator: "agg", Chunks: r.chain}}}},
	}
}

// commit completes a checkpoint with a new chunk, and retains n.
func (r *run) commit(retained int) ID {
	r.t.Helper()
	r.write(fmt.Sprintf("rows of checkpoint %d", r.next))
	id := r.reserve()
	check(r.t, r.log.Commit(r.manifest(id)))
	check(r.t, r.log.Retain(retained))
	return id
}

// chunkCount is the number of chunks of the job in the store.
func (r *run) chunkCount() (n int) {
	r.t.Helper()
	check(r.t, r.store.View(func(tx *storage.Tx) error {
		return tx.Chunks("j", func(storage.Key, int64) error {
			n++
			return nil
		})
	}))
	return n
}
