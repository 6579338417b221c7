package checkpoint

import (
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
}

// storeReader reads chunks from the store.
type storeReader struct{ store *storage.Store }

// NewChunkReader returns the reader of the chunks in the store.
func NewChunkReader(store *storage.Store) ChunkReader { return storeReader{store} }

// Read implements ChunkReader.
func (r storeReader) Read(c Chunk) ([]byte, error) {
	data, err := r.store.GetChunk(storage.Key(c.Key))
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil, fmt.Errorf("%w: chunk %s is missing", ErrDamaged, c.Key)
	case err != nil:
		return nil, fmt.Errorf("%w: chunk %s cannot be read: %w", ErrDamaged, c.Key, err)
	}
	if err := verify(c, data); err != nil {
		return nil, err
	}
	return data, nil
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
		group.Go(func() error {
			_, err := r.Read(c)
			return err
		})
	}
	return group.Wait()
}
