package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"runtime"

	"golang.org/x/sync/errgroup"

	"streamsql/storage"
)

// ErrDamaged says that stored state is not what was written: missing, cut short or altered.
var ErrDamaged = errors.New("state is damaged")

// ChunkReader gives the data of chunks. It may be used by any number of goroutines.
type ChunkReader interface {
	// Read returns the bytes the reference names after it has compared their number and checksum: an ErrDamaged if they differ.
	// The caller owns them.
	Read(Chunk) ([]byte, error)
	// Verify is Read for who has no use for the bytes.
	Verify(Chunk) error
}

// storeReader reads chunks from the store.
type storeReader struct{ store *storage.Store }

// NewChunkReader returns the reader of the chunks in the store.
func NewChunkReader(store *storage.Store) ChunkReader { return storeReader{store} }

// Read implements ChunkReader.
func (r storeReader) Read(c Chunk) (data []byte, err error) {
	err = r.view(c, func(stored []byte) { data = bytes.Clone(stored) })
	return data, err
}

// Verify implements ChunkReader.
func (r storeReader) Verify(c Chunk) error { return r.view(c, func([]byte) {}) }

// view calls f with the verified bytes, which are valid until f returns.
func (r storeReader) view(c Chunk, f func(data []byte)) error {
	err := r.store.ViewChunk(storage.Key(c.Key), func(data []byte) error {
		if err := verify(c, data); err != nil {
			return err
		}
		f(data)
		return nil
	})
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return fmt.Errorf("%w: chunk %s is missing", ErrDamaged, c.Key)
	case err != nil && !errors.Is(err, ErrDamaged):
		return fmt.Errorf("%w: chunk %s cannot be read: %w", ErrDamaged, c.Key, err)
	}
	return err
}

// verify compares data with what the reference says of it.
func verify(c Chunk, data []byte) error {
	if len(data) != c.Bytes {
		return fmt.Errorf("%w: chunk %s has %d bytes instead of %d", ErrDamaged, c.Key, len(data), c.Bytes)
	}
	if crc := crc32.ChecksumIEEE(data); crc != c.CRC {
		return fmt.Errorf("%w: chunk %s has checksum %08x instead of %08x", ErrDamaged, c.Key, crc, c.CRC)
	}
	return nil
}

// verifyAll reads every chunk once, on all cores, and returns the first error.
func verifyAll(chunks []Chunk, r ChunkReader) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	seen := make(map[string]bool, len(chunks))
	for _, c := range chunks {
		if seen[c.Key] {
			continue
		}
		seen[c.Key] = true
		group.Go(func() error { return r.Verify(c) })
	}
	return group.Wait()
}
