package checkpoint

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"streamsql/internal/failpoint"
	"streamsql/storage"
)

// Retain keeps the n newest checkpoints and deletes the others, with the chunks that only they named and what aborted checkpoints
// left behind. It is called after a Commit, by the attempt that made it, and may take the time of a few disk writes.
func (l *Log) Retain(n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := failpoint.Err(failpoint.Retain); err != nil {
		return err
	}
	if err := l.retire(n); err != nil {
		return fmt.Errorf("delete old checkpoints of job %s: %w", l.job, err)
	}
	return l.sweep()
}

// Hold keeps Retain from deleting a checkpoint until release is called, for as long as somebody reads its chunks.
func (l *Log) Hold(id ID) (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[id]++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.held[id]--; l.held[id] == 0 {
			delete(l.held, id)
		}
	})
}

// retire deletes the manifests beyond the n newest that nobody holds.
func (l *Log) retire(n int) error {
	ids, err := l.ids()
	if err != nil || len(ids) <= n {
		return err
	}
	oldest := ids[len(ids)-n]
	dead := func(id ID) bool { return id < oldest && l.held[id] == 0 }
	err = l.store.Update(func(tx *storage.Tx) error {
		if _, err := l.fenced(tx, l.attempt); err != nil {
			return err
		}
		return l.deleteManifests(tx, dead)
	})
	if err == nil {
		maps.DeleteFunc(l.chunks, func(id ID, _ []storage.Key) bool { return dead(id) })
	}
	return err
}

func (l *Log) deleteManifests(tx *storage.Tx, dead func(ID) bool) error {
	ids, err := l.idsIn(tx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !dead(id) {
			continue
		}
		if err := tx.Delete(storage.ManifestKey(l.job, uint64(id))); err != nil {
			return err
		}
	}
	return nil
}

// loadChunkKeys reads which chunks the manifests in the log name. One that cannot be read names none: it is of no use, and
// Retain deletes it when its time comes.
func (l *Log) loadChunkKeys() error {
	manifests, _, err := l.List()
	if err != nil {
		return err
	}
	l.chunks = make(map[ID][]storage.Key, len(manifests))
	for _, m := range manifests {
		l.chunks[m.ID] = chunkKeys(m)
	}
	return nil
}

func chunkKeys(m *Manifest) []storage.Key {
	var keys []storage.Key
	for _, c := range m.Chunks() {
		keys = append(keys, storage.Key(c.Key))
	}
	return keys
}

// sweepBatch is the number of chunks deleted in one transaction.
const sweepBatch = 4096

// sweep deletes the chunks that no manifest names and none will: those of older attempts, and those written for checkpoints up to
// the newest one. Later ones may still belong to a checkpoint under way.
func (l *Log) sweep() error {
	dead, bytes, err := l.deadChunks()
	for batch := range slices.Chunk(dead, sweepBatch) {
		if err != nil {
			break
		}
		err = l.deleteChunks(batch)
	}
	if err == nil {
		err = l.store.Freed(bytes)
	}
	if err != nil {
		return fmt.Errorf("delete dead state of job %s: %w", l.job, err)
	}
	return nil
}

func (l *Log) deleteChunks(keys []storage.Key) error {
	return l.store.Update(func(tx *storage.Tx) error {
		if _, err := l.fenced(tx, l.attempt); err != nil {
			return err
		}
		for _, k := range keys {
			if err := tx.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// deadChunks lists the chunks to sweep and the sum of their sizes.
func (l *Log) deadChunks() (dead []storage.Key, bytes int64, err error) {
	live := make(map[storage.Key]struct{})
	for _, keys := range l.chunks {
		for _, k := range keys {
			live[k] = struct{}{}
		}
	}
	err = l.store.View(func(tx *storage.Tx) error {
		return tx.Chunks(l.job, func(k storage.Key, size int64) error {
			if _, ok := live[k]; ok || !l.settled(k) {
				return nil
			}
			dead = append(dead, k)
			bytes += size
			return nil
		})
	})
	return dead, bytes, err
}

// settled reports whether no checkpoint to come can name the chunk for the first time.
func (l *Log) settled(k storage.Key) bool {
	id, err := storage.ParseChunkKey(k)
	return err != nil || Attempt(id.Attempt) < l.attempt || ID(id.Checkpoint) <= l.newest
}
