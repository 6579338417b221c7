package storage

import "fmt"

// Chunk is a chunk to be written.
type Chunk struct {
	Key  Key
	Data []byte
}

// PutChunks writes the chunks in bulk, each of at most MaxValue bytes. It is not atomic: after an error any of them may be there.
// When it returns nil they are durable. It keeps the data until it returns.
func (s *Store) PutChunks(chunks []Chunk) error {
	size := 0
	for _, c := range chunks {
		if err := checkValue(c.Key, c.Data); err != nil {
			return err
		}
		size += len(c.Data)
	}
	if err := s.beginWrite(size); err != nil {
		return err
	}
	defer s.writes.RUnlock()
	if err := s.writeBatch(chunks); err != nil {
		return fmt.Errorf("write chunks to data directory %s: %w", s.dir, err)
	}
	return s.log.syncError()
}

func (s *Store) writeBatch(chunks []Chunk) error {
	wb := s.db.NewWriteBatch()
	defer wb.Cancel()
	for _, c := range chunks {
		if err := wb.Set([]byte(c.Key), c.Data); err != nil {
			return err
		}
	}
	return wb.Flush()
}

// GetChunk returns the chunk of that key, or an ErrNotFound that names it.
func (s *Store) GetChunk(k Key) ([]byte, error) { return s.Get(k) }

// ViewChunk calls f with the chunk of that key, which is valid until f returns; without it, it returns an ErrNotFound that names it.
func (s *Store) ViewChunk(k Key, f func(data []byte) error) error {
	return s.View(func(tx *Tx) error { return tx.View(k, f) })
}
