package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"streamsql/internal/failpoint"
	"streamsql/storage"
)

func TestChunkWriterWritesWhatItRefersTo(t *testing.T) {
	store := tempStore(t)
	w := NewChunkWriter(store, "a job", 7, 1<<20)
	defer w.Close()
	data := bytes.Repeat([]byte("row"), 10_000)
	one := w.Write("agg/1", 3, 5, [2]int{32, 64}, 10_000, bytes.Clone(data))
	two := w.Write("agg/1", 3, 5, [2]int{64, 96}, 1, []byte("x"))
	check(t, flushed(w, 5))

	id, err := storage.ParseChunkKey(storage.Key(one.Key))
	if want := (storage.ChunkID{Job: "a job", Attempt: 7, Operator: "agg/1", Subtask: 3, Checkpoint: 5, Seq: 1}); err != nil || id != want {
		t.Errorf("key %s is that of %+v, %v", one.Key, id, err)
	}
	if one.Checkpoint != 5 || one.KeyGroups != [2]int{32, 64} || one.Rows != 10_000 || one.Bytes != 30_000 {
		t.Errorf("reference %+v", one)
	}
	r := NewChunkReader(store)
	if got := must[[]byte](t)(r.Read(one)); !bytes.Equal(got, data) {
		t.Error("the first chunk is not what was written")
	}
	if got := must[[]byte](t)(r.Read(two)); string(got) != "x" {
		t.Errorf("the second chunk is %q", got)
	}
}

func TestChunkWriterOfManyTasks(t *testing.T) {
	store := tempStore(t)
	w := NewChunkWriter(store, "j", 1, 64<<10) // less than is written
	defer w.Close()
	var wg sync.WaitGroup
	for task := range 4 {
		wg.Go(func() {
			for id := ID(1); id <= 5; id++ {
				var chunks []Chunk
				for i := range 10 {
					data := bytes.Repeat([]byte{byte(task), byte(id), byte(i)}, 3000)
					chunks = append(chunks, w.Write("agg", task, id, [2]int{0, 128}, 1, data))
				}
				if err := flushed(w, id); err != nil {
					t.Error(err)
				}
				if err := verifyAll(chunks, NewChunkReader(store)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestChunkWriterBlocksWhenFull(t *testing.T) {
	w := &ChunkWriter{limit: 100} // not started: nothing is taken from the queue
	w.changed.L = &w.mu
	w.Write("agg", 0, 1, [2]int{}, 1, make([]byte, 200)) // a chunk larger than the limit passes when it is alone
	passed := make(chan struct{})
	go func() {
		w.Write("agg", 0, 1, [2]int{}, 1, make([]byte, 1))
		close(passed)
	}()
	select {
	case <-passed:
		t.Fatal("a chunk was taken although the queue is full")
	case <-time.After(20 * time.Millisecond):
	}
	items, _ := w.take()
	w.written(items)
	<-passed
}

func TestChunkWriterReportsTheCheckpointThatFailed(t *testing.T) {
	w := NewChunkWriter(tempStore(t), "j", 1, 1<<20)
	defer w.Close()
	disarm := must[func()](t)(failpoint.Arm(failpoint.ChunkWrite + ":2=error"))
	defer disarm()
	write := func(id ID) error {
		w.Write("agg", 0, id, [2]int{0, 128}, 1, []byte("x"))
		return flushed(w, id)
	}
	check(t, write(1))
	if err := write(2); !errors.Is(err, failpoint.ErrInjected) {
		t.Errorf("the failed one: %v", err)
	}
	if err := flushed(w, 2); !errors.Is(err, failpoint.ErrInjected) {
		t.Errorf("another task of the failed one: %v", err)
	}
	check(t, write(3))
	check(t, flushed(w, 1))
}

func TestFailuresForgetOnTheSafeSide(t *testing.T) {
	var f failures
	for id := ID(1); id <= 2*maxFailures; id++ {
		f.add(10*id, fmt.Errorf("error %d", id))
	}
	for id, failed := range map[ID]bool{10: true, 5: true, 10*maxFailures + 5: false, 20 * maxFailures: true, 20*maxFailures + 1: false} {
		if err := f.of(id); (err != nil) != failed {
			t.Errorf("checkpoint %d: %v", id, err)
		}
	}
	if len(f.byID) != maxFailures {
		t.Errorf("%d failures remembered", len(f.byID))
	}
}

func TestChunkWriterAfterClose(t *testing.T) {
	store := tempStore(t)
	w := NewChunkWriter(store, "j", 1, 1)
	w.Close()
	w.Close()
	c := w.Write("agg", 0, 1, [2]int{0, 128}, 1, []byte("x"))
	w.Write("agg", 0, 1, [2]int{0, 128}, 1, []byte("x"))
	if err := flushed(w, 1); !errors.Is(err, ErrWriterClosed) {
		t.Errorf("flush: %v", err)
	}
	if _, err := NewChunkReader(store).Read(c); !errors.Is(err, ErrDamaged) {
		t.Errorf("read: %v", err)
	}
}

func TestChunkWriterCloseAnswersFlushes(t *testing.T) {
	w := &ChunkWriter{store: tempStore(t), limit: 1 << 20, finished: make(chan struct{})}
	w.changed.L = &w.mu
	done := make(chan error, 1)
	w.Write("agg", 0, 1, [2]int{}, 1, []byte("x"))
	w.Flush(1, func(err error) { done <- err })
	w.closed = true
	w.run()
	if err := <-done; !errors.Is(err, ErrWriterClosed) {
		t.Errorf("got %v", err)
	}
}

// TestDamageOnDisk flips a byte of a chunk in the files of the store.
func TestDamageOnDisk(t *testing.T) {
	dir := t.TempDir()
	store := openStore(t, dir)
	r := begin(t, store, 0)
	good := r.commit(3)
	text := strings.Repeat("find me ", 10_000)
	r.write(text)
	bad := r.reserve()
	check(t, r.log.Commit(r.manifest(bad)))
	r.writer.Close()
	check(t, store.Close())
	flip(t, dir, text)

	store = openStore(t, dir)
	defer store.Close()
	m, skipped, err := must[*Log](t)(OpenLog(store, "j")).Newest()
	if err != nil || m.ID != good || len(skipped) != 1 || skipped[0].ID != bad {
		t.Errorf("newest %+v, skipped %v, %v", m, skipped, err)
	}
}

// flip changes a byte of text wherever it lies below dir.
func flip(t *testing.T, dir, text string) {
	t.Helper()
	found := false
	check(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		at := bytes.Index(data, []byte(text))
		if err != nil || at < 0 {
			return err
		}
		found = true
		data[at+len(text)/2] ^= 0x20
		return os.WriteFile(path, data, 0o644)
	}))
	if !found {
		t.Fatal("the chunk lies in no file")
	}
}
