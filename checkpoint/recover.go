package checkpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"streamsql/storage"
)

// Skipped is a checkpoint that cannot be used.
type Skipped struct {
	ID     ID
	Reason error
}

// String tells which one it is and why.
func (s Skipped) String() string { return fmt.Sprintf("checkpoint %d: %v", s.ID, s.Reason) }

// UnusableError says that the job has checkpoints and none of them can be used.
type UnusableError struct {
	Job     string
	Skipped []Skipped
}

// Error names each checkpoint and what is wrong with it.
func (e *UnusableError) Error() string {
	reasons := make([]string, len(e.Skipped))
	for i, s := range e.Skipped {
		reasons[i] = s.String()
	}
	return fmt.Sprintf("no checkpoint of job %s can be used (%s); restore a savepoint or start afresh", e.Job, strings.Join(reasons, "; "))
}

// Newest returns the newest checkpoint that is whole: its manifest can be read and all of its chunks verify. The newer ones it had
// to skip come with it. A job without a checkpoint gets an ErrNoCheckpoint, one with none that is whole an *UnusableError.
func (l *Log) Newest() (*Manifest, []Skipped, error) {
	ids, err := l.ids()
	if err != nil {
		return nil, nil, err
	}
	if len(ids) == 0 {
		return nil, nil, fmt.Errorf("job %s: %w", l.job, ErrNoCheckpoint)
	}
	var skipped []Skipped
	for _, id := range slices.Backward(ids) {
		m, err := l.verified(id)
		if err == nil {
			return m, skipped, nil
		}
		if errors.Is(err, storage.ErrClosed) {
			return nil, nil, err
		}
		skipped = append(skipped, Skipped{id, err})
	}
	return nil, skipped, &UnusableError{l.job, skipped}
}

// verified reads the manifest of a checkpoint and all of its chunks.
func (l *Log) verified(id ID) (*Manifest, error) {
	m, err := l.Get(id)
	if err != nil {
		return nil, err
	}
	if err := verifyAll(m.Chunks(), l.reader); err != nil {
		return nil, err
	}
	return m, nil
}

// Get returns the manifest of a checkpoint: an ErrNoCheckpoint if there is none, an ErrDamaged if it cannot be read.
func (l *Log) Get(id ID) (*Manifest, error) {
	stored, err := l.store.Get(storage.ManifestKey(l.job, uint64(id)))
	if errors.Is(err, storage.ErrNotFound) {
		return nil, fmt.Errorf("%w %d of job %s", ErrNoCheckpoint, id, l.job)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: manifest: %w", ErrDamaged, err)
	}
	m, err := decodeManifest(stored)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if m.Job != l.job || m.ID != id {
		return nil, fmt.Errorf("%w: the manifest is that of checkpoint %d of job %s", ErrDamaged, m.ID, m.Job)
	}
	return m, nil
}

// List returns the manifests of all checkpoints, oldest first, and those that cannot be read. It does not look at chunks.
func (l *Log) List() ([]*Manifest, []Skipped, error) {
	ids, err := l.ids()
	if err != nil {
		return nil, nil, err
	}
	var manifests []*Manifest
	var skipped []Skipped
	for _, id := range ids {
		m, err := l.Get(id)
		if errors.Is(err, ErrNoCheckpoint) {
			continue // retired meanwhile
		}
		if err != nil {
			skipped = append(skipped, Skipped{id, err})
			continue
		}
		manifests = append(manifests, m)
	}
	return manifests, skipped, nil
}

// Reader reads the chunks of the log's checkpoints.
func (l *Log) Reader() ChunkReader { return l.reader }

// ids lists the checkpoints in the log, oldest first.
func (l *Log) ids() (ids []ID, err error) {
	err = l.store.View(func(tx *storage.Tx) error {
		ids, err = l.idsIn(tx)
		return err
	})
	return ids, err
}

func (l *Log) idsIn(tx *storage.Tx) (ids []ID, err error) {
	err = tx.Keys(storage.ManifestPrefix(l.job), func(k storage.Key) error {
		id, err := storage.ManifestID(k)
		ids = append(ids, ID(id))
		return err
	})
	return ids, err
}
