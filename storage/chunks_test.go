package storage

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// random returns n bytes that do not compress, the same for the same seed.
func random(seed uint64, n int) []byte {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	b := make([]byte, n)
	rand.NewChaCha8(key).Read(b) //nolint:errcheck // it never fails
	return b
}

// checkpointChunks makes n chunks of size bytes for a checkpoint.
func checkpointChunks(checkpoint uint64, n, size int) []Chunk {
	chunks := make([]Chunk, n)
	for i := range chunks {
		id := ChunkID{Job: "j", Attempt: 1, Operator: "agg", Subtask: i % 2, Checkpoint: checkpoint, Seq: uint64(i)}
		chunks[i] = Chunk{id.Key(), random(checkpoint*100+uint64(i), size)}
	}
	return chunks
}

func putChunks(t testing.TB, s *Store, chunks []Chunk) {
	t.Helper()
	if err := s.PutChunks(chunks); err != nil {
		t.Fatal(err)
	}
}

// deleteChunks deletes the chunks and tells the store that they are gone.
func deleteChunks(t testing.TB, s *Store, chunks []Chunk) {
	t.Helper()
	var freed int64
	err := s.Update(func(tx *Tx) error {
		for _, c := range chunks {
			freed += int64(len(c.Data))
			if err := tx.Delete(c.Key); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = s.Freed(freed)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func checkChunks(t testing.TB, s *Store, chunks []Chunk) {
	t.Helper()
	for _, c := range chunks {
		if got, err := s.GetChunk(c.Key); err != nil || !bytes.Equal(got, c.Data) {
			t.Fatalf("chunk %s: %d bytes, %v", c.Key, len(got), err)
		}
	}
}

func TestChunksOutliveTheStore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	chunks := append(checkpointChunks(1, 5, 200<<10), checkpointChunks(2, 5, 100)...)
	putChunks(t, s, chunks)
	if err := s.Sync(); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	s = open(t, dir)
	defer closeStore(t, s)
	checkChunks(t, s, chunks)
}

func TestChunksAreListedWithTheirSize(t *testing.T) {
	s := temp(t)
	chunks := append(checkpointChunks(1, 2, 300<<10), checkpointChunks(2, 2, 300)...)
	putChunks(t, s, chunks)
	putChunks(t, s, []Chunk{{ChunkID{Job: "other"}.Key(), []byte("x")}})
	var total int64
	count := 0
	err := s.View(func(tx *Tx) error {
		return tx.Chunks("j", func(_ Key, size int64) error {
			total += size
			count++
			return nil
		})
	})
	if err != nil || count != 4 || total < 600_600 || total > 620_000 {
		t.Errorf("%d chunks of %d bytes, %v", count, total, err)
	}
}

func TestTooLargeValueIsRefused(t *testing.T) {
	s := temp(t)
	err := s.PutChunks([]Chunk{{ChunkID{Job: "j"}.Key(), make([]byte, MaxValue+1)}})
	if err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("chunk: %v", err)
	}
	if err := s.Put(JobKey("j"), make([]byte, MaxValue+1)); err == nil {
		t.Error("a too large value was written")
	}
	largest := []Chunk{{ChunkID{Job: "j"}.Key(), random(1, MaxValue)}}
	putChunks(t, s, largest)
	checkChunks(t, s, largest)
}

// TestSpaceComesBack writes forty checkpoints of 3 MB and keeps three.
func TestSpaceComesBack(t *testing.T) {
	s := temp(t)
	const retained, size = 3, 12 * (256 << 10)
	var live [][]Chunk
	var peak int64
	for id := uint64(1); id <= 40; id++ {
		chunks := checkpointChunks(id, 12, 256<<10)
		putChunks(t, s, chunks)
		if live = append(live, chunks); len(live) > retained {
			deleteChunks(t, s, live[0])
			live = live[1:]
		}
		onDisk, err := s.Size()
		if err != nil {
			t.Fatal(err)
		}
		peak = max(peak, onDisk)
	}
	if limit := int64(retained*size + minFreed + 2*valueLogFileSize); peak > limit {
		t.Errorf("the store took up to %d MB, expected at most %d", peak>>20, limit>>20)
	}
	if err := s.Reclaim(); err != nil {
		t.Fatal(err)
	}
	if onDisk, err := s.Size(); err != nil || onDisk > 3*retained*size {
		t.Errorf("after a reclamation %d MB on disk for %d live, %v", onDisk>>20, retained*size>>20, err)
	}
	for _, chunks := range live {
		checkChunks(t, s, chunks)
	}
}

func TestWritesGoOnDuringReclamation(t *testing.T) {
	s := temp(t)
	stop, done := make(chan struct{}), make(chan error)
	go func() {
		for i := uint64(0); ; i++ {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := errors.Join(s.PutChunks(checkpointChunks(i, 1, 64<<10)), s.Put(JobKey("j"), nil)); err != nil {
				done <- err
				return
			}
		}
	}()
	for range 10 {
		if err := s.Reclaim(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFailedSyncIsRemembered(t *testing.T) {
	s := temp(t)
	s.log.Errorf("Error while curlf sync: %v\n", errors.New("input/output error"))
	for name, err := range map[string]error{
		"Sync": s.Sync(), "Put": s.Put(JobKey("j"), nil), "PutChunks": s.PutChunks(checkpointChunks(1, 1, 10)),
	} {
		if err == nil || !strings.Contains(err.Error(), "input/output error") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFullDiskIsRefused(t *testing.T) {
	s := temp(t)
	free, ok := freeSpace(s.dir)
	if !ok {
		return
	}
	if err := s.checkSpace(int(free)); !errors.Is(err, ErrDiskFull) || !strings.Contains(err.Error(), s.dir) {
		t.Errorf("got %v", err)
	}
}
