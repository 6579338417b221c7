package checkpoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"streamsql/internal/failpoint"
	"streamsql/storage"
)

var (
	// ErrFenced says that a newer attempt of the job has begun: this one must stop, and nothing it does counts any more.
	ErrFenced = errors.New("a newer attempt of the job has begun")
	// ErrNoCheckpoint says that the job has no completed checkpoint.
	ErrNoCheckpoint = errors.New("no completed checkpoint")
)

// Log is the sequence of the completed checkpoints of a job, and of the attempts that made them. A checkpoint exists if and only
// if its manifest is in there; a chunk that no manifest names does not exist.
type Log struct {
	store  *storage.Store
	job    string
	reader ChunkReader

	mu      sync.Mutex
	attempt Attempt // begun by this Log; 0: none
	newest  ID      // newest checkpoint committed or found
	// chunks holds the keys of the chunks that each manifest in the log names.
	chunks map[ID][]storage.Key
	held   map[ID]int // number of Holds
}

// logRecord is what the store keeps beside the manifests of a job.
type logRecord struct {
	Attempt Attempt `json:"attempt"`
	LastID  ID      `json:"lastID"` // highest one reserved so far
}

// OpenLog returns the log of the job, which need not have one yet. It changes nothing until Begin.
func OpenLog(store *storage.Store, job string) (*Log, error) {
	l := &Log{store: store, job: job, reader: NewChunkReader(store), held: make(map[ID]int)}
	if _, _, err := l.Last(); err != nil {
		return nil, err
	}
	return l, nil
}

// Last tells how many attempts the job has begun and the highest checkpoint id it has reserved; both are 0 for a new job.
func (l *Log) Last() (attempt Attempt, id ID, err error) {
	var rec logRecord
	err = l.store.View(func(tx *storage.Tx) error {
		rec, err = l.record(tx)
		return err
	})
	return rec.Attempt, rec.LastID, err
}

// Begin begins a new attempt that goes on from a checkpoint, or from nothing if from is 0. It fences out older attempts and
// removes the newer checkpoints, which have no future: their output has been or will be taken back. What no remaining
// checkpoint names is deleted. The first id free for the attempt's checkpoints is returned with it.
func (l *Log) Begin(from ID) (attempt Attempt, first ID, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rec logRecord
	err = l.store.Update(func(tx *storage.Tx) error {
		if rec, err = l.record(tx); err != nil {
			return err
		}
		if err := l.exists(tx, from); err != nil {
			return err
		}
		rec.Attempt++
		if err := l.deleteManifests(tx, func(id ID) bool { return id > from }); err != nil {
			return err
		}
		return l.putRecord(tx, rec)
	})
	if err != nil {
		return 0, 0, fmt.Errorf("begin an attempt of job %s: %w", l.job, err)
	}
	l.attempt, l.newest = rec.Attempt, from
	if err := l.loadChunkKeys(); err != nil {
		return 0, 0, err
	}
	if err := l.sweep(); err != nil {
		return 0, 0, err
	}
	return rec.Attempt, rec.LastID + 1, nil
}

// exists returns an error unless the checkpoint is in the log; 0 stands for none.
func (l *Log) exists(tx *storage.Tx, id ID) error {
	if id == 0 {
		return nil
	}
	_, err := tx.Get(storage.ManifestKey(l.job, uint64(id)))
	if errors.Is(err, storage.ErrNotFound) {
		return fmt.Errorf("%w %d", ErrNoCheckpoint, id)
	}
	return err
}

// Drop removes all checkpoints of the job and fences its attempts out. Numbers go on where they were should the job's name be
// used again.
func (l *Log) Drop() error {
	_, _, err := l.Begin(0)
	return err
}

// Reserve claims the id for a checkpoint that is about to begin, so that it is never used again, whatever becomes of it. It must
// be called before the barrier is injected. An ErrFenced ends the attempt.
func (l *Log) Reserve(id ID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.store.Update(func(tx *storage.Tx) error {
		rec, err := l.fenced(tx, l.attempt)
		if err != nil {
			return err
		}
		if id <= rec.LastID {
			return fmt.Errorf("id has been used already, the last one was %d", rec.LastID)
		}
		rec.LastID = id
		return l.putRecord(tx, rec)
	})
	if err != nil {
		return fmt.Errorf("reserve checkpoint %d of job %s: %w", id, l.job, err)
	}
	return nil
}

// Commit completes the checkpoint: it makes sure that everything written is durable, then writes the manifest in one
// transaction that checks the attempt. After an error other than ErrFenced it is not known whether the checkpoint exists.
func (l *Log) Commit(m *Manifest) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.commit(m); err != nil {
		return fmt.Errorf("commit checkpoint %d of job %s: %w", m.ID, l.job, err)
	}
	l.newest = m.ID
	l.chunks[m.ID] = chunkKeys(m)
	return failpoint.Err(failpoint.AfterManifest)
}

func (l *Log) commit(m *Manifest) error {
	if err := l.checkOwn(m); err != nil {
		return err
	}
	stored, err := encodeManifest(m)
	if err != nil {
		return err
	}
	if err := l.store.Sync(); err != nil {
		return err
	}
	if err := failpoint.Err(failpoint.BeforeManifest); err != nil {
		return err
	}
	return l.store.Update(func(tx *storage.Tx) error {
		rec, err := l.fenced(tx, m.Attempt)
		if err != nil {
			return err
		}
		if m.ID <= l.newest || m.ID > rec.LastID {
			return fmt.Errorf("id is not above %d, the newest checkpoint, and up to %d, the last one reserved", l.newest, rec.LastID)
		}
		tx.DuringCommit(func() { failpoint.Hit(failpoint.InsideManifest) })
		return tx.Put(storage.ManifestKey(l.job, uint64(m.ID)), stored)
	})
}

// checkOwn refuses a manifest of another job, or one that names chunks this log does not keep: nobody would delete them, or
// somebody else would.
func (l *Log) checkOwn(m *Manifest) error {
	if m.Job != l.job {
		return fmt.Errorf("manifest is of job %s", m.Job)
	}
	prefix := string(storage.ChunkPrefix(l.job))
	for _, c := range m.Chunks() {
		if len(c.Key) <= len(prefix) || c.Key[:len(prefix)] != prefix {
			return fmt.Errorf("manifest names chunk %s, which is not the job's: restored state must be written anew", c.Key)
		}
	}
	return nil
}

// fenced returns the log's record if attempt is the newest one.
func (l *Log) fenced(tx *storage.Tx, attempt Attempt) (logRecord, error) {
	rec, err := l.record(tx)
	if err != nil {
		return rec, err
	}
	if attempt != rec.Attempt || attempt == 0 {
		return rec, fmt.Errorf("%w: attempt %d is over, %d runs", ErrFenced, attempt, rec.Attempt)
	}
	return rec, nil
}

func (l *Log) record(tx *storage.Tx) (rec logRecord, err error) {
	v, err := tx.Get(storage.LogKey(l.job))
	if errors.Is(err, storage.ErrNotFound) {
		return logRecord{}, nil
	}
	if err == nil {
		err = json.Unmarshal(v, &rec)
	}
	if err != nil {
		return rec, fmt.Errorf("log of job %s: %w", l.job, err)
	}
	return rec, nil
}

func (l *Log) putRecord(tx *storage.Tx, rec logRecord) error {
	v, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	return tx.Put(storage.LogKey(l.job), v)
}
