package storage

import (
	"fmt"

	badger "github.com/dgraph-io/badger/v4"
)

// Chunk is a chunk to be written.
type Chunk struct {
	Key  Key
	Data []byte
}

// MaxChunk is the largest size of a chunk in bytes.
const MaxChunk = lsmValueLimit - 1

// PutChunks writes the chunks in bulk, in no order and not atomically: after an error any of them may be there. After Sync they
// are durable. It keeps the data until it returns.
func (s *Store) PutChunks(chunks []Chunk) error {
	size := 0
	for _, c := range chunks {
		if len(c.Data) > MaxChunk {
			return fmt.Errorf("write %s: chunk of %d bytes, at most %d are possible", string(c.Key), len(c.Data), MaxChunk)
		}
		size += len(c.Data)
	}
	if err := s.checkSpace(size); err != nil {
		return err
	}
	return s.batch(func(wb *badger.WriteBatch) error {
		for _, c := range chunks {
			if err := wb.Set([]byte(c.Key), c.Data); err != nil {
				return err
			}
		}
		return nil
	})
}

// GetChunk returns the chunk of that key, or an ErrNotFound that names it.
func (s *Store) GetChunk(k Key) ([]byte, error) { return s.Get(k) }

// DeleteChunks deletes the chunks in bulk; they need not exist.
func (s *Store) DeleteChunks(keys []Key) error {
	if len(keys) == 0 {
		return nil
	}
	return s.batch(func(wb *badger.WriteBatch) error {
		for _, k := range keys {
			if err := wb.Delete([]byte(k)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ChunkKeys lists the keys of the chunks of a job, in order.
func (s *Store) ChunkKeys(job string) (keys []Key, err error) {
	err = s.View(func(tx *Tx) error {
		return tx.Keys(ChunkPrefix(job), func(k Key) error {
			keys = append(keys, k)
			return nil
		})
	})
	return keys, err
}

func (s *Store) batch(fill func(*badger.WriteBatch) error) error {
	if s.db.IsClosed() {
		return ErrClosed
	}
	wb := s.db.NewWriteBatch()
	defer wb.Cancel()
	err := fill(wb)
	if err == nil {
		err = wb.Flush()
	}
	if err != nil {
		return fmt.Errorf("write to data directory %s: %w", s.dir, err)
	}
	return nil
}

// Sync makes everything written so far durable, or says that it is not.
func (s *Store) Sync() error {
	if s.db.IsClosed() {
		return ErrClosed
	}
	if err := s.db.Sync(); err != nil {
		return fmt.Errorf("sync data directory %s: %w", s.dir, err)
	}
	return nil
}
