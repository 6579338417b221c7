package checkpoint

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"streamsql/internal/failpoint"
	"streamsql/storage"
)

func TestLogGoesOnWhereItWas(t *testing.T) {
	dir := t.TempDir()
	store := openStore(t, dir)
	r := begin(t, store, 0)
	if r.attempt != 1 || r.next != 1 {
		t.Fatalf("a new job begins attempt %d with id %d", r.attempt, r.next)
	}
	if _, _, err := r.log.Newest(); !errors.Is(err, ErrNoCheckpoint) {
		t.Errorf("newest of a new job: %v", err)
	}
	r.commit(3)
	last := r.commit(3)
	r.reserve() // begun and never completed
	r.writer.Close()
	check(t, store.Close())

	store = openStore(t, dir)
	defer store.Close()
	log := must[*Log](t)(OpenLog(store, "j"))
	m, skipped, err := log.Newest()
	if err != nil || m.ID != last || len(skipped) != 0 {
		t.Fatalf("newest %+v, skipped %v, %v", m, skipped, err)
	}
	r = begin(t, store, m.ID)
	defer r.writer.Close()
	if r.attempt != 2 || r.next != 4 {
		t.Errorf("goes on with attempt %d, id %d; expected 2, 4", r.attempt, r.next)
	}
	if attempt, id, err := log.Last(); attempt != 2 || id != 3 || err != nil {
		t.Errorf("last: %d, %d, %v", attempt, id, err)
	}
}

func TestOlderAttemptIsFenced(t *testing.T) {
	store := tempStore(t)
	old := begin(t, store, 0)
	old.commit(3)
	old.write("late")
	id := old.reserve()
	newer := begin(t, store, 1)

	if err := old.log.Commit(old.manifest(id)); !errors.Is(err, ErrFenced) {
		t.Errorf("commit of an older attempt: %v", err)
	}
	if err := old.log.Reserve(id + 1); !errors.Is(err, ErrFenced) {
		t.Errorf("reserve: %v", err)
	}
	if err := old.log.Retain(0 + 1); err != nil && !errors.Is(err, ErrFenced) {
		t.Errorf("retain: %v", err)
	}
	newer.commit(3)
	if err := old.log.Retain(1); !errors.Is(err, ErrFenced) {
		t.Errorf("retain with something to delete: %v", err)
	}
	if ids, err := newer.log.ids(); err != nil || fmt.Sprint(ids) != "[1 3]" {
		t.Errorf("checkpoints %v, %v", ids, err)
	}
}

func TestBeginRemovesNewerCheckpoints(t *testing.T) {
	store := tempStore(t)
	r := begin(t, store, 0)
	for range 3 {
		r.commit(9)
	}
	r = begin(t, store, 2)
	if ids, err := r.log.ids(); err != nil || fmt.Sprint(ids) != "[1 2]" {
		t.Errorf("checkpoints %v, %v", ids, err)
	}
	if n := r.chunkCount(); n != 2 {
		t.Errorf("%d chunks, expected the two of the checkpoints that are left", n)
	}
	if id := r.commit(9); id != 4 {
		t.Errorf("next id is %d", id)
	}
	if _, _, err := r.log.Begin(3); !errors.Is(err, ErrNoCheckpoint) {
		t.Errorf("begin from a checkpoint that is gone: %v", err)
	}
}

func TestDropLeavesNothingButTheNumbers(t *testing.T) {
	store := tempStore(t)
	r := begin(t, store, 0)
	r.commit(3)
	check(t, r.log.Drop())
	if n := r.chunkCount(); n != 0 {
		t.Errorf("%d chunks", n)
	}
	if _, _, err := r.log.Newest(); !errors.Is(err, ErrNoCheckpoint) {
		t.Errorf("newest: %v", err)
	}
	if again := begin(t, store, 0); again.next != 2 || again.attempt != 3 {
		t.Errorf("a job of the same name begins attempt %d with id %d", again.attempt, again.next)
	}
}

func TestCommitRefuses(t *testing.T) {
	store := tempStore(t)
	r := begin(t, store, 0)
	id := r.commit(3)
	next := r.reserve()
	for name, spoil := range map[string]func(*Manifest){
		"an id that was not reserved": func(m *Manifest) { m.ID = next + 1 },
		"an id that was used":         func(m *Manifest) { m.ID = id },
		"another job":                 func(m *Manifest) { m.Job = "k" },
		"chunks of another job":       func(m *Manifest) { m.Tasks[0].Operators[0].Chunks = []Chunk{{Key: "c/k/1"}} },
		"chunks of a savepoint":       func(m *Manifest) { m.Tasks[0].Operators[0].Chunks = []Chunk{{Key: "state/agg.arrow@8"}} },
	} {
		m := r.manifest(next)
		spoil(m)
		if err := r.log.Commit(m); err == nil {
			t.Errorf("%s was committed", name)
		}
	}
	check(t, r.log.Commit(r.manifest(next)))
	if err := r.log.Reserve(next); err == nil {
		t.Error("an id was reserved twice")
	}
}

func TestRetainDeletesWhatNobodyNames(t *testing.T) {
	r := begin(t, tempStore(t), 0)
	for range 5 {
		r.commit(2)
		r.chain = r.chain[:0] // each checkpoint stands for itself
	}
	if ids, err := r.log.ids(); err != nil || fmt.Sprint(ids) != "[4 5]" {
		t.Errorf("checkpoints %v, %v", ids, err)
	}
	if n := r.chunkCount(); n != 2 {
		t.Errorf("%d chunks, expected 2", n)
	}

	r.write("of an aborted checkpoint")
	r.reserve()
	r.chain = r.chain[:0]
	running := r.writer.Write("agg", 0, r.next+1, [2]int{0, 128}, 1, []byte("of one under way"))
	r.flush(r.next + 1)
	r.commit(2)
	if n := r.chunkCount(); n != 3 {
		t.Errorf("%d chunks, expected those of two checkpoints and of the one under way", n)
	}
	if _, err := r.log.Reader().Read(running); err != nil {
		t.Errorf("the chunk under way: %v", err)
	}
}

func TestRetainKeepsSharedChunks(t *testing.T) {
	r := begin(t, tempStore(t), 0)
	for range 4 {
		r.commit(1)
	}
	if n := r.chunkCount(); n != 4 {
		t.Errorf("%d chunks, expected the whole chain of 4", n)
	}
	if _, skipped, err := r.log.Newest(); err != nil || len(skipped) > 0 {
		t.Errorf("skipped %v, %v", skipped, err)
	}
}

func TestHoldKeepsACheckpoint(t *testing.T) {
	r := begin(t, tempStore(t), 0)
	first := r.commit(1)
	m := must[*Manifest](t)(r.log.Get(first))
	release := r.log.Hold(first)
	r.chain = nil
	r.commit(1)
	check(t, verifyAll(m.Chunks(), r.log.Reader()))
	release()
	release()
	r.commit(1)
	if err := verifyAll(m.Chunks(), r.log.Reader()); !errors.Is(err, ErrDamaged) {
		t.Errorf("after the release: %v", err)
	}
}

// TestNewestSkipsDamage spoils the newest checkpoints in different ways.
func TestNewestSkipsDamage(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(r *run, id ID, chunk Chunk)
		says  string
	}{
		{"flipped byte", func(r *run, _ ID, c Chunk) {
			data := must[[]byte](r.t)(r.store.GetChunk(storage.Key(c.Key)))
			data[3] ^= 1
			check(r.t, r.store.PutChunks([]storage.Chunk{{Key: storage.Key(c.Key), Data: data}}))
		}, "checksum"},
		{"short chunk", func(r *run, _ ID, c Chunk) {
			check(r.t, r.store.PutChunks([]storage.Chunk{{Key: storage.Key(c.Key), Data: []byte("rows")}}))
		}, "has 4 bytes instead of 20"},
		{"missing chunk", func(r *run, _ ID, c Chunk) {
			check(r.t, r.store.Delete(storage.Key(c.Key)))
		}, "is missing"},
		{"torn manifest", func(r *run, id ID, _ Chunk) {
			key := storage.ManifestKey("j", uint64(id))
			v := must[[]byte](r.t)(r.store.Get(key))
			check(r.t, r.store.Put(key, v[:len(v)/2]))
		}, "manifest is damaged"},
		{"empty manifest", func(r *run, id ID, _ Chunk) {
			check(r.t, r.store.Put(storage.ManifestKey("j", uint64(id)), nil))
		}, "manifest is torn"},
		{"another's manifest", func(r *run, id ID, _ Chunk) {
			v := must[[]byte](r.t)(r.store.Get(storage.ManifestKey("j", uint64(id-1))))
			check(r.t, r.store.Put(storage.ManifestKey("j", uint64(id)), v))
		}, "that of checkpoint 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := begin(t, tempStore(t), 0)
			good := r.commit(3)
			bad := r.commit(3)
			c.spoil(r, bad, r.chain[1])
			m, skipped, err := r.log.Newest()
			check(t, err)
			if m.ID != good || len(skipped) != 1 || skipped[0].ID != bad {
				t.Fatalf("newest is %d, skipped %v", m.ID, skipped)
			}
			if !errors.Is(skipped[0].Reason, ErrDamaged) || !strings.Contains(skipped[0].String(), c.says) {
				t.Errorf("skipped because %q, expected %q", skipped[0], c.says)
			}
			r = begin(t, r.store, m.ID)
			if m, skipped, err := r.log.Newest(); err != nil || m.ID != good || len(skipped) > 0 {
				t.Errorf("the next start: %+v, %v, %v", m, skipped, err)
			}
		})
	}
}

func TestNewestWithoutAnyWhole(t *testing.T) {
	r := begin(t, tempStore(t), 0)
	r.commit(3)
	r.commit(3)
	check(t, r.store.Delete(storage.Key(r.chain[0].Key)))
	_, skipped, err := r.log.Newest()
	var unusable *UnusableError
	if !errors.As(err, &unusable) || len(skipped) != 2 {
		t.Fatalf("skipped %v, %v", skipped, err)
	}
	for _, want := range []string{"job j", "checkpoint 1", "checkpoint 2", "missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}

func TestListShowsManifestsAndDamage(t *testing.T) {
	r := begin(t, tempStore(t), 0)
	r.commit(3)
	r.commit(3)
	check(t, r.store.Put(storage.ManifestKey("j", 1), []byte("SQMF")))
	manifests, skipped, err := r.log.List()
	if err != nil || len(manifests) != 1 || manifests[0].ID != 2 || len(skipped) != 1 || skipped[0].ID != 1 {
		t.Errorf("listed %v, skipped %v, %v", manifests, skipped, err)
	}
	if _, err := r.log.Get(7); !errors.Is(err, ErrNoCheckpoint) {
		t.Errorf("get: %v", err)
	}
}

func TestInjectedFailuresOfCommit(t *testing.T) {
	for name, committed := range map[string]bool{failpoint.BeforeManifest: false, failpoint.AfterManifest: true} {
		r := begin(t, tempStore(t), 0)
		id := r.reserve()
		disarm := must[func()](t)(failpoint.Arm(name + "=error"))
		err := r.log.Commit(r.manifest(id))
		disarm()
		if !errors.Is(err, failpoint.ErrInjected) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := r.log.Get(id); (err == nil) != committed {
			t.Errorf("%s: the manifest: %v", name, err)
		}
	}
}
