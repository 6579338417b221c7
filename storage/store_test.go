package storage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		fmt.Println("error", crashRun(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeStore(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func temp(t testing.TB) *Store {
	t.Helper()
	s := open(t, t.TempDir())
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func put(t testing.TB, s *Store, k Key, v string) {
	t.Helper()
	if err := s.Put(k, []byte(v)); err != nil {
		t.Fatal(err)
	}
}

func TestValuesOutliveTheStore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, JobKey("j"), "one")
	put(t, s, JobKey("gone"), "x")
	if err := s.Delete(JobKey("gone")); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)

	s = open(t, dir)
	defer closeStore(t, s)
	if v, err := s.Get(JobKey("j")); err != nil || string(v) != "one" {
		t.Errorf("got %q, %v", v, err)
	}
	if _, err := s.Get(JobKey("gone")); !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), "job/gone") {
		t.Errorf("deleted key: %v", err)
	}
}

func TestSecondOpenIsRefused(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	_, err := Open(dir)
	if !errors.Is(err, ErrLocked) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{dir, "in this process", "another directory"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	closeStore(t, s)
	closeStore(t, open(t, dir))
}

// TestEmptyLogsAreMended opens a store after a kill between the creation of a log and its first byte.
func TestEmptyLogsAreMended(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, JobKey("j"), "one")
	closeStore(t, s)
	for _, name := range []string{"000099.vlog", "00099.mem"} {
		if err := os.WriteFile(filepath.Join(storeDir(dir), name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir)
	defer closeStore(t, s)
	if v, err := s.Get(JobKey("j")); err != nil || string(v) != "one" {
		t.Errorf("got %q, %v", v, err)
	}
}

func TestNewerFormatIsRefused(t *testing.T) {
	for _, version := range []string{strconv.Itoa(FormatVersion + 1), "x"} {
		dir := t.TempDir()
		s := open(t, dir)
		put(t, s, formatKey, version)
		closeStore(t, s)
		_, err := Open(dir)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), version) {
			t.Errorf("format %s: %v", version, err)
		}
	}
}

func TestForeignDirectoryIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(storeDir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(storeDir(dir), "photo.jpg"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrFormat) {
		t.Errorf("got %v", err)
	}
	if _, err := Open(filepath.Join(storeDir(dir), "photo.jpg")); err == nil {
		t.Error("a file was opened as a data directory")
	}
}

func TestUpdateIsAtomic(t *testing.T) {
	s := temp(t)
	boom := errors.New("boom")
	err := s.Update(func(tx *Tx) error {
		if err := tx.Put(JobKey("a"), []byte("1")); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatalf("got %v", err)
	}
	if _, err := s.Get(JobKey("a")); !errors.Is(err, ErrNotFound) {
		t.Errorf("a write of a failed transaction is there: %v", err)
	}
}

func TestUpdateSerializesReadersOfWhatTheyWrite(t *testing.T) {
	s := temp(t)
	put(t, s, SettingKey("n"), "0")
	const tasks, rounds = 4, 25
	errs := make(chan error, tasks)
	for range tasks {
		go func() {
			var err error
			for i := 0; i < rounds && err == nil; i++ {
				err = s.Update(increment)
			}
			errs <- err
		}()
	}
	for range tasks {
		if err := <-errs; err != nil {
			t.Fatal(err)
		}
	}
	if v, err := s.Get(SettingKey("n")); err != nil || string(v) != strconv.Itoa(tasks*rounds) {
		t.Errorf("after %d increments: %s, %v", tasks*rounds, v, err)
	}
}

func increment(tx *Tx) error {
	v, err := tx.Get(SettingKey("n"))
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(v))
	if err != nil {
		return err
	}
	return tx.Put(SettingKey("n"), []byte(strconv.Itoa(n+1)))
}

func TestDuringCommitRunsOncePerCommit(t *testing.T) {
	s := temp(t)
	calls := 0
	for range 2 {
		if err := s.Update(func(tx *Tx) error {
			tx.DuringCommit(func() { calls++ })
			return tx.Put(JobKey("a"), nil)
		}); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 2 {
		t.Errorf("called %d times", calls)
	}
}

func TestScanIsOrderedAndStops(t *testing.T) {
	s := temp(t)
	for _, id := range []uint64{300, 2, 1, 17} {
		put(t, s, ManifestKey("a/b", id), fmt.Sprint(id))
	}
	put(t, s, ManifestKey("a", 5), "other job")
	var got []string
	stop := errors.New("stop")
	err := s.Scan(ManifestPrefix("a/b"), func(k Key, v []byte) error {
		id, err := ManifestID(k)
		if err != nil || fmt.Sprint(id) != string(v) {
			t.Errorf("key %s of %s: %d, %v", k, v, id, err)
		}
		if got = append(got, string(v)); len(got) == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || strings.Join(got, " ") != "1 2 17" {
		t.Errorf("scanned %v, %v", got, err)
	}
}

func TestClosedStoreSaysSo(t *testing.T) {
	s := open(t, t.TempDir())
	closeStore(t, s)
	_, getErr := s.Get(formatKey)
	for name, err := range map[string]error{
		"Get": getErr, "Put": s.Put(formatKey, nil), "Sync": s.Sync(), "PutChunks": s.PutChunks([]Chunk{{"c/x", nil}}),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestChunkKeyRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := ChunkID{
			Job:        rapid.String().Draw(t, "job"),
			Attempt:    rapid.Uint64().Draw(t, "attempt"),
			Operator:   rapid.String().Draw(t, "operator"),
			Subtask:    rapid.IntRange(0, 1<<16-1).Draw(t, "subtask"),
			Checkpoint: rapid.Uint64().Draw(t, "checkpoint"),
			Seq:        rapid.Uint64().Draw(t, "seq"),
		}
		got, err := ParseChunkKey(id.Key())
		if err != nil || got != id {
			t.Fatalf("%+v became %+v, %v", id, got, err)
		}
		if name := JobKey(id.Job).Name(); name != id.Job {
			t.Fatalf("job %q became %q", id.Job, name)
		}
	})
}

func FuzzParseChunkKey(f *testing.F) {
	f.Add(string(ChunkID{"j", 1, "agg 1", 2, 3, 4}.Key()))
	f.Add("c/a/b/c/d/e/f")
	f.Fuzz(func(t *testing.T, s string) {
		id, err := ParseChunkKey(Key(s))
		if err != nil {
			return
		}
		if again, err := ParseChunkKey(id.Key()); err != nil || again != id {
			t.Fatalf("%q: %+v became %+v, %v", s, id, again, err)
		}
	})
}
