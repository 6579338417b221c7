package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// reserve is the free space below which nothing more is written. Badger writes through mapped files, where a full disk ends
// the process; the reserve covers what its own memtables and compactions may still write.
const reserve = 2*memTableSize + valueLogFileSize

// checkSpace returns an ErrDiskFull if writing size bytes would leave less than the reserve.
func (s *Store) checkSpace(size int) error {
	free, ok := freeSpace(s.dir)
	if !ok || free >= reserve+int64(size) {
		return nil
	}
	return fmt.Errorf("%w: %s has %d MiB left and at least %d are needed; free some space",
		ErrDiskFull, s.dir, free>>20, (reserve+int64(size))>>20)
}

// Size is the number of bytes the store takes on disk. Files are sparse: it counts what is allocated.
func (s *Store) Size() (int64, error) {
	var size int64
	err := filepath.WalkDir(storeDir(s.dir), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return ignoreVanished(err)
		}
		info, err := d.Info()
		if err == nil {
			size += allocated(info)
		}
		return ignoreVanished(err)
	})
	if err != nil {
		return 0, fmt.Errorf("size of data directory %s: %w", s.dir, err)
	}
	return size, nil
}

// ignoreVanished drops the error of a file that was deleted while the directory was read.
func ignoreVanished(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
